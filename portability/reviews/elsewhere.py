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
    found = Q(pk=None)
    for vendor, target in targets.items():
        found |= Q(workload__vendor_today=vendor) & ~Q(target=target)
    return found & Q(target__isnull=False) & ~Q(state=Entry.State.RETIRED)


def goes_to(entry: Entry, targets: Mapping[str, Target]) -> Target | None:
    """The target that an entry could be moved to; None where it is for that one, or for none."""
    target = targets.get(entry.workload.vendor_today)
    if target is None or entry.target_id in (None, target.pk) or entry.state == Entry.State.RETIRED:
        return None
    return target


@dataclass(frozen=True, slots=True)
class Share:
    """Entries of what runs on a vendor that are for one target, and the target they could be moved to."""

    vendor: str
    was: str
    to: Target
    entries: int
    decided: int  # of them: they would ask again


def shares(review: Review, targets: Mapping[str, Target]) -> list[Share]:
    """All of a review that could be moved, the most first; in one query."""
    found = Entry.objects.filter(elsewhere(targets), review=review).order_by()
    counted = (
        found.values_list("workload__vendor_today", "target__name")
        .annotate(number=Count("pk"), decided=Count("pk", filter=Q(decision__isnull=False)))
        .order_by("-number", "target__name")
    )
    return [Share(vendor, was, targets[vendor], number, decided) for vendor, was, number, decided in counted]
