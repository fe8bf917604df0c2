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
from portability.reviews.quarters import Free, free_quarters, last_day
from portability.ui.templatetags.ui import dated
from portability.workloads.models import Workload


@transaction.atomic
def open_review(who: Person, quarter: Quarter, today: date) -> Review:
    """Open the review of a quarter: an entry for every active workload, as it stands.

    It may be of any that `free_quarters` gives, while no other is open. Raises PermissionDenied, Refused.
    """
    require_architect(who, "open a review")
    wait_for_opening(opening=True)
    chosen = _free(quarter, today)
    review = Review(quarter=chosen.name, starts=chosen.starts, ends=chosen.ends, opened_by=who)
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


def _free(quarter: Quarter, today: date) -> Free:
    """The quarter as it can be reviewed. One review is open at a time, and they follow each other."""
    under_way = Review.objects.filter(state=Review.State.OPEN).first()
    if under_way is not None:
        raise Refused(f"The review of {under_way.quarter} is open. Close it first.", "quarter")
    found = next((free for free in free_quarters(today) if free.quarter == quarter), None)
    if found is not None:
        return found
    first_month = organisation().first_month
    covered = last_day()
    if covered is not None and quarter.ends(first_month) <= covered:
        raise Refused(f"{quarter} was reviewed already, up to {dated(covered)}; open a later quarter.", "quarter")
    now = Quarter.of(today, first_month)
    raise Refused(f"It is {now}: open the review of this quarter, the one before it or the one after.", "quarter")
