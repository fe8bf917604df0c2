"""Reading rehearsals. Everyone signed in may read all of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet

from portability.accounts.models import Person
from portability.engine.model import Verdict
from portability.register.models import Row
from portability.rehearsals.actions import may_record
from portability.rehearsals.models import Rehearsal
from portability.rehearsals.standing import Kind, Standing, oldest, standing
from portability.targets.models import Target
from portability.workloads.models import Workload

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Line:
    """A rehearsal as lists show it."""

    rehearsal: Rehearsal
    lapsed: bool


@dataclass(frozen=True, slots=True)
class OnWorkload:
    """What a workload's page shows of its rehearsals on one target."""

    lines: list[Line]
    standing: Standing | None
    against: str  # where a rehearsal and what is documented say different things, in words
    may_record: bool


def rehearsals() -> QuerySet[Rehearsal]:
    """All rehearsals, the newest first."""
    return Rehearsal.objects.select_related("workload", "workload__team", "target", "withdrawn_by")


def on_workload(person: Person, workload: Workload, row: Row | None, today: date, days: int) -> OnWorkload | None:
    """The rehearsals of a workload on the target of a row; None where it was not judged for one."""
    if row is None:
        return None
    found = rehearsals().filter(workload=workload, target=row.target_id)[:SHOWN]
    lines = [line(rehearsal, today, days) for rehearsal in found]
    stands = standing(row, today, days)
    may = workload.retired_at is None and may_record(person, workload.team)
    return OnWorkload(lines, stands, _against(row, stands), may)


def on_target(target: Target, today: date, days: int) -> list[Line]:
    """The newest rehearsals on a target, at most `SHOWN`, and one more where there are others."""
    found = rehearsals().filter(target=target, withdrawn_at=None, workload__retired_at=None)
    return [line(rehearsal, today, days) for rehearsal in found[: SHOWN + 1]]


def line(rehearsal: Rehearsal, today: date, days: int) -> Line:
    """A rehearsal, and whether its claim is lapsed on a day."""
    claims = rehearsal.outcome == Rehearsal.Outcome.RAN and not rehearsal.permanent and rehearsal.withdrawn_at is None
    return Line(rehearsal, claims and rehearsal.day < oldest(today, days))


def _against(row: Row, stands: Standing | None) -> str:
    """Observed beats documented, and neither deletes the other: both are said."""
    if stands is None:
        return ""
    if stands.kind is Kind.FAILED:
        if row.verdict != Verdict.MOVABLE:
            return ""
        return "Nothing that is published or known stands against it, and yet it did not run. Both stand."
    if row.verdict == Verdict.PINNED:
        return "What is published says no, and yet it ran. Both stand: the verdict is the published one’s."
    if row.verdict == Verdict.NOT_ASSESSED:
        return "What was registered does not suffice for a verdict, and yet it ran. Both stand."
    if row.verdict == Verdict.NEEDS_CHANGE and row.confirms:
        return (
            "What is published leaves open whether it can run, and it ran. Both stand: what is open stays to be"
            " confirmed."
        )
    return ""
