"""Which files there are, and the making of one from what the register page shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from django.urls import reverse

from portability.accounts.models import Person
from portability.exports import source
from portability.exports.columns import fields
from portability.exports.formats import csv, json, xlsx
from portability.exports.mappings import Named, Picked, every_column, find, picked
from portability.refused import Refused
from portability.register.filters import Chosen
from portability.register.models import Row

EVERY_COLUMN = "every column"


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file. `at_once`: up to how many rows it is made while one waits; None: streamed whatever its size."""

    key: str
    name: str
    content_type: str
    at_once: int | None
    most_rows: int | None = None
    mapped: bool = True  # whether its columns can be chosen

    def is_at_once(self, rows: int) -> bool:
        """Whether so many rows are made while one waits."""
        return self.at_once is None or rows <= self.at_once


FORMATS = {
    f.key: f
    for f in (
        Format("csv", "CSV", "text/csv; charset=utf-8", None),
        Format(
            "xlsx",
            "Excel (XLSX)",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            2_000,
            most_rows=xlsx.MOST_ROWS,
        ),
        Format("json", "JSON", "application/json", 20_000, mapped=False),
    )
}


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for: which rows, in which format, under which mapping (None: every documented column)."""

    chosen: Chosen
    format: Format
    mapping: Named | None

    @property
    def columns(self) -> str:
        """Which columns, in words."""
        return self.mapping.name if self.mapping else EVERY_COLUMN

    def file_name(self, day: date) -> str:
        """What the file is called."""
        target = re.sub(r"[^A-Za-z0-9._-]", "-", self.chosen.target.name)
        which = f"-{self.mapping.slug}" if self.mapping else "-all-columns"
        return f"register-{target}-{day.isoformat()}{which if self.format.mapped else ''}.{self.format.key}"


def order(chosen: Chosen, kind: str, mapping: str) -> Order:
    """Check what is asked for. Raises Refused."""
    if kind not in FORMATS:
        raise Refused(f"“{kind[:20]}” is no format: {', '.join(FORMATS)}.")
    found = FORMATS[kind]
    if not mapping or not found.mapped:
        return Order(chosen, found, None)
    named = find(mapping)
    if named is None:
        raise Refused(f"There is no column mapping “{mapping[:60]}” any more. Choose another.")
    if named.gone:
        gone = ", ".join(f"“{column.source}” (under {column.heading})" for column in named.gone)
        raise Refused(f"The register no longer has {gone}. Edit the mapping {named.name}.")
    return Order(chosen, found, named)


def require_room(wanted: Order, rows: int) -> None:
    """Refuse what the format cannot hold."""
    most = wanted.format.most_rows
    if most is not None and rows > most:
        raise Refused(
            f"A sheet holds {most:,} rows, and these are {rows:,}. Filter them, or take CSV or JSON.", "format"
        )


def pieces(wanted: Order, rows: Iterable[Row], person: Person, origin: str) -> Iterator[bytes]:
    """The file, a piece at a time."""
    columns: tuple[Picked, ...] = picked(wanted.mapping) if wanted.mapping else every_column()
    cells = source.cells(rows, [column.cell for column in columns], wanted.chosen.target, origin)
    if wanted.format.key == "csv":
        return csv.write(columns, cells)
    about = source.about(wanted.chosen, person, wanted.columns, origin, reverse("register:register"))
    if wanted.format.key == "json":
        return json.write(tuple(fields().values()), cells, about, origin)
    return xlsx.write(columns, cells, about)


def preview(wanted: Order, origin: str, rows: int = 5) -> tuple[list[str], list[list[str]]]:
    """Headings and the first rows, as CSV would have them."""
    columns = picked(wanted.mapping) if wanted.mapping else every_column()
    found = list(wanted.chosen.part(0, rows))
    cells = source.cells(found, [column.cell for column in columns], wanted.chosen.target, origin)
    return csv.safe([c.heading for c in columns]), [csv.safe(row) for row in cells]
