"""Grids: what a release's page shows, and hears, of a set of cells.

A grid says for every row and column what the published page says, and where it says nothing, so that an empty
place is never mistaken for a yes. Whoever hears the page instead of seeing it gets the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from portability.engine.matrices.knowledge import Cell
from portability.matrices.names import anchor

Cells = Mapping[str, Cell]
Places = Mapping[tuple[str, ...], Cell]  # cells by the parts of their key, its first word left out


@dataclass(frozen=True, slots=True)
class Box:
    """One place of a grid: what is seen, its class (yes, no, unknown, partial, text) and the same in words.

    `key`: of the cell that stands there, or would.
    """

    shown: str
    css: str
    words: str = ""
    link: str = ""
    key: str = field(default="", compare=False)

    @property
    def anchor(self) -> str:
        """Its name in the address of the page; "" where it stands for no cell."""
        return anchor(self.key) if self.key else ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a grid."""

    head: str
    boxes: list[Box]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. `groups` are spans of columns under one name (none: ""); `about` says in a sentence how to read it."""

    title: str
    corner: str
    columns: list[str]
    rows: list[Row]
    about: str = ""
    groups: list[tuple[str, int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def signed(self) -> bool:
        """Whether its boxes carry signs, so that the legend belongs to it."""
        return any(box.css.partition(" ")[0] in ("y", "x", "u", "p") for row in self.rows for box in row.boxes)


YES, NO, PARTIAL, UNKNOWN = "✓", "✕", "◐", "?"
MARKS = {
    "supported": (YES, "y"),
    "unsupported": (NO, "x"),
    "partial": (PARTIAL, "p"),
    "unknown": (UNKNOWN, "u"),
}
NOTHING = Box("", "")


def places(cells: Cells, word: str) -> Places:
    """The cells whose key starts with a word, by what follows it."""
    return {tuple(key.split("/")[1:]): cell for key, cell in cells.items() if key.startswith(word + "/")}


def once(names: Iterable[str]) -> list[str]:
    """Each name once, in the order they come."""
    return list(dict.fromkeys(names))


def status(cell: Cell | None) -> Box:
    """A status as a sign, anything else as its text."""
    if cell is None:
        return NOTHING
    sign, css = MARKS.get(cell.value, ("", ""))
    if not sign:
        return Box(cell.value, "text", cell.note, cell.link, cell.key)
    return Box(sign, css, f"{cell.value}{': ' + cell.note if cell.note else ''}", cell.link, cell.key)


def square(found: Places, title: str, corner: str, missing: Callable[[str, str], Box], about: str = "") -> Grid:
    """Rows x columns, as the two parts of a key name them."""
    columns = once(key[1] for key in found)
    rows = [
        Row(name, [status(found[name, c]) if (name, c) in found else missing(name, c) for c in columns])
        for name in once(key[0] for key in found)
    ]
    return Grid(title, corner, columns, rows, about, notes=notes(found))


def notes(found: Places, name: Callable[[str], str] = str) -> list[str]:
    """Each note of a row once, after the columns it belongs to."""
    columns: dict[tuple[str, str], list[str]] = {}
    for key, cell in found.items():
        if cell.note:
            columns.setdefault((key[0], cell.note), []).append(key[1])
    return [f"{name(row)}, {', '.join(at)}: {note}" for (row, note), at in columns.items()]


def plain(title: str, cells: Sequence[Cell]) -> Grid:
    """Cell by cell."""
    rows = [Row(cell.key, [status(cell), Box(cell.note, "text")]) for cell in cells]
    return Grid(title, "Key", ["Value", "Note"], rows)
