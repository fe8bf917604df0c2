"""Reading very many rows for a file that is sent while it is made: the first at once, the others as fast as can be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from portability.register.models import Row

_FIRST = 500  # rows


def stream(rows: QuerySet[Row], columns: tuple[str, ...], chunk: int) -> Iterator[tuple[Any, ...]]:
    """These columns of the rows in their order, after each row's id. Outside any transaction: nobody is held up.

    The first are asked for alone: a cursor that outlives its statement has all rows read before it gives any. What
    came among the first meanwhile follows them.
    """
    values = rows.values_list("pk", *columns)
    first = list(values[:_FIRST])
    yield from first
    if len(first) < _FIRST:
        return
    written = {row[0] for row in first}
    others = values.iterator(chunk_size=chunk)
    for row in others:
        if row[0] not in written:
            yield row
        else:
            written.remove(row[0])
            if not written:
                break
    yield from others
