"""Deciding an entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.engine.model import Verdict
from portability.organisation.dates import Quarter
from portability.organisation.queries import organisation, stored
from portability.register.models import Assessment
from portability.reviews import findings
from portability.reviews.actions.common import Taken, basis_of, require_architect, take
from portability.reviews.actions.settle import settle
from portability.reviews.confirming import why_not
from portability.reviews.errors import Clash, Conflict, Refused, Why
from portability.reviews.given import CONFIRM, Given, again, columns
from portability.reviews.models import Decision, Entry
from portability.reviews.standing import entries
from portability.reviews.waivers import ByPair, Waived, concerning, stand, with_waivers
from portability.reviews.words import VERDICTS


@dataclass(frozen=True, slots=True)
class Seen:
    """An entry as the page showed it: its version, and the assessment (id; None where there was none).

    `verdict`: that who agreed would get, with what was waived; "" where the page did not say.
    """

    version: int
    assessment: int | None
    verdict: str = ""


@transaction.atomic
def decide(who: Person, entry_id: int, given: Given, seen: Seen, today: date) -> Decision:
    """Decide an entry as the page showed it. Sent twice, it counts once.

    Raises PermissionDenied, Refused (with the field), Conflict where somebody decided or the answer changed meanwhile,
    Entry.DoesNotExist.
    """
    require_architect(who, "decide")
    taken = take([entry_id])[entry_id]
    same = sent_before(taken, who, given, seen)
    if same is not None:
        return same
    require_as_seen([(taken, seen)])
    [decision] = decisions_of(who, [taken], given, today)
    if isinstance(decision, Refused):
        raise decision
    require_verdicts_as_seen([(decision, seen)])
    keep([decision], today)
    record(who, "review.decided", taken.entry.workload, **details(decision))
    return decision


@transaction.atomic
def why_refused(who: Person, entry_id: int, given: Given, today: date) -> Refused | None:
    """Why an entry cannot be decided so as it stands now, whatever a page showed; None where it can. Changes nothing.

    Raises PermissionDenied, Entry.DoesNotExist.
    """
    require_architect(who, "decide")
    try:
        [decision] = decisions_of(who, [take([entry_id])[entry_id]], given, today)
    except Refused as refused:
        return refused
    return decision if isinstance(decision, Refused) else None


def decisions_of(
    who: Person, taken: Sequence[Taken], given: Given, today: date, bulk: UUID | None = None
) -> list[Decision | Refused]:
    """The decision of each entry as it would be stored, not stored yet; or why it cannot be."""
    targets = {t.assessment.target_id for t in taken if t.assessment}
    given_ever = ByPair(concerning([t.entry.workload_id for t in taken], targets))
    unwaivable = frozenset(stored().not_waivable)
    quarter = Quarter.of(today, organisation().first_month)
    found: list[Decision | Refused] = []
    for t in taken:
        a = t.assessment
        waivers: list[Waived] = []
        if a and (ever := given_ever.of(t.entry.workload_id, a.target_id)):
            waivers = stand(ever, {findings.mark(f) for f in a.findings}, unwaivable, today)
        verdict = with_waivers(a, waivers)
        try:
            carried, wanted = _carried(t, given, waivers, today)
            told = columns(wanted, t.verdict, verdict, quarter)
        except Refused as refused:
            found.append(refused)
            continue
        made = Decision(entry=t.entry, assessment=a, engine_verdict=t.verdict, basis=t.basis, carried=carried, **told)
        made.replaced_id, made.bulk, made.holds_for = t.entry.decision_id, bulk, a
        made.target_id = t.entry.target_id
        made.made_by, made.made_by_name = who, who.get_username()
        found.append(made)
    return found


def _carried(taken: Taken, given: Given, waivers: Sequence[Waived], today: date) -> tuple[Decision | None, Given]:
    """The last review's decision, where that is confirmed, and what is given with it. Raises Refused."""
    entry, before = taken.entry, taken.entry.before
    if entry.state == Entry.State.RETIRED:
        raise Refused(f"{entry.workload.name} is retired: its entry closed itself.")
    if given.kind != CONFIRM:
        if given.kind == Decision.Kind.NOT_KNOWN and given.by_day is not None and given.by_day < today:
            raise Refused("That day is over.", "by_day")
        return None, given
    reason = why_not(entry, taken.assessment, taken.basis, waivers, today)
    if reason or before is None:
        raise Refused(f"{reason} Decide anew.", "kind")
    once_more = again(before)
    return before, replace(once_more, reason=given.reason) if given.reason.strip() else once_more


