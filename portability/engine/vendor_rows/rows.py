"""Rows of vendor knowledge that no page publishes as a table, and the lookup over them.

A row is a pattern with a vendor, a counterpart, an effect, a reference and the day it was entered. In a pattern `*`
stands for any run of characters and `#` for digits; case does not matter. A table says whether a pattern covers a
text whole, or a run of words in it. The first row that matches wins: an organisation's own rows come before the
shipped ones, and in a file the more particular row stands above the broader one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache, cached_property
from importlib import resources
from itertools import chain
from typing import Any

from portability.engine.memo import Memo
from portability.engine.model import Effect, Evidence, Vendor
from portability.engine.shipped_files import load

SOURCE = "vendor-rows"
OWN_SOURCE = "organisation-rows"  # of an organisation's own
ROW_SOURCES = (SOURCE, OWN_SOURCE)
_MEMO_LIMIT = 50_000
_BEGINNING = 3  # letters of a literal by which most rows are turned away
_WILD = re.compile(r"[*#]")


class Table(StrEnum):
    """What a row is about. The value names the data file."""

    IMAGES = "images"  # text: repository:tag, the registry host and the digest taken off
    PLAIN_IMAGES = "plain_images"  # text: repository; images known to hold no vendor's runtime
    REGISTRIES = "registries"  # hosts of registries
    ENGINES = "engines"  # canonical engine names
    RESOURCES = "resources"  # extended resource names that hand out accelerators
    DEVICE_CLASSES = "device_classes"  # DRA classes and drivers, alone or inside a CEL expression
    PROFILES = "profiles"  # accelerator types and resource profiles of serving operators and charts
    LABELS = "labels"  # KEY of a node label, or KEY=value where the value decides
    PRODUCTS = "products"  # product names in values of node labels and hints
    INSTANCES = "instances"  # instance types and machine shapes of clouds
    TAINTS = "taints"  # keys of taints
    RUNTIME_CLASSES = "runtime_classes"
    ENVIRONMENT = "environment"  # NAME, or NAME=value where the value decides
    ENVIRONMENT_VALUES = "environment_values"  # words in the value of any variable
    PATHS = "paths"  # paths on the host or in a container
    TOOLS = "tools"  # words in one line of a command or script
    KINDS = "kinds"  # group/Kind
    METRICS = "metrics"  # words in one line of an expression or selector
    PACKAGES = "packages"  # names of Python packages with extras, their local versions, index addresses
    MODULES = "modules"  # full dotted names of Python modules; a row covers what lies below
    CODE = "code"  # words in one line of application code
    FLOATING_TAGS = "floating_tags"  # image tags that move


_WHOLE = frozenset(
    {
        Table.PLAIN_IMAGES,
        Table.REGISTRIES,
        Table.ENGINES,
        Table.RESOURCES,
        Table.PATHS,
        Table.TAINTS,
        Table.RUNTIME_CLASSES,
        Table.KINDS,
        Table.PACKAGES,
        Table.MODULES,
        Table.FLOATING_TAGS,
    }
)

# Texts are KEY or KEY=value; a pattern without `=` covers the key whatever its value.
_KEYED = frozenset({Table.LABELS, Table.ENVIRONMENT})


@dataclass(frozen=True, slots=True)
class Row:
    """One piece of vendor knowledge. `when`: patterns of which one must be found in the text as well.

    `counterpart` is what serves on the other vendor's machines; empty where none is known. `source` is OWN_SOURCE for
    an organisation's own row, and `by` who entered that one.
    """

    table: Table
    pattern: str
    vendor: Vendor
    effect: Effect = Effect.CHANGE
    counterpart: str = ""
    note: str = ""
    link: str = ""
    entered: date | None = None
    when: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    source: str = SOURCE
    by: str = ""

    def foreign_to(self, vendor: Vendor) -> bool:
        """Whether what the row describes belongs to somebody else than `vendor`."""
        return self.vendor in (Vendor.NVIDIA, Vendor.AMD, Vendor.OTHER) and self.vendor is not vendor

    def evidence(self) -> Evidence:
        """The row as what a finding rests on."""
        value = f"{self.vendor}; counterpart: {self.counterpart}" if self.counterpart else str(self.vendor)
        return Evidence(self.source, "", self.entered, f"{self.table}/{self.pattern}", value, self.link, self.by)


class _Lookup:
    """The rows of one table. Most are turned away by their longest literal part; only the others are compiled.

    Rows whose literals begin alike are turned away together.
    """

    def __init__(self, table: Table, rows: tuple[Row, ...]) -> None:
        self._table = table
        self._rows = [(max(_WILD.split(row.pattern.lower()), key=len), row) for row in rows]
        self._numbers: dict[str, list[int]] = {}
        for number, (literal, _) in enumerate(self._rows):
            self._numbers.setdefault(literal[:_BEGINNING], []).append(number)
        self._memo: Memo[str, Row | None] = Memo(lambda text: self._search(text.lower()), _MEMO_LIMIT)

    def find(self, text: str) -> Row | None:
        return self._memo[text]

    def _search(self, text: str) -> Row | None:
        near = [numbers for start, numbers in self._numbers.items() if start in text]
        for literal, row in [self._rows[number] for number in sorted(chain.from_iterable(near))]:
            if literal not in text or not _matches(row.pattern, self._table, text):
                continue
            if not row.when or any(_matches(word, None, text) for word in row.when):
                return row
        return None


class VendorRows:
    """All rows, immutable once built; safe to share between threads."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = tuple(rows)
        self._lookups: dict[Table, _Lookup] = {}

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def find(self, table: Table, text: str) -> Row | None:
        """The first row of a table that matches a text, or None."""
        if not text:
            return None
        lookup = self._lookups.get(table)
        if lookup is None:
            lookup = self._lookups[table] = _Lookup(table, self.of(table))
        return lookup.find(text)

    def of(self, table: Table) -> tuple[Row, ...]:
        """The rows of one table in the order in which they are tried."""
        return tuple(row for row in self._rows if row.table is table)

    def with_extra(self, rows: Iterable[Row]) -> VendorRows:
        """These rows with an organisation's own before them."""
        return VendorRows((*rows, *self._rows))

    @cached_property
    def digest(self) -> str:
        """A digest of what the rows say: another digest means that assessments may come out otherwise."""
        return hashlib.sha256("\n".join(map(repr, self._rows)).encode()).hexdigest()


