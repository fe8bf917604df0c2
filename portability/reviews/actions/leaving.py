"""Leaving an entry to the next review, and to whom entries are given."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.reviews.actions.common import require_architect, take
from portability.reviews.errors import Clash, Conflict, Refused, Why
from portability.reviews.models import Entry
from portability.reviews.texts import clean


@transaction.atomic
def defer(who: Person, entry_id: int, version: int, reason: str) -> Entry:
    """Leave a workload that was registered after the opening to the next review, with the reason.

    Deciding it all the same takes its place; undoing that gives it back. Raises PermissionDenied, Refused, Conflict,
    Entry.DoesNotExist.
    """
    require_architect(who, "leave entries to the next review")
    entry = take([entry_id])[entry_id].entry
    if entry.state == Entry.State.DEFERRED:
        return entry
    if entry.version != version:
        raise Conflict([Clash(entry.pk, entry.workload.name, Why.DECIDED, f"{entry.workload.name} was changed.")])
    if reason_against := cannot_leave(entry):
        raise Refused(reason_against)
    entry.deferred_reason = clean(reason, 300, "reason", "Say why it is left to the next review.")
    entry.left_reason, entry.left_at, entry.left_by = entry.deferred_reason, timezone.now(), who
    entry.state = Entry.State.DEFERRED
    entry.version += 1
    entry.save(update_fields=["deferred_reason", "left_reason", "left_at", "left_by", "state", "version"])
    record(who, "review.deferred", entry.workload, review=entry.review.quarter, reason=entry.deferred_reason)
    return entry


def cannot_leave(entry: Entry) -> str:
    """Why an entry cannot be left to the next review as it stands; "" where it can. Its workload must be loaded."""
    if not entry.new:
        return "Only what was registered after the review was opened can be left to the next one."
    if entry.state == Entry.State.RETIRED:
        return f"{entry.workload.name} is retired: its entry closed itself."
    return "" if entry.state == Entry.State.OPEN else "It is decided. Undo the decision first."


@transaction.atomic
def assign(who: Person, entry_ids: Sequence[int], to: Person | None) -> int:
    """Give entries to an architect to decide, or to nobody. How many were given to somebody else than before.

    Raises PermissionDenied, Refused, Entry.DoesNotExist.
    """
    require_architect(who, "assign entries")
    if to is not None and not (to.architect and to.is_active):
        raise Refused("Only architects decide: choose one of them.", "assigned")
    if not entry_ids:
        raise Refused("Choose the entries first.")
    entries = [t.entry for t in take(entry_ids).values() if t.entry.assigned_id != (to.pk if to else None)]
    for entry in entries:
        entry.assigned = to
        record(who, "review.assigned", entry.workload, review=entry.review.quarter, to=to.username if to else "nobody")
    Entry.objects.bulk_update(entries, ["assigned"])
    return len(entries)