def keep(made: Sequence[Decision], today: date) -> None:
    """Store decisions of one review; they stand from now on."""
    _mark_what_asked_again(made, today)
    Decision.objects.bulk_create(made)
    newest = Decision.objects.filter(entry=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    Entry.objects.filter(pk__in=[decision.entry_id for decision in made]).update(
        decision=Subquery(newest), state=Entry.State.DECIDED, deferred_reason="", version=F("version") + 1
    )
    pairs = {(d.entry.workload_id, d.entry.target_id) for d in made}
    settle({(workload, target) for workload, target in pairs if target is not None}, today)


def _mark_what_asked_again(made: Sequence[Decision], today: date) -> None:
    """So that an entry that asked again keeps its place in the queue, however often it is decided from then on."""
    anew = {d.entry_id: d for d in made if d.replaced_id is not None}
    if not anew:
        return
    standing = entries(made[0].entry.review, today).filter(Q(asks_again=True), pk__in=anew)
    asking = set(standing.values_list("pk", flat=True))
    for pk, decision in anew.items():
        before = decision.entry.decision
        decision.asked_again = pk in asking or (before is not None and before.asked_again)


def require_as_seen(pairs: Iterable[tuple[Taken, Seen]]) -> None:
    """Raises Conflict, naming every entry that is other than it was seen."""
    pairs = list(pairs)
    ids = {seen.assessment for taken, seen in pairs if seen.assessment != _assessment(taken)} - {None}
    then = Assessment.objects.in_bulk([pk for pk in ids if pk is not None])
    clashes = [c for taken, seen in pairs if (c := _clash(taken, seen, then)) is not None]
    if clashes:
        raise Conflict(clashes)


def require_verdicts_as_seen(pairs: Iterable[tuple[Decision, Seen]]) -> None:
    """Raises Conflict, naming every entry of which waivers given or ended meanwhile would store another verdict."""
    clashes = []
    for decision, seen in pairs:
        if decision.kind == Decision.Kind.OTHERWISE or seen.verdict in ("", decision.verdict):
            continue
        name, was, now = decision.entry.workload.name, VERDICTS[seen.verdict], VERDICTS[decision.verdict]
        text = f"{name} was {was} with what was waived, and is {now} with what is waived now: look at it again."
        clashes.append(Clash(decision.entry_id, name, Why.VERDICT, text))
    if clashes:
        raise Conflict(clashes)


def _assessment(taken: Taken) -> int | None:
    return taken.assessment.pk if taken.assessment else None


def _clash(taken: Taken, seen: Seen, then: Mapping[int, Assessment]) -> Clash | None:
    entry, name = taken.entry, taken.entry.workload.name
    was = then.get(seen.assessment) if seen.assessment is not None else None
    if entry.version != seen.version:
        if entry.state == Entry.State.RETIRED:
            return Clash(entry.pk, name, Why.DECIDED, f"{name} was retired in the meantime.")
        if entry.target is not None and _was_moved(entry, seen, was):
            text = f"{name} was moved to {entry.target.name} in the meantime: look at it again."
            return Clash(entry.pk, name, Why.TARGET, text)
        decision = entry.decision
        by = decision.made_by_name if decision else ""
        if decision is None:
            text = f"{name} was changed by someone else in the meantime: it is {entry.get_state_display().lower()} now."
        else:
            text = f"{by} decided {name} in the meantime: {decision.get_kind_display()}."
        return Clash(entry.pk, name, Why.DECIDED, text, by)
    if seen.assessment == _assessment(taken):
        return None
    if basis_of(was) == taken.basis:
        return None  # judged again, and nothing that counts is other
    before = was.verdict if was else Verdict.NOT_ASSESSED.value
    if before != taken.verdict:
        said = f"{name} was {VERDICTS[before]} and is {VERDICTS[taken.verdict]} now: look at it again."
    else:
        said = f"{name} is still {VERDICTS[before]}, for other reasons: look at it again."
    return Clash(entry.pk, name, Why.VERDICT, said)


def _was_moved(entry: Entry, seen: Seen, was: Assessment | None) -> bool:
    """Whether the page showed an entry for another target, and nobody decided it for this one since."""
    if entry.decision is not None and entry.decision.target_id == entry.target_id:
        return False
    if seen.assessment is None:  # nothing had judged it
        return entry.decision is not None
    return was is not None and was.target_id != entry.target_id


_LONG_AGO = Quarter(1000, 1)  # which quarters are over was asked when the decision was made


def sent_before(taken: Taken, who: Person, given: Given, seen: Seen) -> Decision | None:
    """The decision that stands, where the same form was sent before. One for another target does not stand for it."""
    entry, decision = taken.entry, taken.entry.decision
    if decision is None or entry.version != seen.version + 1 or decision.made_by_id != who.pk:
        return None
    if decision.target_id != entry.target_id:
        return None
    if given.kind == CONFIRM:
        return decision if decision.carried_id is not None else None
    try:
        asked = columns(given, decision.engine_verdict, "", _LONG_AGO)
    except Refused:
        return None
    if decision.kind != Decision.Kind.OTHERWISE:
        del asked["verdict"]  # it follows from what is judged and waived
    return decision if all(getattr(decision, name) == value for name, value in asked.items()) else None


def details(decision: Decision) -> dict[str, Any]:
    """What the history tells of a decision."""
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
