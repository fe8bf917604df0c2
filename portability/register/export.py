"""The register as CSV: RFC 4180, UTF-8 with a byte order mark, one chunk of rows at a time."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import islice

from django.db.models import QuerySet
from django.utils import timezone

from portability.engine.output.csv_safe import csv_cells
from portability.register.columns import ALL_COLUMNS, SHOWN_LABELS, SHOWN_VALUES, Shown, shown_cells
from portability.register.decisions import with_standings
from portability.register.models import Row
from portability.register.plain_rows import plain_rows
from portability.reviews.decided import decided_verdict
from portability.targets.models import Target

CHUNK = 200
_READ = 2_000  # rows of values, which take less room


def csv_chunks(rows: QuerySet[Row], target: Target, origin: str, *, every_column: bool) -> Iterator[bytes]:
    """The file in pieces. Reads through a cursor outside any transaction, so that it holds nobody up."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    buffer.write("\ufeff")
    if every_column:
        writer.writerow(label for label, _ in ALL_COLUMNS)
        cells = _every_column(rows, target, origin)
    else:
        writer.writerow(SHOWN_LABELS)
        decided = rows.annotate(decided_verdict=decided_verdict(timezone.localdate()))
        cells = shown_cells(decided.values_list(*SHOWN_VALUES).iterator(chunk_size=_READ))
    while part := list(islice(cells, CHUNK)):
        writer.writerows(map(csv_cells, part))
        yield _taken(buffer)
    if buffer.tell():
        yield _taken(buffer)


def _every_column(rows: QuerySet[Row], target: Target, origin: str) -> Iterator[tuple[object, ...]]:
    for row, standing in with_standings(plain_rows(rows, CHUNK), CHUNK):
        shown = Shown(row, target, origin, standing)
        yield tuple([cell(shown) for _, cell in ALL_COLUMNS])


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode("utf-8", "replace")
