"""Taking back one's last act: a decision, those that were made at once, or leaving an entry to the next review."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.db import transaction
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.reviews.actions.common import require_architect, take
from portability.reviews.actions.settle import Pair, settle
from portability.reviews.errors import Refused
from portability.reviews.models import Decision, Entry
from portability.reviews.queries import last_act

SINCE = "Somebody else decided it since; their decision stands."


@transaction.atomic
def undo_last(who: Person, review_id: int, today: date, shown: str = "") -> list[Entry]:
    """Take back the last act of the person in the review: a decision and all made at once with it, or leaving an entry.

    What stood before stands again. Entries that somebody else decided since are left as they are; where that is all of
    them, it is Refused. `shown`: the key of the act that the page offered to undo, where a page did; any other is not
    undone in its place. The entries that were taken back. Raises PermissionDenied.
    """
    require_architect(who, "undo decisions")
    act = last_act(who, review_id)
    if shown and (act is None or act.key != shown):
        raise Refused("What the page offered to undo does not stand any more, or is not the last thing you did.")
    if act is None:
        overruled = Decision.objects.filter(made_by=who, entry__review=review_id, undone_at=None).exists()
        raise Refused(SINCE if overruled else "There is no decision of yours to undo in this review.")
    return _undo_leaving(who, act.entry.pk) if act.decision is None else _undo_deciding(who, act.decision, today)


def _undo_leaving(who: Person, entry_id: int) -> list[Entry]:
    entry = take([entry_id])[entry_id].entry
    if entry.state != Entry.State.DEFERRED or entry.left_by_id != who.pk:
        raise Refused(SINCE)
    entry.left_reason, entry.left_at, entry.left_by = "", None, None
    entry.stand_by_acts()
    entry.version += 1
    entry.save(update_fields=["deferred_reason", "left_reason", "left_at", "left_by", "state", "version"])
    record(who, "review.undone", entry.workload, review=entry.review.quarter, kind="left to the next review")
    return [entry]


def _undo_deciding(who: Person, last: Decision, today: date) -> list[Entry]:
    mine = Decision.objects.filter(made_by=who, entry__review=last.entry.review_id, undone_at=None)
    acted = list(mine.filter(bulk=last.bulk)) if last.bulk else [last]
    taken = take([d.entry_id for d in acted])
    by_entry = {d.entry_id: d for d in acted}
    undone = [t.entry for t in taken.values() if t.entry.decision_id == by_entry[t.entry.pk].pk]
    if not undone:
        raise Refused(SINCE)
    now = timezone.now()
    for entry in undone:
        decision = by_entry[entry.pk]
        entry.decision_id = decision.replaced_id
        if entry.state != Entry.State.RETIRED:
            entry.stand_by_acts()
        entry.version += 1
        record(who, "review.undone", entry.workload, review=entry.review.quarter, kind=decision.kind)
    Decision.objects.filter(pk__in=[by_entry[e.pk].pk for e in undone]).update(undone_at=now, undone_by=who)
    Entry.objects.bulk_update(undone, ["decision", "state", "deferred_reason", "version"])
    settle(_pairs(undone, [by_entry[e.pk] for e in undone]), today)
    return undone


def _pairs(undone: Sequence[Entry], decisions: Sequence[Decision]) -> set[Pair]:
    """What the entries are for, and what was decided for: another target, where an entry was moved since."""
    now = {(entry.workload_id, entry.target_id) for entry in undone}
    then = {(entry.workload_id, d.target_id) for entry, d in zip(undone, decisions, strict=True)}
    return {(workload, target) for workload, target in now | then if target is not None}
