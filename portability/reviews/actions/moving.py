"""Moving entries to the target that their workloads would be reviewed for by now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from django.db import transaction

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.organisation.queries import default_targets
from portability.reviews.actions.common import lock_workloads, require_architect, take_open
from portability.reviews.actions.joining import NOT_ASSESSED, standing
from portability.reviews.actions.settle import Pair, settle
from portability.reviews.changes import Change
from portability.reviews.elsewhere import to_move
from portability.reviews.errors import Refused
from portability.reviews.models import Entry
from portability.targets.models import Target

_AT_ONCE = 500


@transaction.atomic
def move_to_default(
    who: Person, review_id: int, today: date, shown: Mapping[str, int], entry_id: int | None = None
) -> list[Entry]:
    """Move an entry, or the first 500 of the review, to the default target of the vendor their workloads run on today.

    `shown`: ids of the targets that the person was shown, by vendor: entries of other vendors are left as they are.
    What was decided of them is kept, and asks again: it was decided for another target, and counts for that one. So do
    waivers. Entries that are there already are left as they are. Those that were moved. Raises PermissionDenied,
    Refused (also where another default target was chosen since).
    """
    require_architect(who, "move entries to another target")
    targets = {vendor: target for vendor, target in default_targets().items() if vendor in shown}
    if {vendor: target.pk for vendor, target in targets.items()} != shown:
        raise Refused("Nothing was moved: another default target was chosen meanwhile. Look again.")
    wanted = Entry.objects.filter(to_move(targets), review=review_id)
    if entry_id is not None:
        wanted = wanted.filter(pk=entry_id)
    lock_workloads(wanted.values("workload"))
    locked = wanted.select_for_update(of=("self",)).select_related("workload", "target").order_by("pk")
    entries = list(locked[:_AT_ONCE])
    review = take_open(review_id)
    settle(_move(entries, targets, today), today)
    for entry in entries:
        assert entry.target is not None
        record(who, "review.moved", entry.workload, review=review.quarter, to=entry.target.name)
    return entries


def _move(entries: Sequence[Entry], targets: Mapping[str, Target], today: date) -> set[Pair]:
    """Give entries their new target, and how they stand there. The pairs that they are now."""
    stands = standing([entry.workload_id for entry in entries])
    pairs: set[Pair] = set()
    for entry in entries:
        was, to = entry.target, targets[entry.workload.vendor_today]
        assert was is not None
        pairs.add((entry.workload_id, to.pk))
        _, before = stands.get((entry.workload_id, was.pk), (None, NOT_ASSESSED))
        entry.target, entry.vendor = to, entry.workload.vendor_today
        entry.stood_id, after = stands.get((entry.workload_id, to.pk), (None, NOT_ASSESSED))
        change = Change("target", f"moved here from {was.name}", today.isoformat(), before, after, [], [])
        entry.changed = [*entry.changed, change.to_json()]
        entry.version += 1
    Entry.objects.bulk_update(entries, ["target", "vendor", "stood", "changed", "version"])
    return pairs
