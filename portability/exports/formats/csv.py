"""CSV: RFC 4180, UTF-8 with a byte order mark. Nothing in it is taken for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from portability.engine.output.csv_safe import csv_cells
from portability.exports.mappings import Picked

_CHARACTERS = 64 * 1024  # written at once


def write(columns: Sequence[Picked], rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
    """The file in pieces, the first as soon as there are some rows. `rows` hold the cells of `columns`."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    buffer.write("\ufeff")
    writer.writerow(safe(column.heading for column in columns))
    for row in rows:
        writer.writerow(safe(row))
        if buffer.tell() > _CHARACTERS:
            yield _taken(buffer)
    yield _taken(buffer)


def safe(values: Iterable[object]) -> list[str]:
    """The values as the file has them."""
    return csv_cells(values)


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode("utf-8", "replace")
