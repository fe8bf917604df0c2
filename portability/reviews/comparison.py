"""Two quarters beside each other, or a quarter and now: what moved and why, what is new or retired, which plans held.

A closed review is compared as it stood when it was closed, an open one as it stands on the day. Names, teams and GPUs
are those of today: what they were then is in the record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from django.utils import timezone

from portability.engine.model import Verdict
from portability.organisation.dates import Quarter
from portability.organisation.queries import default_targets, organisation
from portability.register.models import Row
from portability.reviews.changes import Change, since
from portability.reviews.decided import with_decided
from portability.reviews.models import Decision, Entry, Review, SummaryLine
from portability.reviews.standing import entries
from portability.targets.models import Target
from portability.workloads.models import Workload

NOT_ASSESSED = Verdict.NOT_ASSESSED.value


@dataclass(frozen=True, slots=True)
class Side:
    """How one workload stood on one side. `verdict`: the engine's."""

    workload: int
    target: int | None
    verdict: str
    decided: str
    assessment: int | None
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One workload that is not the same on both sides. `before`, `after`: "" where it was not there."""

    workload: Workload  # with its team
    before: str
    after: str
    decided_before: str
    decided_after: str
    changes: list[Change] = field(default_factory=list)
    other_target: str = ""  # in words, where the two are about different targets

    @property
    def kind(self) -> str:
        """`moved`, `new` or `retired`."""
        if not self.before:
            return "new"
        return "moved" if self.after else "retired"


class Outcome(StrEnum):
    """What has become of a plan."""

    KEPT = "kept"
    MISSED = "missed"
    OPEN = "open"  # its quarter is not over


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
    moved: list[Line]
    new: list[Line]
    retired: list[Line]
    plans: list[Plan]

    def plans_that(self, outcome: str) -> list[Plan]:
        """The plans with an outcome."""
        return [plan for plan in self.plans if plan.outcome == outcome]


def compare(before: Review, after: Review | None, today: date) -> Comparison:
    """Compare a review with a later one, or with the register as it stands. A few queries for each 200 that moved."""
    first = {side.workload: side for side in _of(before, today)}
    second = {side.workload: side for side in (_of(after, today) if after else _now(today))}
    there, here = _active(first), _active(second)
    both = there.keys() & here.keys()
    moved = {pk for pk in both if there[pk].verdict != here[pk].verdict or there[pk].target != here[pk].target}
    listed = moved | (there.keys() ^ here.keys())
    workloads = Workload.objects.select_related("team").in_bulk(listed)
    causes = _causes([(there[pk], here[pk]) for pk in moved])
    targets = Target.objects.in_bulk({s.target for pk in moved for s in (there[pk], here[pk]) if s.target is not None})
    made = {pk: _line(workloads[pk], there.get(pk), here.get(pk), causes.get(pk, []), targets) for pk in listed}
    ordered = sorted(made.values(), key=lambda line: (line.workload.team.name, line.workload.name, line.workload.pk))
    return Comparison(
        before=before,
        after=after,
        counts=dict(Counter((there[pk].verdict, here[pk].verdict) for pk in both)),
        totals=(_totals(there.values()), _totals(here.values())),
        moved=[line for line in ordered if line.kind == "moved"],
        new=[line for line in ordered if line.kind == "new"],
        retired=[line for line in ordered if line.kind == "retired"],
        plans=_plans(before, after, second, _day(after, today)),
    )


def _of(review: Review, today: date) -> list[Side]:
    """How a review's entries stood when it was closed, or stand."""
    if review.state == Review.State.OPEN:
        columns = ("workload", "target", "engine_verdict", "decided_verdict", "assessment_now", "state")
        found = entries(review, today).values_list(*columns)
    else:
        columns = ("workload", "target", "ended__verdict", "ended_verdict", "ended", "state")
        found = Entry.objects.filter(review=review).values_list(*columns)
    return [
        Side(workload, target, verdict or NOT_ASSESSED, decided, assessment, state == Entry.State.RETIRED)
        for workload, target, verdict, decided, assessment, state in found
    ]


