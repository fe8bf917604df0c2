"""What happens to the register while a review is open happens to its entries, in the same transaction."""

from __future__ import annotations

from collections.abc import Collection

from portability.organisation.queries import default_targets
from portability.reviews.actions.common import lock_workloads
from portability.reviews.actions.joining import join, standing
from portability.reviews.models import Entry, Review
from portability.workloads.models import Workload

_AT_ONCE = 500


def follow(workload_ids: Collection[int]) -> None:
    """Let the open review, where there is one, follow workloads that were registered, revised, retired or restored.

    Registered later, they join as new; retired, their entries close themselves, and restored, open again. An entry
    that had no target, because none was chosen for the vendor, gets it once there is one; what was decided without
    asks again. Must be called in the transaction of the act, which holds the workloads, after they were judged.
    """
    if not Review.objects.filter(state=Review.State.OPEN).exists():
        return
    under_way = Review.objects.filter(state=Review.State.OPEN)
    entries = list(
        Entry.objects.select_for_update()
        .filter(review__in=under_way.values("pk"), workload__in=workload_ids)
        .order_by("pk")
    )
    review = under_way.select_for_update().first()
    if review is None:  # closed meanwhile
        return
    there = {entry.workload_id for entry in entries}
    workloads = Workload.objects.in_bulk(workload_ids)
    active = {pk for pk, w in workloads.items() if w.retired_at is None and w.current_id is not None}
    join(review, [workloads[pk] for pk in sorted(active - there)], new=True)
    changed = [entry for entry in entries if _follows(entry, workloads[entry.workload_id])]
    for entry in changed:
        entry.version += 1
    _stand(changed)
    Entry.objects.bulk_update(changed, ["state", "deferred_reason", "target", "vendor", "stood", "version"])


def follow_settings() -> None:
    """Let the entries that have no target get one: for when a default target is chosen. In its transaction."""
    waiting = Entry.objects.filter(review__state=Review.State.OPEN, target=None)
    lock_workloads(waiting.values("workload"))
    ids = list(waiting.order_by("workload_id").values_list("workload_id", flat=True))
    for start in range(0, len(ids), _AT_ONCE):
        follow(ids[start : start + _AT_ONCE])


def _follows(entry: Entry, workload: Workload) -> bool:
    """Set the entry's state and target to what the workload makes of it. Whether that is any other."""
    before = entry.state, entry.target_id
    if workload.retired_at is not None:
        entry.state = Entry.State.RETIRED
    elif entry.state == Entry.State.RETIRED:
        entry.stand_by_acts()
    if entry.target_id is None and entry.state != Entry.State.RETIRED:
        entry.target, entry.vendor = default_targets().get(workload.vendor_today), workload.vendor_today
    return (entry.state, entry.target_id) != before


def _stand(entries: Collection[Entry]) -> None:
    """How those stand that had nothing to stand on."""
    stands = standing([entry.workload_id for entry in entries])
    for entry in entries:
        if entry.stood_id is None and entry.target_id is not None:
            entry.stood_id = stands.get((entry.workload_id, entry.target_id), (None, ""))[0]
