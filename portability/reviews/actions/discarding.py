"""Taking back that a review was opened, while nothing was done in it."""

from __future__ import annotations

from django.db import transaction

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.reviews.actions.common import lock_workloads, require_architect, take_open, wait_for_opening
from portability.reviews.errors import Refused
from portability.reviews.models import Entry
from portability.reviews.queries import untouched
from portability.reviews.texts import clean


@transaction.atomic
def discard(who: Person, review_id: int, reason: str) -> None:
    """Take an open review away with its entries; its days are free again. The history keeps that, and the reason.

    Raises PermissionDenied, Refused (with the field) also where anybody decided, left or wrote something in it,
    Review.DoesNotExist.
    """
    require_architect(who, "discard a review")
    reason = clean(reason, 300, "reason", "Say why it is discarded.")
    wait_for_opening(opening=True)  # nothing joins it meanwhile
    entries = Entry.objects.filter(review=review_id)
    lock_workloads(entries.values("workload"))
    number = len(entries.select_for_update().order_by("pk").values_list("pk"))
    review = take_open(review_id)
    if not untouched(review):
        raise Refused(
            "Something was decided, left or written in it already: it is signed off as it is, or gone on with."
        )
    entries.delete()
    review.delete()
    record(who, "review.discarded", review.quarter, entries=number, reason=reason)
