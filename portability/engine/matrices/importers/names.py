"""What published pages call things: rows of `data/import_names.yaml`, looked up without case and extra blanks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any

from portability.engine.matrices.importers.tables import Table, TableCell, same
from portability.engine.shipped_files import load

PATH = Path(__file__).parent.parent.parent / "data" / "import_names.yaml"
_ALIKE = 0.85
_DIGITS = re.compile(r"[0-9]+")


@cache
def rows() -> Mapping[str, Any]:
    """The whole file."""
    loaded: Mapping[str, Any] = load(PATH)
    return loaded


@cache
def meanings(*path: str) -> Mapping[str, str]:
    """Published name -> ours, for one group of names: `meanings("rocm", "columns")`."""
    group: Any = rows()
    for step in path:
        group = group[step]
    return {same(name): ours for ours, names in group.items() for name in names}


def listed(*path: str) -> frozenset[str]:
    """The names of a plain list, as they are compared."""
    group: Any = rows()
    for step in path:
        group = group[step]
    return frozenset(same(name) for name in group)


@cache
def _words_of(group: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, rows()[group]))})(?!\w)")


@cache
def _limiting_signs() -> re.Pattern[str]:
    return re.compile(f"[{''.join(map(re.escape, rows()['limiting_signs']))}]")


def limit_in(said: str) -> str:
    """The first word or sign in a text that takes back something of what stands beside it; "" for none."""
    found = _words_of("limits").search(same(said)) or _limiting_signs().search(said)
    return found[0] if found else ""


def refuse_qualified(table: Table, cell: TableCell) -> None:
    """Refuse where a name says that what is under it holds in part only, or not at all."""
    if limit := limit_in(cell.text):
        table.refuse(f"“{cell.text[:40]}”: a name that says “{limit}”", cell.line)


def not_current(said: str) -> str:
    """The first word in a heading or the like that says that what it stands over does not hold today; "" for none."""
    found = _words_of("not_current").search(same(said))
    return found[0] if found else ""


def nearly(name: str, known: Iterable[str]) -> str | None:
    """The known name that this one is most likely a damaged spelling of; None where it is a name of its own.

    Names that differ in their numbers only are names of their own.
    """
    wanted = same(name)[:100]
    for other in known:
        if _unnumbered(other) == _unnumbered(wanted):
            continue
        if SequenceMatcher(None, wanted, other).ratio() >= _ALIKE:
            return other
    return None


def _unnumbered(name: str) -> str:
    return _DIGITS.sub("#", name)
