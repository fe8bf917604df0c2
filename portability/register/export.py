"""The register as CSV: RFC 4180, UTF-8 with a byte order mark, one chunk of rows at a time."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from django.db.models import QuerySet

from portability.engine.output.csv_safe import csv_cells
from portability.register.columns import ALL_COLUMNS, SHOWN_COLUMNS, Shown
from portability.register.decisions import with_standings
from portability.register.models import Row
from portability.targets.models import Target

CHUNK = 200


def csv_chunks(rows: QuerySet[Row], target: Target, origin: str, *, every_column: bool) -> Iterator[bytes]:
    """The file in pieces. Reads through a cursor outside any transaction, so that it holds nobody up."""
    columns = ALL_COLUMNS if every_column else SHOWN_COLUMNS
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    buffer.write("\ufeff")
    writer.writerow(label for label, _ in columns)
    decided = with_standings(rows.iterator(chunk_size=CHUNK), CHUNK)
    for number, (row, standing) in enumerate(decided, start=1):
        shown = Shown(row, target, origin, standing)
        writer.writerow(csv_cells(cell(shown) for _, cell in columns))
        if number % CHUNK == 0:
            yield _taken(buffer)
    yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode("utf-8", "replace")
