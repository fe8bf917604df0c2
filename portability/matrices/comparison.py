"""What two readings say differently, cell by cell: a pure function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portability.engine.matrices.knowledge import Cell
from portability.matrices.names import key_in_words

Cells = Mapping[str, Cell]
_COMPARED = ("value", "note", "link")


@dataclass(frozen=True, slots=True)
class Change:
    """One key that is answered otherwise; None where a reading does not hold it."""

    key: str
    before: Cell | None
    after: Cell | None

    @property
    def words(self) -> str:
        """What the key asks, in words."""
        return key_in_words(self.key)

    @property
    def was(self) -> str:
        """What the one reading says."""
        return said(self.before)

    @property
    def now(self) -> str:
        """What the other one says."""
        return said(self.after)

    @property
    def what(self) -> str:
        """Which of value, note and link differ, in words."""
        if self.before is None or self.after is None:
            return "value"
        return ", ".join(n for n in _COMPARED if getattr(self.before, n) != getattr(self.after, n))


@dataclass(frozen=True, slots=True)
class Difference:
    """Cells that a later reading has besides, has no more, and has with something else said; in its order."""

    added: tuple[Change, ...] = ()
    removed: tuple[Change, ...] = ()
    changed: tuple[Change, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    @property
    def valued(self) -> tuple[Change, ...]:
        """The changed cells whose value is another."""
        return tuple(change for change in self.changed if "value" in change.what)

    @property
    def worded(self) -> tuple[Change, ...]:
        """The changed cells of the same value, with another note or link."""
        return tuple(change for change in self.changed if "value" not in change.what)

    @property
    def all(self) -> tuple[Change, ...]:
        """All of them."""
        return (*self.changed, *self.added, *self.removed)


def compare(before: Cells, after: Cells) -> Difference:
    """The difference of two sets of cells. Another order, or another day, is none."""
    return Difference(
        added=tuple(Change(key, None, cell) for key, cell in after.items() if key not in before),
        removed=tuple(Change(key, cell, None) for key, cell in before.items() if key not in after),
        changed=tuple(
            Change(key, before[key], cell)
            for key, cell in after.items()
            if key in before and any(getattr(before[key], n) != getattr(cell, n) for n in _COMPARED)
        ),
    )


def said(cell: Cell | None) -> str:
    """A cell's value with its note, in one line."""
    if cell is None:
        return "not listed"
    return f"{cell.value} ({cell.note})" if cell.note else cell.value


def in_one_order(kept: Sequence[str], others: Sequence[str]) -> list[str]:
    """The names of both: the first in their order, what only the others have after what it stands after there."""
    names = list(kept)
    there = set(names)
    before: str | None = None
    for name in others:
        if name not in there:
            there.add(name)
            names.insert(names.index(before) + 1 if before is not None else 0, name)
        before = name
    return names
