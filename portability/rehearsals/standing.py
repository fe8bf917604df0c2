"""How a workload stands by its rehearsals on a target: worked out for a day, from the two columns a row carries."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple, Protocol


class Kind(StrEnum):
    """What the rehearsals come to."""

    PROVEN = "proven"  # it was left running there
    RAN = "ran"
    LAPSED = "lapsed"  # it ran, longer ago than the organisation lets a claim grow
    FAILED = "failed"  # the newest one did not run


KINDS = {
    Kind.PROVEN: "proven",
    Kind.RAN: "ran",
    Kind.LAPSED: "lapsed",
    Kind.FAILED: "did not run",
}


class Marked(Protocol):
    """A row of the register, by the columns that rehearsals write."""

    rehearsed: str
    rehearsed_on: date | None


class Recorded(Protocol):
    """A rehearsal, by what its standing depends on."""

    day: date
    outcome: str
    permanent: bool


class Standing(NamedTuple):
    """`day`: of the rehearsal it rests on."""

    kind: Kind
    day: date

    @property
    def text(self) -> str:
        """`ran there on 3 October 2026`."""
        day = f"{self.day.day} {self.day:%B %Y}"
        if self.kind is Kind.PROVEN:
            return f"proven: kept there since {day}"
        if self.kind is Kind.LAPSED:
            return f"lapsed: ran there on {day}"
        return f"did not run there on {day}" if self.kind is Kind.FAILED else f"ran there on {day}"

    @property
    def cell(self) -> str:
        """`ran 2026-10-03`."""
        return f"{self.kind.value} {self.day.isoformat()}"


def standing(row: Marked, today: date, days: int) -> Standing | None:
    """How a row stands on a day, where a claim is lapsed after so many days; None where nothing was rehearsed."""
    if row.rehearsed_on is None:
        return None
    if row.rehearsed == "ran":
        return Standing(Kind.RAN if row.rehearsed_on >= oldest(today, days) else Kind.LAPSED, row.rehearsed_on)
    return Standing(Kind.PROVEN if row.rehearsed == "kept" else Kind.FAILED, row.rehearsed_on)


def oldest(today: date, days: int) -> date:
    """The first day whose rehearsals are not lapsed yet."""
    return today - timedelta(days=days)


def mark(newest_first: Iterable[Recorded]) -> tuple[str, date | None]:
    """What a row carries of the rehearsals that were not withdrawn.

    The newest decides, but what was left running there stays proven until it fails.
    """
    found: tuple[str, date | None] = ("", None)
    for each in newest_first:
        if each.outcome == "failed":
            return found if found[0] else ("failed", each.day)
        if each.permanent:
            return "kept", each.day
        found = found if found[0] else ("ran", each.day)
    return found