def particular_first(rows: Iterable[Row]) -> list[Row]:
    """An organisation's rows in the order they are tried: those that spell out more characters first, then by pattern.

    A file of shipped rows is ordered by whoever writes it; rows that people enter one by one have no such order.
    """
    return sorted(rows, key=lambda row: (row.table, -len(_WILD.sub("", row.pattern)), row.pattern.lower()))


@cache
def shipped() -> VendorRows:
    """The rows that come with the product."""
    folder = resources.files(__package__) / "data"
    rows: list[Row] = []
    for table in Table:
        rows.extend(parse(table, load(folder / f"{table}.yaml")))
    return VendorRows(rows)


def parse(table: Table, data: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    """Rows of a data file: groups that state what their rows share, and rows that state the rest."""
    for group in data:
        shared = {key: value for key, value in group.items() if key != "rows"}
        for given in group["rows"]:
            fields = {**shared, **(given if isinstance(given, Mapping) else {"match": given})}
            yield from _row(table, fields)


def _row(table: Table, fields: Mapping[str, Any]) -> Iterator[Row]:
    unknown = fields.keys() - {"match", "vendor", "effect", "counterpart", "note", "link", "entered", "when", "traits"}
    if unknown:
        raise ValueError(f"{table}: a row has no {', '.join(sorted(unknown))}")
    for pattern in _texts(fields["match"]):
        yield Row(
            table=table,
            pattern=pattern,
            vendor=Vendor(fields["vendor"]),
            effect=Effect(fields.get("effect", Effect.CHANGE)),
            counterpart=fields.get("counterpart", ""),
            note=fields.get("note", ""),
            link=fields.get("link", ""),
            entered=fields.get("entered"),
            when=_texts(fields.get("when", ())),
            traits=_texts(fields.get("traits", ())),
        )


def _texts(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


@cache
def _compiled(pattern: str, table: Table | None) -> re.Pattern[str]:
    """The pattern for one table, or (None) for words anywhere. Texts are in lower case."""
    pattern = pattern.lower()
    if table in _KEYED:
        name, equals, value = pattern.partition("=")
        value = _expression(value, ".*") if equals else ".*"
        return re.compile(rf"{_expression(name, '[^=]*')}(?:={value}){'' if equals else '?'}\Z")
    if table in _WHOLE:
        return re.compile(rf"{_expression(pattern, '.*')}\Z")
    left = "" if pattern.startswith("*") else r"(?<![a-z0-9])"
    right = "" if pattern.endswith("*") else r"(?![a-z0-9])"
    return re.compile(left + _expression(pattern, ".*") + right)


def _matches(pattern: str, table: Table | None, text: str) -> bool:
    compiled = _compiled(pattern, table)
    return bool(compiled.match(text) if table in _KEYED or table in _WHOLE else compiled.search(text))


def _expression(text: str, run: str) -> str:
    return re.escape(text).replace(r"\*", run).replace(r"\#", r"\d+")
