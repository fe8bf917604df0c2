"""Deciding many entries at once, and what that would touch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import uuid4

from django.db import transaction

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.reviews.actions.common import Taken, require_architect, take
from portability.reviews.actions.deciding import (
    Seen,
    decisions_of,
    details,
    keep,
    require_as_seen,
    require_verdicts_as_seen,
    sent_before,
)
from portability.reviews.errors import Refused
from portability.reviews.given import CONFIRM, Given
from portability.reviews.models import Decision, Entry

IN_BULK = (Decision.Kind.AGREE, Decision.Kind.PLAN, Decision.Kind.STAYS, Decision.Kind.NOT_KNOWN, CONFIRM)
MANY = 500  # entries at once


@dataclass(frozen=True, slots=True)
class Touched:
    """What deciding many would do to one entry. `refused`: why it cannot be; `kind`, `verdict`: else."""

    entry: Entry
    seen: Seen
    kind: str = ""
    verdict: str = ""
    refused: str = ""


@transaction.atomic
def decide_many(who: Person, seen: Mapping[int, Seen], given: Given, today: date) -> list[Decision]:
    """Decide entries (by id, as the preview showed them) at once, with a reason. All of them, or none.

    Raises PermissionDenied, Refused where one of them cannot be decided so, Conflict naming every entry that is other
    than it was seen, Entry.DoesNotExist.
    """
    require_architect(who, "decide")
    _require_bulk(seen, given)
    taken = take(list(seen))
    before = [sent_before(t, who, given, seen[pk]) for pk, t in taken.items()]
    same = [d for d in before if d is not None]
    if len(same) == len(seen) and len({d.bulk for d in same}) == 1:
        return same
    require_as_seen([(taken[pk], seen[pk]) for pk in sorted(seen)])
    made = _all_of(taken.values(), decisions_of(who, list(taken.values()), given, today, uuid4()))
    require_verdicts_as_seen([(decision, seen[decision.entry_id]) for decision in made])
    keep(made, today)
    for decision in made:
        record(who, "review.decided", decision.entry.workload, together=len(made), **details(decision))
    return made


@transaction.atomic
def preview(who: Person, entry_ids: Sequence[int], given: Given, today: date) -> list[Touched]:
    """What `decide_many` would do to each of these entries, in their order. Changes nothing.

    Raises PermissionDenied, Refused where it makes no sense for any.
    """
    require_architect(who, "decide")
    _require_bulk(entry_ids, given)
    taken = take(entry_ids)
    some = [taken[pk] for pk in entry_ids]
    found = []
    for t, decision in zip(some, decisions_of(who, some, given, today), strict=True):
        assessment = t.assessment.pk if t.assessment else None
        if isinstance(decision, Refused):
            found.append(Touched(t.entry, Seen(t.entry.version, assessment), refused=str(decision)))
        else:
            seen = Seen(t.entry.version, assessment, decision.verdict)
            found.append(Touched(t.entry, seen, decision.kind, decision.verdict))
    return found


def _all_of(taken: Iterable[Taken], decisions: Sequence[Decision | Refused]) -> list[Decision]:
    """The decisions. Raises Refused where one of them cannot be, and says which."""
    made = []
    for t, decision in zip(taken, decisions, strict=True):
        if isinstance(decision, Refused):
            raise Refused(f"{t.entry.workload.name}: {decision}", decision.field)
        made.append(decision)
    return made


def _require_bulk(entries: Sequence[int] | Mapping[int, Seen], given: Given) -> None:
    if not entries:
        raise Refused("Choose the entries first.")
    if len(entries) > MANY:
        raise Refused(f"{len(entries)} entries are chosen; at most {MANY} are decided at once.")
    if given.kind not in IN_BULK:
        raise Refused("Decide otherwise entry by entry: each needs its evidence.", "kind")
    if not given.reason.strip():
        raise Refused("Say why: a decision on many needs a reason.", "reason")
