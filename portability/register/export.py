"""The register as CSV: RFC 4180, UTF-8 with a byte order mark, one chunk of rows at a time."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import islice
from operator import itemgetter

from django.db.models import ExpressionWrapper, F, QuerySet, TextField
from django.db.models.functions import TruncDate
from django.utils import timezone

from portability.engine.output.csv_safe import csv_cells
from portability.register.columns import ALL_COLUMNS, HARMLESS, SHOWN_LABELS, SHOWN_VALUES, Days, Shown, shown_lines
from portability.register.decisions import with_standings
from portability.register.exposed import Counting
from portability.register.models import Row
from portability.register.plain_rows import plain_rows
from portability.register.streaming import stream
from portability.reviews.decided import decided_verdict
from portability.reviews.models import Decided
from portability.targets.models import Target

CHUNK = 500
_READ = 2_000  # rows of values, which take less room
_CELLS = tuple(cell for _, cell in ALL_COLUMNS)
_ODD = tuple(n for n, (label, _) in enumerate(ALL_COLUMNS) if label not in HARMLESS)
_odd_ones = itemgetter(*_ODD)


def csv_chunks(rows: QuerySet[Row], target: Target, origin: str, *, every_column: bool) -> Iterator[bytes]:
    """The file in pieces. Reads through a cursor outside any transaction, so that it holds nobody up."""
    pieces = _every_column(rows, target, origin) if every_column else _shown(rows)
    yield b"\xef\xbb\xbf" + next(pieces)
    yield from pieces


def _shown(rows: QuerySet[Row]) -> Iterator[bytes]:
    # asked once, for where nobody decided anything there is nothing to look for beside each row
    decided = decided_verdict(timezone.localdate()) if Decided.objects.exists() else F("verdict")
    # as a text, for which Django converts nothing row by row: what comes is a day or its text, written alike
    moved = ExpressionWrapper(TruncDate("moved_at", tzinfo=timezone.get_current_timezone()), TextField())
    read = stream(rows.annotate(decided_verdict=decided, moved_on=moved), SHOWN_VALUES, _READ)
    lines = shown_lines(read)
    heading = f"{','.join(SHOWN_LABELS)}\r\n"
    yield _bytes(heading + "".join(islice(lines, CHUNK)))
    while piece := "".join(islice(lines, CHUNK)):
        yield _bytes(piece)


def _every_column(rows: QuerySet[Row], target: Target, origin: str) -> Iterator[bytes]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(label for label, _ in ALL_COLUMNS)
    cells = _cells(rows, target, origin)
    while True:
        writer.writerows(islice(cells, CHUNK))
        if not buffer.tell():
            return
        yield _bytes(buffer.getvalue())
        buffer.seek(0)
        buffer.truncate()


def _cells(rows: QuerySet[Row], target: Target, origin: str) -> Iterator[list[object]]:
    days, counting = Days(), Counting.against(target)
    for row, standing in with_standings(plain_rows(rows, CHUNK), CHUNK):
        shown = Shown(row, target, origin, standing, days, counting)
        cells = [cell(shown) for cell in _CELLS]
        for n, text in zip(_ODD, csv_cells(_odd_ones(cells)), strict=True):
            cells[n] = text
        yield cells


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
