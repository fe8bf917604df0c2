"""Entries for another target than the one that their workloads would be reviewed for by now.

An entry keeps its target while the review is open, whatever the settings say since: moving it is an architect's act.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Q

from portability.reviews.models import Entry, Review
from portability.targets.models import Target


def elsewhere(targets: Mapping[str, Target]) -> Q:
    """Of entries. `targets`: the default ones by vendor. What waits for a target, or is retired, is left out."""
    there = Q(pk=None)
    for vendor, target in targets.items():
        there |= Q(workload__vendor_today=vendor, target=target)
    return Q(target__isnull=False) & ~there & ~Q(state=Entry.State.RETIRED)


def to_move(targets: Mapping[str, Target]) -> Q:
    """Of entries: those elsewhere whose workloads run on a vendor that has a default target."""
    return elsewhere(targets) & Q(workload__vendor_today__in=targets)


def is_elsewhere(entry: Entry, targets: Mapping[str, Target]) -> bool:
    """Whether `elsewhere` finds an entry, with its workload."""
    target = targets.get(entry.workload.vendor_today)
    there = entry.target_id in (None, target.pk if target else None)
    return not there and entry.state != Entry.State.RETIRED


def goes_to(entry: Entry, targets: Mapping[str, Target]) -> Target | None:
    """The target that an entry could be moved to; None where it is for that one, or for none."""
    return targets.get(entry.workload.vendor_today) if is_elsewhere(entry, targets) else None


@dataclass(frozen=True, slots=True)
class Share:
    """Entries of what runs on a vendor that are for one target, and the one they could be moved to, if it has one."""

    vendor: str
    was: str
    to: Target | None
    entries: int
    decided: int  # of them: they would ask again


def shares(review: Review, targets: Mapping[str, Target]) -> list[Share]:
    """All of a review that are elsewhere, the most first; in one query."""
    found = Entry.objects.filter(elsewhere(targets), review=review).order_by()
    counted = (
        found.values_list("workload__vendor_today", "target__name")
        .annotate(number=Count("pk"), decided=Count("pk", filter=Q(decision__isnull=False)))
        .order_by("-number", "target__name")
    )
    return [Share(vendor, was, targets.get(vendor), number, decided) for vendor, was, number, decided in counted]
