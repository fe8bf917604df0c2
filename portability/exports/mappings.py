"""Column mappings: which columns a file holds, in which order, under which headings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, partial
from importlib.resources import files
from typing import Any

from portability.engine.shipped_files import load
from portability.exports.columns import Kind, fields, sources
from portability.exports.models import ColumnMapping
from portability.register.columns import Shown

MOST_COLUMNS = 60


@dataclass(frozen=True, slots=True)
class Mapped:
    """One column: what it is called, and the register's column it holds, a fixed text, or nothing.

    `words`: for a source, what its values are called instead; a value that is not among them stays as it is.
    """

    heading: str
    source: str = ""
    text: str = ""
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def gone(self) -> bool:
        """Whether the register has no such column any more."""
        return bool(self.source) and self.source not in sources()

    def to_json(self) -> dict[str, Any]:
        """As stored."""
        words = [list(pair) for pair in self.words.items()]  # databases keep no order of keys
        return {"heading": self.heading, "source": self.source, "text": self.text, "words": words}


@dataclass(frozen=True, slots=True)
class Named:
    """A mapping, shipped or the organisation's own."""

    slug: str
    name: str
    note: str
    columns: tuple[Mapped, ...]
    shipped: bool = True
    version: int = 0
    changed_at: datetime | None = None
    changed_by_name: str = ""

    @property
    def gone(self) -> list[Mapped]:
        """Its columns that the register has no more."""
        return [column for column in self.columns if column.gone]


@dataclass(frozen=True, slots=True)
class Picked:
    """A column of a file, as the formats write it. `cell` gives what CSV has; its kind says what that is."""

    heading: str
    kind: Kind
    cell: Callable[[Shown], object]


def every_column() -> tuple[Picked, ...]:
    """The documented columns under their own names."""
    return tuple(Picked(f.name, f.kind, f.cell) for f in fields().values())


def picked(mapping: Named) -> tuple[Picked, ...]:
    """The columns of a mapping. One whose source is gone must have been refused before: KeyError."""
    return tuple(_picked(column) for column in mapping.columns)


def _picked(column: Mapped) -> Picked:
    if not column.source:
        return Picked(column.heading, Kind.TEXT, partial(_fixed, column.text))
    source = sources()[column.source]
    if column.words:
        return Picked(column.heading, Kind.TEXT, partial(_worded, source.cell, column.words))
    return Picked(column.heading, source.kind, source.cell)


def _fixed(text: str, _shown: Shown) -> str:
    return text


def _worded(cell: Callable[[Shown], object], words: Mapping[str, str], shown: Shown) -> str:
    value = cell(shown)
    said = "" if value is None else str(value)
    return words.get(said, said)


@cache
def shipped() -> dict[str, Named]:
    """The mappings that ship with the product, by slug."""
    data = load(files("portability.exports") / "data" / "mappings.yaml")
    return {m["slug"]: Named(m["slug"], m["name"], m["note"], _columns(m["columns"])) for m in data}


def mappings() -> list[Named]:
    """Every mapping: the organisation's own by name, then the shipped ones."""
    return [named(own) for own in ColumnMapping.objects.all()] + list(shipped().values())


def find(slug: str) -> Named | None:
    """A mapping by its name in addresses."""
    if slug in shipped():
        return shipped()[slug]
    own = ColumnMapping.objects.filter(slug=slug).first()
    return named(own) if own else None


def named(own: ColumnMapping) -> Named:
    """A stored mapping."""
    return Named(
        slug=own.slug,
        name=own.name,
        note=own.note,
        columns=_columns(own.columns),
        shipped=False,
        version=own.version,
        changed_at=own.changed_at,
        changed_by_name=own.changed_by_name,
    )


def _columns(stored: Iterable[Mapping[str, Any]]) -> tuple[Mapped, ...]:
    return tuple(Mapped(c["heading"], c.get("source", ""), c.get("text", ""), dict(c.get("words", {}))) for c in stored)
