"""JSON, by the published schema (`schema.py`): one object, its rows one a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from portability.exports.columns import Field, typed
from portability.exports.formats.about import About

VERSION = 1
SCHEMA_PATH = "/exports/register.schema.json"
_ROWS = 100  # written at once


def write(columns: Sequence[Field], rows: Iterable[Sequence[object]], about: About, origin: str) -> Iterator[bytes]:
    """The file in pieces. `rows` hold the cells of `columns`, which are all that are documented."""
    head = {
        "$schema": f"{origin}{SCHEMA_PATH}",
        "version": VERSION,
        "about": {
            "target": about.target,
            "filter": about.filter,
            "sort": about.sort,
            "as_of": about.as_of,
            "exported_by": about.by,
            "exported_at": about.at.isoformat(timespec="seconds"),
            "address": about.address,
        },
    }
    yield (_text(head)[:-1] + ',"rows":[').encode("utf-8", "replace")
    lines: list[str] = []
    count = 0
    for count, row in enumerate(rows, start=1):
        value = {c.key: typed(c.kind, cell) for c, cell in zip(columns, row, strict=True)}
        lines.append(("\n" if count == 1 else ",\n") + _text(value))
        if len(lines) == _ROWS:
            yield "".join(lines).encode("utf-8", "replace")
            lines.clear()
    yield ("".join(lines) + f'\n],"count":{count}}}\n').encode("utf-8", "replace")


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)


def _plain(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no place in an export")
