"""Deciding entries, one or many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.engine.model import Verdict
from portability.organisation.dates import Quarter
from portability.organisation.queries import organisation
from portability.register.models import Assessment
from portability.reviews.actions.common import Taken, basis_of, require_architect, take
from portability.reviews.actions.settle import settle, verdict_with_waivers
from portability.reviews.confirming import why_not
from portability.reviews.errors import Clash, Conflict, Refused, Why
from portability.reviews.given import CONFIRM, Given, again, columns
from portability.reviews.models import Decision, Entry

IN_BULK = (Decision.Kind.AGREE, Decision.Kind.PLAN, Decision.Kind.STAYS, Decision.Kind.NOT_KNOWN, CONFIRM)
MANY = 500  # entries at once


@dataclass(frozen=True, slots=True)
class Seen:
    """An entry as the page showed it: its version, and the assessment (id; None where there was none)."""

    version: int
    assessment: int | None


@dataclass(frozen=True, slots=True)
class Touched:
    """What deciding many would do to one entry. `refused`: why it cannot be; `kind`, `verdict`: else."""

    entry: Entry
    seen: Seen
    kind: str = ""
    verdict: str = ""
    refused: str = ""


@transaction.atomic
def decide(who: Person, entry_id: int, given: Given, seen: Seen, today: date) -> Decision:
    """Decide an entry as the page showed it. Sent twice, it counts once.

    Raises PermissionDenied, Refused (with the field), Conflict where somebody decided or the answer changed meanwhile,
    Entry.DoesNotExist.
    """
    require_architect(who, "decide")
    taken = take([entry_id])[entry_id]
    same = _sent_before(taken, who, given, seen)
    if same is not None:
        return same
    _require_as_seen([(taken, seen)])
    decision = _decision(who, taken, given, today)
    _keep([(taken.entry, decision)], today)
    record(who, "review.decided", taken.entry.workload, **_details(decision))
    return decision


@transaction.atomic
def decide_many(who: Person, seen: Mapping[int, Seen], given: Given, today: date) -> list[Decision]:
    """Decide entries (by id, as the preview showed them) at once, with a reason. All of them, or none.

    Raises PermissionDenied, Refused where one of them cannot be decided so, Conflict naming every entry that is other
    than it was seen, Entry.DoesNotExist.
    """
    require_architect(who, "decide")
    _require_bulk(seen, given)
    taken = take(list(seen))
    _require_as_seen([(taken[pk], seen[pk]) for pk in sorted(seen)])
    bulk = uuid4()
    made = [(t.entry, _decision(who, t, given, today, bulk)) for t in taken.values()]
    _keep(made, today)
    for entry, decision in made:
        record(who, "review.decided", entry.workload, together=len(made), **_details(decision))
    return [decision for _, decision in made]


@transaction.atomic
def preview(who: Person, entry_ids: Sequence[int], given: Given, today: date) -> list[Touched]:
    """What `decide_many` would do to each of these entries, in their order. Changes nothing.

    Raises PermissionDenied, Refused where it makes no sense for any.
    """
    require_architect(who, "decide")
    _require_bulk(entry_ids, given)
    taken = take(entry_ids)
    found = []
    for pk in entry_ids:
        entry, a = taken[pk].entry, taken[pk].assessment
        seen = Seen(entry.version, a.pk if a else None)
        try:
            decision = _decision(who, taken[pk], given, today)
        except Refused as refused:
            found.append(Touched(entry, seen, refused=str(refused)))
        else:
            found.append(Touched(entry, seen, decision.kind, decision.verdict))
    return found


def _require_bulk(entries: Sequence[int] | Mapping[int, Seen], given: Given) -> None:
    if not entries:
        raise Refused("Choose the entries first.")
    if len(entries) > MANY:
        raise Refused(f"{len(entries)} entries are chosen; at most {MANY} are decided at once.")
    if given.kind not in IN_BULK:
        raise Refused("Decide otherwise entry by entry: each needs its evidence.", "kind")
    if not given.reason.strip():
        raise Refused("Say why: a decision on many needs a reason.", "reason")


def _decision(who: Person, taken: Taken, given: Given, today: date, bulk: UUID | None = None) -> Decision:
    """The decision as it would be stored, not stored yet."""
    entry, assessment = taken.entry, taken.assessment
    if entry.state == Entry.State.RETIRED:
        raise Refused(f"{entry.workload.name} is retired: its entry closed itself.")
    quarter = Quarter.of(today, organisation().first_month)
    carried = None
    if given.kind == CONFIRM:
        reason = why_not(entry, taken.verdict, taken.basis, quarter, today)
        if reason or entry.before is None:
            raise Refused(f"{reason} Decide anew.", "kind")
        carried = entry.before
        before = again(carried)
        given = replace(before, reason=given.reason if given.reason.strip() else before.reason)
    elif given.kind == Decision.Kind.NOT_KNOWN and given.by_day is not None and given.by_day < today:
        raise Refused("That day is over.", "by_day")
    with_waivers = verdict_with_waivers(assessment, entry.workload_id, today) if assessment else taken.verdict
    return Decision(
        entry=entry,
        assessment=assessment,
        engine_verdict=taken.verdict,
        basis=taken.basis,
        carried=carried,
        replaced_id=entry.decision_id,
        bulk=bulk,
        made_by=who,
        made_by_name=who.get_username(),
        **columns(given, taken.verdict, with_waivers, quarter),
    )


def _keep(made: Iterable[tuple[Entry, Decision]], today: date) -> None:
    """Store decisions; they stand from now on."""
    made = list(made)
    for entry, decision in made:
        decision.save()
        entry.decision = decision
        entry.state, entry.deferred_reason = Entry.State.DECIDED, ""
        entry.version += 1
    Entry.objects.bulk_update([e for e, _ in made], ["decision", "state", "deferred_reason", "version"])
    settle({(e.workload_id, e.target_id) for e, _ in made if e.target_id is not None}, today)


def _require_as_seen(pairs: Iterable[tuple[Taken, Seen]]) -> None:
    pairs = list(pairs)
    ids = {seen.assessment for taken, seen in pairs if seen.assessment != _assessment(taken)} - {None}
    then = Assessment.objects.in_bulk([pk for pk in ids if pk is not None])
    clashes = [c for taken, seen in pairs if (c := _clash(taken, seen, then)) is not None]
    if clashes:
        raise Conflict(clashes)


def _assessment(taken: Taken) -> int | None:
    return taken.assessment.pk if taken.assessment else None


def _clash(taken: Taken, seen: Seen, then: Mapping[int, Assessment]) -> Clash | None:
    entry, name = taken.entry, taken.entry.workload.name
    if entry.version != seen.version:
        decision = entry.decision
        by = decision.made_by_name if decision else ""
        if decision is None:
            text = f"{name} was changed by someone else in the meantime: it is {entry.get_state_display().lower()} now."
        else:
            text = f"{by} decided {name} in the meantime: {decision.get_kind_display()}."
        return Clash(entry.pk, name, Why.DECIDED, text, by)
    if seen.assessment == _assessment(taken):
        return None
    was = then.get(seen.assessment) if seen.assessment is not None else None
    if basis_of(was) == taken.basis:
        return None  # judged again, and nothing that counts is other
    before = was.verdict if was else Verdict.NOT_ASSESSED.value
    if before != taken.verdict:
        said = f"{name} was {_words(before)} and is {_words(taken.verdict)} now: look at it again."
    else:
        said = f"{name} is still {_words(before)}, for other reasons: look at it again."
    return Clash(entry.pk, name, Why.VERDICT, said)


def _words(verdict: str) -> str:
    return verdict.replace("-", " ")


_COMPARED = ("kind", "verdict", "reason", "evidence", "link", "plan_quarter", "plan_owner", "plan_effort", "finds_out")


def _sent_before(taken: Taken, who: Person, given: Given, seen: Seen) -> Decision | None:
    """The decision that stands, where the same form was sent before."""
    entry, decision = taken.entry, taken.entry.decision
    if decision is None or entry.version != seen.version + 1 or decision.made_by_id != who.pk:
        return None
    if given.kind == CONFIRM:
        return decision if decision.carried_id is not None else None
    asked = {name: getattr(given, name).strip() for name in _COMPARED if getattr(given, name)}
    stored = {name: getattr(decision, name) for name in asked}
    return decision if asked == stored and given.by_day == decision.by_day else None


def _details(decision: Decision) -> dict[str, Any]:
    entry = decision.entry
    told = {
        "review": entry.review.quarter,
        "kind": decision.kind,
        "engine_verdict": decision.engine_verdict,
        "verdict": decision.verdict,
        "reason": decision.reason,
    }
    if decision.plan_quarter:
        told["plan"] = f"{decision.plan_quarter}, {decision.plan_owner}"
    if decision.by_day:
        told["by"] = decision.by_day.isoformat()
    return told


@transaction.atomic
def undo_last(who: Person, review_id: int, today: date) -> list[Entry]:
    """Take back the last decision of the person in the review, or all that were made at once with it.

    What stood before stands again. Entries that somebody else decided since are left as they are; where that is all of
    them, it is Refused. The entries that were taken back. Raises PermissionDenied.
    """
    require_architect(who, "undo decisions")
    mine = Decision.objects.filter(made_by=who, entry__review=review_id, undone_at=None)
    last = mine.order_by("-pk").first()
    if last is None:
        raise Refused("There is no decision of yours to undo in this review.")
    acted = list(mine.filter(bulk=last.bulk)) if last.bulk else [last]
    taken = take([d.entry_id for d in acted])
    by_entry = {d.entry_id: d for d in acted}
    undone = [t.entry for t in taken.values() if t.entry.decision_id == by_entry[t.entry.pk].pk]
    if not undone:
        raise Refused("Somebody else decided it since; their decision stands.")
    now = timezone.now()
    for entry in undone:
        decision = by_entry[entry.pk]
        entry.decision_id = decision.replaced_id
        if entry.state != Entry.State.RETIRED:
            entry.state = Entry.State.DECIDED if decision.replaced_id else Entry.State.OPEN
        entry.version += 1
        record(who, "review.undone", entry.workload, review=entry.review.quarter, kind=decision.kind)
    Decision.objects.filter(pk__in=[by_entry[e.pk].pk for e in undone]).update(undone_at=now, undone_by=who)
    Entry.objects.bulk_update(undone, ["decision", "state", "version"])
    settle({(e.workload_id, e.target_id) for e in undone if e.target_id is not None}, today)
    return undone