def _now(today: date) -> list[Side]:
    """How the workloads in use stand for the default targets."""
    targets = default_targets()
    found: dict[int, Side] = {}
    for vendor, target in targets.items():
        rows = Row.objects.filter(target=target, workload__vendor_today=vendor, workload__retired_at=None)
        columns = ("workload_id", "verdict", "decided_verdict", "assessment_id")
        for workload, verdict, decided, assessment in with_decided(rows, today).values_list(*columns):
            found[workload] = Side(workload, target.pk, verdict, decided, assessment)
    active = Workload.objects.filter(retired_at=None, current__isnull=False)
    for workload, vendor in active.values_list("pk", "vendor_today"):
        if workload not in found:
            chosen = targets.get(vendor)
            found[workload] = Side(workload, chosen.pk if chosen else None, NOT_ASSESSED, NOT_ASSESSED, None)
    return list(found.values())


def _active(sides: dict[int, Side]) -> dict[int, Side]:
    return {pk: side for pk, side in sides.items() if not side.retired}


def _causes(pairs: Iterable[tuple[Side, Side]]) -> dict[int, list[Change]]:
    spans = {
        (a.workload, a.target): (a.assessment, b.assessment)
        for a, b in pairs
        if a.target is not None and a.target == b.target and a.assessment is not None and b.assessment is not None
    }
    return {workload: changes for (workload, _), changes in since(spans).items()}


def _line(
    workload: Workload, a: Side | None, b: Side | None, changes: list[Change], targets: dict[int, Target]
) -> Line:
    other = ""
    if a and b and a.target != b.target:
        names = [targets[s.target].name if s.target else "no target" for s in (a, b)]
        other = f"{names[0]} before, {names[1]} after"
    return Line(
        workload=workload,
        before=a.verdict if a else "",
        after=b.verdict if b else "",
        decided_before=a.decided if a else "",
        decided_after=b.decided if b else "",
        changes=changes,
        other_target=other,
    )


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
    made = made.select_related("entry__workload__team", "entry__target")
    first_month = organisation().first_month
    vendors = _vendors_then(after) if made and after and after.state == Review.State.CLOSED else {}
    found = []
    for decision in made:
        workload = decision.entry.workload
        vendor = vendors.get(workload.pk, workload.vendor_today)
        found.append(_plan(decision, second.get(workload.pk), vendor, day, first_month))
    return sorted(found, key=lambda p: (p.decision.plan_quarter, p.decision.entry.workload.name, p.decision.pk))


def _vendors_then(closed: Review) -> dict[int, str]:
    """On which vendor workloads ran when a review was closed, by its record: they may have moved since."""
    lines = SummaryLine.objects.filter(record__review=closed).values_list("said", flat=True)
    return {line["workload"]["id"]: line["workload"]["vendor_today"] for line in lines}


def _plan(decision: Decision, side: Side | None, vendor: str, day: date, first_month: int) -> Plan:
    """`vendor`: that the workload ran on, on that day."""
    target = decision.entry.target
    verdict = side.verdict if side and not side.retired else ""
    if target and vendor == target.vendor:
        return Plan(decision, Outcome.KEPT, verdict, f"it runs on {target.vendor}")
    if side is None or side.retired:
        return Plan(decision, Outcome.KEPT, verdict, "it is retired")
    if Verdict.MOVABLE.value in (side.verdict, side.decided) and side.target == decision.entry.target_id:
        return Plan(decision, Outcome.KEPT, verdict, "it could move as it is")
    if Quarter.parse(decision.plan_quarter).ends(first_month) < day:
        return Plan(decision, Outcome.MISSED, verdict, f"{decision.plan_quarter} is over")
    return Plan(decision, Outcome.OPEN, verdict, f"{decision.plan_quarter} is not over")
