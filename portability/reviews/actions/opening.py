"""Opening a quarter's review."""

from __future__ import annotations

from datetime import date

from django.db import IntegrityError, transaction

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.organisation.dates import Quarter
from portability.organisation.queries import organisation
from portability.reviews.actions.common import lock_workloads, require_architect, wait_for_opening
from portability.reviews.actions.joining import join
from portability.reviews.errors import Refused
from portability.reviews.models import Review
from portability.workloads.models import Workload


@transaction.atomic
def open_review(who: Person, quarter: Quarter, today: date) -> Review:
    """Open the review of a quarter: an entry for every active workload, as it stands.

    It may be of the quarter the day lies in, the one before it or the one after. Raises PermissionDenied, Refused.
    """
    require_architect(who, "open a review")
    first_month = organisation().first_month
    now = Quarter.of(today, first_month)
    if quarter not in (now.previous, now, now.next):
        raise Refused(f"It is {now}: open the review of this quarter, the one before it or the one after.", "quarter")
    wait_for_opening(opening=True)
    _require_free(quarter)
    review = Review(quarter=str(quarter), starts=quarter.starts(first_month), ends=quarter.ends(first_month))
    review.opened_by = who
    try:
        with transaction.atomic():
            review.save()
    except IntegrityError:
        raise Refused("Somebody opened a review at the same moment.", "quarter") from None
    lock_workloads()  # whoever is saving, retiring or restoring one ends first, and sees the review from then on
    active = Workload.objects.filter(retired_at=None, current__isnull=False).order_by("pk")
    entries = join(review, list(active.only("pk", "vendor_today")), new=False)
    record(who, "review.opened", review.quarter, entries=len(entries))
    return review


def _require_free(quarter: Quarter) -> None:
    """One review is open at a time, and they follow each other."""
    newest = Review.objects.order_by("-quarter").first()
    under_way = Review.objects.filter(state=Review.State.OPEN).first()
    if under_way is not None:
        raise Refused(f"The review of {under_way.quarter} is open. Close it first.", "quarter")
    if newest is not None and newest.quarter >= str(quarter):
        raise Refused(f"{newest.quarter} was reviewed already; open a later quarter.", "quarter")
