"""Working out the decided verdicts of all workloads for a target, share by share, in the background.

The database says what is left; whoever holds its row does the next share. Doing one twice changes nothing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from portability.reviews.actions.common import lock_workloads
from portability.reviews.actions.settle import FEW, settle
from portability.reviews.models import Unsettled
from portability.workloads.models import Workload


@dataclass(frozen=True, slots=True)
class Progress:
    """How many workloads are worked out anew for a target already, of how many."""

    done: int
    total: int


def progress(target_id: int) -> Progress | None:
    """How far the workers are with a target; None where nothing is left to do."""
    newest = Unsettled.objects.filter(target=target_id).order_by("-pk").first()
    if newest is None:
        return None
    return Progress(Workload.objects.filter(pk__lte=newest.after).count(), Workload.objects.count())


def settle_target(target_id: int, until: float | None = None) -> None:
    """Work out anew what is left of a target, or what of it is done until then (`time.monotonic`)."""
    while _settle_share(target_id):
        if until is not None and time.monotonic() > until:
            return


def take_over(seconds: float = 60) -> None:
    """Do what nobody was woken for, and what a worker left lying, for about so long."""
    until = time.monotonic() + seconds
    for target_id in sorted(set(Unsettled.objects.values_list("target_id", flat=True))):
        if time.monotonic() < until:
            settle_target(target_id, until)


@transaction.atomic
def _settle_share(target_id: int) -> bool:
    """Do the next share of a target. False where nothing is left, or another worker has it in hand."""
    left = list(Unsettled.objects.select_for_update(skip_locked=True).filter(target=target_id).order_by("-pk"))
    if not left:
        return False
    newest, *older = left
    Unsettled.objects.filter(pk__in=[one.pk for one in older]).delete()  # it begins again, after them
    share = list(Workload.objects.filter(pk__gt=newest.after).order_by("pk").values_list("pk", flat=True)[:FEW])
    if not share:
        newest.delete()
        return False
    lock_workloads(share)
    settle({(workload, target_id) for workload in share}, timezone.localdate())
    newest.after = share[-1]
    newest.save(update_fields=["after"])
    return True
