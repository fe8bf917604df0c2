"""Reading the catalogue of rules for its pages, and in the register how many workloads each rule hits.

Apart from `queries.py`, by which the register judges: these reads ask the register in their turn.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from django.db.models import Count, QuerySet
from django.db.models.functions import Lower

from portability.accounts.models import Person
from portability.engine.model import Effect, Vendor
from portability.engine.output import rules_text
from portability.engine.rules.base import Rule
from portability.engine.rules.catalogue import family, listed
from portability.engine.vendor_rows.rows import Row as VendorRow
from portability.engine.vendor_rows.rows import Table, shipped
from portability.register.models import Row, Run
from portability.register.queries import rows_for, running
from portability.rules.custom.standing import kept
from portability.rules.custom.words import EFFECTS, STATES
from portability.rules.models import CustomRule
from portability.rules.models import VendorRow as StoredRow
from portability.rules.queries import judging_rows
from portability.targets.models import Target
from portability.targets.queries import active_targets

SHOWN_AT_ONCE = 50
VENDORS = (Vendor.NVIDIA, Vendor.AMD, Vendor.OTHER, Vendor.NONE)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The target whose workloads are counted; None where there is none. `problem`: what of the address was no use."""

    target: Target | None
    targets: list[Target]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One rule of the catalogue in words. `hits` is None where the register keeps nothing to count."""

    rule: Rule
    effects: str
    reads: str
    hits: int | None


@dataclass(frozen=True, slots=True)
class CustomLine:
    """One rule of the organisation's own in words."""

    rule: CustomRule
    state: str
    effect: str
    hits: int


@dataclass(frozen=True, slots=True)
class Family:
    """The rules that look at the same kind of thing."""

    heading: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class VendorTable:
    """One table of vendor knowledge: its rows by the vendor they are about (as in VENDORS), and where it is from."""

    table: Table
    name: str
    counts: tuple[int, ...]
    links: tuple[str, ...]

    @property
    def rows(self) -> int:
        """All rows."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Hits:
    """The workloads that a rule or a row hits: how many, and the first of their rows.

    `under_way`: the run that may still change that; None where nothing is being judged.
    """

    count: int
    rows: list[Row]
    under_way: Run | None


def choose(name: str) -> Chosen:
    """The active target of this name, else the one the register opens with."""
    targets = active_targets()
    if not targets:
        return Chosen(None, targets)
    found = next((target for target in targets if target.name == name), None)
    problem = f"There is no active target “{name[:60]}”: counted for {targets[0]}." if name and not found else ""
    return Chosen(found or targets[0], targets, problem)


def families(counted: Counter[str] | None) -> list[Family]:
    """The whole catalogue, with how many workloads each rule hits."""
    found: dict[str, list[Line]] = {}
    for rule in listed():
        hits = None if counted is None or rule.scope == "shown" else counted[rule.id]
        line = Line(rule, rules_text.effects(rule), "; ".join(rule.reads), hits)
        found.setdefault(_heading(family(rule)), []).append(line)
    return [Family(heading, tuple(lines)) for heading, lines in found.items()]


def _heading(text: str) -> str:
    """`Rules on container images.` as a heading: `Container images`."""
    words = re.sub(r"^Rules (on|about) ", "", text.strip()).rstrip(".")
    return words[:1].upper() + words[1:]


def custom_lines(counted: Counter[str] | None) -> list[CustomLine]:
    """The organisation's rules, with how many workloads each hits."""
    return [
        CustomLine(rule, STATES[rule.state], EFFECTS[Effect(rule.effect)], counted[rule.label] if counted else 0)
        for rule in kept()
    ]


def counted(person: Person, target: Target | None) -> Counter[str] | None:
    """Workloads by rule, in one query: rows name their rules, and many rows name the same ones. None: no target."""
    if target is None:
        return None
    found: Counter[str] = Counter()
    for ids, rows in _judged(person, target).order_by().values_list("rules").annotate(n=Count("pk")):
        for id_ in filter(None, ids.split("|")):
            found[id_] += rows
    return found


def _judged(person: Person, target: Target) -> QuerySet[Row]:
    return rows_for(person, target).filter(workload__retired_at=None)


def hits(person: Person, target: Target, rule: str) -> Hits:
    """The workloads with a finding of the rule of this id, in the order of the register."""
    return _first(_judged(person, target).filter(rules__contains=f"|{rule}|"))


def resting_on(person: Person, target: Target, row: StoredRow) -> Hits:
    """The workloads with a finding that counts and rests on one of the organisation's own rows.

    By the lines of evidence that the register keeps: of shipped rows they name nobody who entered them. What is
    nobody's leaves no finding, and of notes the register keeps no evidence.
    """
    line = f" by {row.entered_by_name}: {row.table}/{row.pattern} = "
    return _first(_judged(person, target).filter(evidence__contains=line))


def _first(found: QuerySet[Row]) -> Hits:
    rows = found.order_by("verdict_order", Lower("workload__name"), "pk")
    return Hits(found.count(), list(rows[:SHOWN_AT_ONCE]), running())


def table_name(table: Table) -> str:
    """A table's name in words."""
    return table.value.replace("_", " ").capitalize()


def find_rows(table: Table, text: str) -> list[VendorRow]:
    """The rows of a table in the order they are tried; only those that hold a text, in whatever they say."""
    wanted = text.lower()
    return [row for row in judging_rows().of(table) if any(wanted in said.lower() for said in _said(row))]


def _said(row: VendorRow) -> tuple[str, ...]:
    return row.pattern, row.vendor.value, row.counterpart, row.note, *row.when


@cache
def vendor_tables() -> tuple[VendorTable, ...]:
    """The shipped tables of vendor knowledge."""
    rows = {table: shipped().of(table) for table in Table}
    return tuple(
        VendorTable(
            table=table,
            name=table_name(table),
            counts=tuple(sum(row.vendor is vendor for row in rows[table]) for vendor in VENDORS),
            links=tuple(dict.fromkeys(row.link for row in rows[table] if row.link)),
        )
        for table in Table
    )
