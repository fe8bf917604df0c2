"""What may stand in a file, typed: the register's documented columns, and for JSON the names of their keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache

from portability.register.columns import ALL_COLUMNS, Shown, exposure
from portability.register.exposed import COUNTED


class Kind(StrEnum):
    """What a column's values are, where they are known. `LINES` and `WORDS` are several texts."""

    TEXT = "text"
    NUMBER = "number"
    DAY = "day"
    TRUTH = "truth"
    LINES = "lines"
    WORDS = "words"


Typed = str | int | float | bool | date | list[str] | None

_KINDS: dict[str, Kind] = {
    "GPUs": Kind.NUMBER,
    "replicas": Kind.NUMBER,
    "platform judged": Kind.TRUTH,
    "blocks": Kind.NUMBER,
    "changes": Kind.NUMBER,
    "confirms": Kind.NUMBER,
    "notes": Kind.NUMBER,
    "reasons": Kind.LINES,
    "what to change": Kind.LINES,
    "to confirm": Kind.LINES,
    "evidence": Kind.LINES,
    "as of": Kind.LINES,
    "rules": Kind.WORDS,
    "assessed on": Kind.DAY,
    "changed on": Kind.DAY,
    "retired on": Kind.DAY,
    "waived findings": Kind.NUMBER,
    "decided on": Kind.DAY,
}


@dataclass(frozen=True, slots=True)
class Field:
    """A documented column. `cell` gives its value as CSV has it; `typed` makes of that what the column's kind is."""

    name: str
    kind: Kind
    cell: Callable[[Shown], object]

    @property
    def key(self) -> str:
        """Its name in JSON: `vendor_today`, `gpus`."""
        return self.name.lower().replace(" ", "_")


@cache
def fields() -> dict[str, Field]:
    """Every documented column by its name, in their order."""
    return {name: Field(name, _KINDS.get(name, Kind.TEXT), cell) for name, cell in ALL_COLUMNS}


def _risk_id(shown: Shown) -> str:
    return f"{shown.row.workload_id}-{shown.target.name}"


def _where_counted(name: str, of: str) -> Field:
    """A column that is empty where the row counts for no vendor's exposure: nobody reviews it against this target."""
    field = fields()[of]
    return Field(name, field.kind, lambda s: field.cell(s) if exposure(s, s.row.verdict) in COUNTED else "")


@cache
def sources() -> dict[str, Field]:
    """What a column of a mapping may hold: documented ones, a name that never changes, and the last review."""
    return {
        **fields(),
        "risk id": Field("risk id", Kind.TEXT, _risk_id),
        "review decision": _where_counted("review decision", "decision"),
        "reviewed on": _where_counted("reviewed on", "decided on"),
        "reviewed by": _where_counted("reviewed by", "decided by"),
        "reviewed as": _where_counted("reviewed as", "decided as"),
        "review today": _where_counted("review today", "decision today"),
    }


def typed(kind: Kind, value: object) -> Typed:
    """The value of a cell as what it is; None where there is none."""
    if kind is Kind.LINES:
        return [line for line in str(value or "").split("\n") if line]
    if kind is Kind.WORDS:
        return str(value or "").split()
    if value is None or value == "":
        return None
    if kind is Kind.NUMBER:
        return value if isinstance(value, int | float) else float(str(value))
    if kind is Kind.DAY:
        return value if isinstance(value, date) else date.fromisoformat(str(value))
    if kind is Kind.TRUTH:
        return value == "yes"
    return str(value)
