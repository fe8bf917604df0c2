"""Cells that no spreadsheet takes for a formula."""

from __future__ import annotations

import re
from collections.abc import Iterable

# What may stand before a formula and is passed over by some program: blanks, invisible characters, quotes.
_LEAD = "\\s\"'\u00a0\u200b-\u200f\u2028-\u202e\u2060\ufeff\u2018\u2019\u201c\u201d"
_FORMULA = re.compile(f"[{_LEAD}]*[=+\\-@\uff1d\uff0b\uff0d\uff20\u2212]|[\t\r\n]")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_REMEMBERED = 5_000  # cells
_QUOTED = re.compile('[",\r\n]').search
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def csv_cells(values: Iterable[object]) -> list[str]:
    """The values as text for a CSV writer: numbers stay, and what starts like a formula gets an apostrophe."""
    # Most texts are empty, or begin with a letter or a digit and hold nothing odd: that is told at once.
    odd = _CONTROL.search
    return [
        value
        if value.__class__ is str
        and (not value or (value[0].isalnum() and (value.isprintable() or odd(value) is None)))
        else csv_cell(value)
        for value in values
    ]


def csv_cell(value: object) -> str:
    """One value. Control characters become blanks: some readers stop at them."""
    if isinstance(value, str) and value[:1].isalnum() and value.isprintable():
        return value
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    text = _CONTROL.sub(" ", str(value))
    if _NUMBER.fullmatch(text):
        return text
    return f"'{text}" if _FORMULA.match(text) else text


def written_cell(value: object) -> str:
    """`csv_cell` as a line of CSV holds it: quoted where RFC 4180 asks for it."""
    text = csv_cell(value)
    return '"' + text.replace('"', '""') + '"' if _QUOTED(text) else text


class WrittenCells(dict[object, str]):
    """`written_cell` of each value that is looked up, remembered: for columns whose values are few. None a bool."""

    def __missing__(self, value: object) -> str:
        """Reckon it; those remembered are dropped once they are many."""
        if len(self) >= _REMEMBERED:
            self.clear()
        text = self[value] = written_cell(value)
        return text


def looks_like_formula(text: str) -> bool:
    """Whether some spreadsheet program would take the text for a formula, if it were typed."""
    return _FORMULA.match(text) is not None
