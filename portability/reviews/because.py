"""Why a workload does not stand the same on two sides: another target and its cause, and what changed on a target.

Two targets are not compared step by step. Where the sides are about different ones, what changed on the second's is
told, or on the first's where nothing had judged the workload for the second then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Max

from portability.register.models import Assessment
from portability.reviews.changes import Change, Pair, since
from portability.reviews.models import Review
from portability.reviews.sides import Side, ran_on
from portability.reviews.words import vendor
from portability.targets.models import Target


@dataclass(frozen=True, slots=True)
class Because:
    """`other_target`: the cause in words, where the sides are about different targets; `targets`: which, in words.

    `on`: the name of the one of them that the changes are about.
    """

    other_target: str = ""
    targets: str = ""
    on: str = ""
    changes: list[Change] = field(default_factory=list)


def because(pairs: Sequence[tuple[Side, Side]], before: Review | None, after: Review | None) -> dict[int, Because]:
    """By workload. `before`, `after`: the reviews that the sides are of; None for now. A few queries for all pairs."""
    targets = Target.objects.in_bulk({side.target for pair in pairs for side in pair if side.target is not None})
    spans = {(a.workload, a.target): span for a, b in pairs if a.target is not None and (span := _span(a, b))}
    elsewhere = [(a, b) for a, b in pairs if a.target != b.target]
    spans |= _elsewhere(elsewhere, before.closed_at if before else None, after.closed_at if after else None)
    other_vendor = {a.workload for a, b in elsewhere if a.vendor != b.vendor}
    ran_before, ran_after = ran_on(before, other_vendor), ran_on(after, other_vendor)
    about = dict(spans.keys())
    changed = since(spans)
    found = {}
    for a, b in pairs:
        target = about.get(a.workload)
        changes = changed.get((a.workload, target), []) if target is not None else []
        if a.target == b.target:
            found[a.workload] = Because(changes=changes)
            continue
        names = [targets[s.target].name if s.target is not None else "no target" for s in (a, b)]
        found[a.workload] = Because(
            other_target=_other_target(a, b, ran_before.get(a.workload), ran_after.get(b.workload)),
            targets=f"{names[0]} before, {names[1]} after",
            on=targets[target].name if target is not None else "",
            changes=changes,
        )
    return found


def _span(a: Side, b: Side) -> tuple[int, int] | None:
    if a.target != b.target or a.assessment is None or b.assessment is None:
        return None
    return a.assessment, b.assessment


def _other_target(a: Side, b: Side, ran_before: str | None, ran_after: str | None) -> str:
    """`ran_before`, `ran_after`: on which vendor it really ran, where the sides' targets are of different ones."""
    if a.vendor != b.vendor:
        if (a.vendor, b.vendor) == (ran_before, ran_after):
            return f"it runs on {vendor(b.vendor)}, and ran on {vendor(a.vendor)} before"
        return f"{_runs(b, ran_after)}; {_ran(a, ran_before)}"
    if a.target is None:
        return "there was no default target before"
    return "another default target" if b.target is not None else "there is no default target any more"


def _runs(b: Side, ran: str | None) -> str:
    if b.vendor == ran or b.target is None:
        return f"it runs on {vendor(ran or '')}"
    return f"the target after is from when it ran on {vendor(b.vendor)}"


def _ran(a: Side, ran: str | None) -> str:
    if a.vendor == ran or a.target is None:
        return f"it ran on {vendor(ran or '')} before"
    return f"the target before is from when it ran on {vendor(a.vendor)}"


def _elsewhere(
    pairs: Sequence[tuple[Side, Side]], first: datetime | None, second: datetime | None
) -> dict[Pair, tuple[int, int]]:
    """From which assessment to which the changes are told, on the second side's target or else on the first's."""
    then = _newest({(a.workload, b.target) for a, b in pairs if b.target is not None}, first)
    since_then = _newest({(a.workload, a.target) for a, b in pairs if a.target is not None}, second)
    spans = {}
    for a, b in pairs:
        start = then.get((b.workload, b.target)) if b.target is not None else None
        end = since_then.get((a.workload, a.target)) if a.target is not None else None
        if b.target is not None and start is not None and b.assessment is not None:
            spans[b.workload, b.target] = (start, b.assessment)
        elif a.target is not None and end is not None and a.assessment is not None:
            spans[a.workload, a.target] = (a.assessment, end)
    return spans


def _newest(pairs: set[Pair], by: datetime | None) -> Mapping[Pair, int]:
    """The newest assessment (id) of each by a moment."""
    if not pairs:
        return {}
    made = Assessment.objects.filter(revision__workload__in={w for w, _ in pairs}, target__in={t for _, t in pairs})
    made = made.filter(assessed_at__lte=by) if by else made
    newest = made.order_by().values("revision__workload", "target").annotate(newest=Max("pk"))
    return {(w, t): pk for w, t, pk in newest.values_list("revision__workload", "target", "newest")}
