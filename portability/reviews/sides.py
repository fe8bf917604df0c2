"""How workloads stood on one side of a comparison: in a closed review, in one that is open, or in the register now."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from portability.engine.model import Verdict
from portability.organisation.queries import default_targets
from portability.register.models import Row
from portability.reviews.decided import with_decided
from portability.reviews.models import Entry, Review, SummaryLine
from portability.reviews.standing import entries
from portability.workloads.models import Workload

NOT_ASSESSED = Verdict.NOT_ASSESSED.value


@dataclass(frozen=True, slots=True)
class Side:
    """How one workload stood. `verdict`: the engine's; `vendor`: that it ran on when it got the target."""

    workload: int
    target: int | None
    vendor: str
    verdict: str
    decided: str
    assessment: int | None
    retired: bool = False


def side_of(review: Review | None, today: date) -> dict[int, Side]:
    """By workload: how a review's entries stood when it was closed, or stand; without one, how the register does."""
    found = _now(today) if review is None else _of(review, today)
    return {side.workload: side for side in found}


def ran_on(review: Review | None, workloads: Collection[int]) -> dict[int, str]:
    """On which vendor workloads ran when a review was closed, by its record; on which they run, where it is open.

    That of a side is the one that its target was given for: an entry keeps its target, whatever it runs on since.
    """
    if not workloads:
        return {}
    if review is None or review.state == Review.State.OPEN:
        return dict(Workload.objects.filter(pk__in=workloads).values_list("pk", "vendor_today"))
    lines = SummaryLine.objects.filter(record__review=review).order_by()
    found = lines.values_list("said__workload__id", "said__workload__vendor_today")
    return {workload: vendor for workload, vendor in found if workload in workloads}


def _of(review: Review, today: date) -> list[Side]:
    common = ("workload", "target", "vendor")
    if review.state == Review.State.OPEN:
        columns = (*common, "engine_verdict", "decided_verdict", "assessment_now", "state")
        found = entries(review, today).values_list(*columns)
    else:
        columns = (*common, "ended__verdict", "ended_verdict", "ended", "state")
        found = Entry.objects.filter(review=review).values_list(*columns)
    return [
        Side(workload, target, vendor, verdict or NOT_ASSESSED, decided, assessment, state == Entry.State.RETIRED)
        for workload, target, vendor, verdict, decided, assessment, state in found
    ]


def _now(today: date) -> list[Side]:
    """How the workloads in use stand for the default targets."""
    targets = default_targets()
    found: dict[int, Side] = {}
    for vendor, target in targets.items():
        rows = Row.objects.filter(target=target, workload__vendor_today=vendor, workload__retired_at=None)
        columns = ("workload_id", "verdict", "decided_verdict", "assessment_id")
        for workload, verdict, decided, assessment in with_decided(rows, today).values_list(*columns):
            found[workload] = Side(workload, target.pk, vendor, verdict, decided, assessment)
    active = Workload.objects.filter(retired_at=None, current__isnull=False)
    for workload, vendor in active.values_list("pk", "vendor_today"):
        if workload not in found:
            chosen = targets.get(vendor)
            found[workload] = Side(workload, chosen.pk if chosen else None, vendor, NOT_ASSESSED, NOT_ASSESSED, None)
    return list(found.values())
