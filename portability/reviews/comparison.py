"""Two quarters beside each other, or a quarter and now: what moved, what is new or retired, which plans held.

A closed review is compared as it stood when it was closed, an open one as it stands on the day. Names, teams and GPUs
are those of today: what they were then is in the record. Why something moved is in `because`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.utils import timezone

from portability.engine.model import Verdict
from portability.reviews.because import Because, because
from portability.reviews.models import Decision, Entry, Review
from portability.reviews.sides import Side, ran_on, side_of
from portability.reviews.words import vendor as in_words
from portability.workloads.models import Workload


@dataclass(frozen=True, slots=True)
class Line:
    """One workload that is listed, and how it stood on the two sides; None where it was not there."""

    workload: Workload  # with its team
    first: Side | None
    second: Side | None

    @property
    def before(self) -> str:
        """The engine's verdict on the first side, or ""."""
        return self.first.verdict if self.first else ""

    @property
    def after(self) -> str:
        """And on the second."""
        return self.second.verdict if self.second else ""

    @property
    def kind(self) -> str:
        """`moved`, to another verdict; `target`, the same verdict for another target; `same`, `new` or `retired`."""
        if self.first is None or self.second is None:
            return "new" if self.first is None else "retired"
        if self.before != self.after:
            return "moved"
        return "same" if self.first.target == self.second.target else "target"


class Outcome(StrEnum):
    """What has become of a plan."""

    KEPT = "kept"
    MISSED = "missed"
    OPEN = "open"  # its last day is not over


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan of the first side, and what has become of it on the second. `why`: in words."""

    decision: Decision  # with its entry, workload and team
    outcome: Outcome
    verdict: str  # the engine's, on the second side; "" where it retired
    why: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The whole comparison. `after` is None for the register as it stands."""

    before: Review
    after: Review | None
    counts: dict[tuple[str, str], int]  # (verdict before, verdict after) of workloads that are on both sides
    totals: tuple[dict[str, int], dict[str, int]]  # by verdict, of each side
    lines: list[Line]  # by team and name
    plans: list[Plan]

    def of_kind(self, *kinds: str) -> list[Line]:
        """The lines of some kinds; those that are the same only where they were asked for."""
        return [line for line in self.lines if line.kind in kinds]

    def plans_that(self, outcome: str) -> list[Plan]:
        """The plans with an outcome."""
        return [plan for plan in self.plans if plan.outcome == outcome]

    def why(self, lines: Sequence[Line]) -> list[tuple[Line, Because]]:
        """Lines, each with why it does not stand the same on both sides."""
        pairs = [(line.first, line.second) for line in lines if line.first and line.second]
        found = because(pairs, self.before, self.after)
        return [(line, found.get(line.workload.pk, Because())) for line in lines]


def compare(before: Review, after: Review | None, today: date, same: str = "") -> Comparison:
    """Compare a review with a later one, or with the register as it stands.

    `same`: a verdict; what kept it is among the lines, too.
    """
    first, second = side_of(before, today), side_of(after, today)
    there, here = _active(first), _active(second)
    both = there.keys() & here.keys()
    listed = there.keys() ^ here.keys()
    for pk in both:
        a, b = there[pk], here[pk]
        if a.verdict != b.verdict or a.target != b.target or a.verdict == same:
            listed.add(pk)
    workloads = Workload.objects.select_related("team").in_bulk(listed)
    ordered = sorted(workloads.values(), key=lambda workload: (workload.team.name, workload.name, workload.pk))
    return Comparison(
        before=before,
        after=after,
        counts=dict(Counter((there[pk].verdict, here[pk].verdict) for pk in both)),
        totals=(_totals(there.values()), _totals(here.values())),
        lines=[Line(workload, there.get(workload.pk), here.get(workload.pk)) for workload in ordered],
        plans=_plans(before, after, second, _day(after, today)),
    )


def _active(sides: dict[int, Side]) -> dict[int, Side]:
    return {pk: side for pk, side in sides.items() if not side.retired}


def _totals(sides: Iterable[Side]) -> dict[str, int]:
    counted = Counter(side.verdict for side in sides)
    return {verdict.value: counted[verdict.value] for verdict in Verdict}


def _day(after: Review | None, today: date) -> date:
    """The day on which the second side stood so."""
    return timezone.localtime(after.closed_at).date() if after and after.closed_at else today


def _plans(before: Review, after: Review | None, second: dict[int, Side], day: date) -> list[Plan]:
    """The plans that were made in a review, and whether they held on that day."""
    standing = Entry.objects.filter(review=before).values("decision")
    made = Decision.objects.filter(pk__in=standing, kind=Decision.Kind.PLAN)
    made = made.select_related("entry__workload__team", "target")
    vendors = ran_on(after, {decision.entry.workload_id for decision in made})
    found = []
    for decision in made:
        workload = decision.entry.workload
        vendor = vendors.get(workload.pk, workload.vendor_today)
        found.append(_plan(decision, second.get(workload.pk), vendor, day))
    return sorted(found, key=lambda p: (_last_day(p.decision), p.decision.entry.workload.name, p.decision.pk))


def _plan(decision: Decision, side: Side | None, vendor: str, day: date) -> Plan:
    """`vendor`: that the workload ran on, on that day."""
    target = decision.target
    verdict = side.verdict if side and not side.retired else ""
    if target and vendor == target.vendor:
        return Plan(decision, Outcome.KEPT, verdict, f"it runs on {in_words(target.vendor)}")
    if side is None or side.retired:
        return Plan(decision, Outcome.KEPT, verdict, "it is retired")
    if Verdict.MOVABLE.value in (side.verdict, side.decided) and side.target == decision.target_id:
        return Plan(decision, Outcome.KEPT, verdict, "it could move as it is")
    if _last_day(decision) < day:
        return Plan(decision, Outcome.MISSED, verdict, f"{decision.plan_quarter} is over")
    return Plan(decision, Outcome.OPEN, verdict, f"{decision.plan_quarter} is not over")


def _last_day(plan: Decision) -> date:
    assert plan.plan_ends is not None, "each plan has one"
    return plan.plan_ends
