"""The history as a file, streamed: CSV for reading, JSON for machines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from portability.audit.models import Entry
from portability.audit.words import details_in_words
from portability.engine.output.csv_safe import csv_cells

CHUNK = 500
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
COLUMNS = ("at", "who", "action", "subject", "details")


def pieces(kind: str, entries: QuerySet[Entry], about: Mapping[str, object]) -> Iterator[bytes]:
    """The file in pieces. `about`: what the JSON says of itself."""
    return _csv(entries) if kind == "csv" else _json(entries, about)


def _csv(entries: QuerySet[Entry]) -> Iterator[bytes]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    buffer.write("\ufeff")
    writer.writerow(COLUMNS)
    for number, entry in enumerate(entries.iterator(chunk_size=CHUNK), start=1):
        said = "\n".join(f"{name}: {text}" for name, text in details_in_words(entry))
        writer.writerow(csv_cells((_moment(entry.at), entry.who_name, entry.action, entry.subject, said)))
        if number % CHUNK == 0:
            yield _taken(buffer)
    yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode("utf-8", "replace")


def _json(entries: QuerySet[Entry], about: Mapping[str, object]) -> Iterator[bytes]:
    yield (json.dumps({"version": 1, "about": about}, ensure_ascii=False)[:-1] + ', "entries": [').encode()
    count = 0
    for count, entry in enumerate(entries.iterator(chunk_size=CHUNK), start=1):
        said = {
            "at": _moment(entry.at),
            "who": entry.who_name,
            "action": entry.action,
            "subject": entry.subject,
            "details": entry.details,
        }
        line = json.dumps(said, ensure_ascii=False, sort_keys=True)
        yield f"{',' if count > 1 else ''}\n{line}".encode("utf-8", "replace")
    yield f'\n], "count": {count}}}\n'.encode()


def _moment(at: datetime) -> str:
    return timezone.localtime(at).isoformat(timespec="seconds")
