"""Which decision counts for a workload and a target: one rule, for the decided verdict and for what is told of it."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Max, QuerySet

from portability.reviews.models import Decision


def newest(workloads: Collection[int], targets: Collection[int]) -> QuerySet[Decision]:
    """For each pair of these the newest decision that was made for the target and not undone, whatever its kind.

    It counts wherever its entry was moved since: only another one for the same target takes its place, so that no
    older one comes back but by undoing.
    """
    made = Decision.objects.filter(undone_at=None, entry__workload__in=workloads, target__in=targets)
    ids = made.order_by().values("entry__workload", "target").annotate(newest=Max("pk")).values("newest")
    return Decision.objects.filter(pk__in=ids).order_by()
