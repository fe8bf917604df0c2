"""Working out the decided verdicts of rows anew, in the transaction of whatever changed them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import date, timedelta

from django.db.models import F, Q, QuerySet

from portability.organisation.queries import stored
from portability.register.models import Row
from portability.reviews import findings
from portability.reviews.actions.common import lock_workloads
from portability.reviews.models import Decided, Decision, Entry, Review, Waiver

Pair = tuple[int, int]  # workload id, target id
_AT_ONCE = 500


def settle(pairs: Collection[Pair], today: date) -> None:
    """Work out anew what people's waivers and decisions make of these pairs of workload and target.

    Must be called in a transaction that has the pairs' workloads locked, or has just made them. Pairs of which nobody
    waived or decided anything cost one query for all together. Also finds which decisions of the open review still
    hold for what is judged now.
    """
    for start in range(0, len(ordered := sorted(pairs)), _AT_ONCE):
        _settle(ordered[start : start + _AT_ONCE], today)


def settle_all(today: date) -> None:
    """Work out anew every pair that has a waiver: for when the organisation changes which rules may be waived.

    Must be called in a transaction.
    """
    live = _live(today)
    lock_workloads(live.values("workload"))
    settle(set(live.values_list("workload_id", "target_id")), today)


def _settle(pairs: Sequence[Pair], today: date) -> None:
    wanted = set(pairs) & _spoken_of(pairs, today)
    if not wanted:
        return
    _let_hold(wanted)
    workloads, targets = {w for w, _ in wanted}, {t for _, t in wanted}
    waivers: dict[Pair, list[Waiver]] = defaultdict(list)
    for waiver in _live(today).filter(workload__in=workloads, target__in=targets):
        waivers[waiver.workload_id, waiver.target_id].append(waiver)
    own = _decided_otherwise(workloads, targets)
    old = Decided.objects.filter(workload__in=workloads, target__in=targets).values_list("pk", "workload", "target")
    Decided.objects.filter(pk__in=[pk for pk, w, t in old if (w, t) in wanted]).delete()
    touched = wanted & (waivers.keys() | own.keys())
    if not touched:
        return
    unwaivable = frozenset(stored().not_waivable)
    made: list[Decided] = []
    for row in _rows(touched).select_related("assessment"):
        pair = (row.workload_id, row.target_id)
        if pair in touched:
            made += _spans(row, [w for w in waivers[pair] if w.rule not in unwaivable], own.get(pair))
    Decided.objects.bulk_create(made)


def _let_hold(pairs: Collection[Pair]) -> None:
    """Let the decisions of the open review hold for what was judged anew, where it says the same of what counts."""
    standing = Decision.objects.filter(
        entry__decision=F("pk"),
        entry__review__state=Review.State.OPEN,
        entry__workload__in={w for w, _ in pairs},
        entry__target__in={t for _, t in pairs},
    ).select_related("entry")
    decisions = {(d.entry.workload_id, d.entry.target_id or 0): d for d in standing}
    changed = []
    for row in _rows(decisions.keys() & set(pairs)).select_related("assessment") if decisions else ():
        decision = decisions.get((row.workload_id, row.target_id))
        if decision is None or decision.holds_for_id == row.assessment_id:
            continue
        a = row.assessment
        if decision.basis == findings.basis(a.verdict, a.findings, a.missing):
            decision.holds_for = a
            changed.append(decision)
    Decision.objects.bulk_update(changed, ["holds_for"])


def _spoken_of(pairs: Sequence[Pair], today: date) -> set[Pair]:
    """Of these pairs, and of others between them, those that somebody waived or decided anything of."""
    among = {"workload__in": {w for w, _ in pairs}, "target__in": {t for _, t in pairs}}
    of = ("workload_id", "target_id")
    stands = Q(decision__isnull=False, review__state=Review.State.OPEN) | Q(decision__kind=Decision.Kind.OTHERWISE)
    own = Entry.objects.filter(stands, **among).order_by().values_list(*of)
    waivers = _live(today).filter(**among).order_by().values_list(*of)
    return set(own.union(waivers, Decided.objects.filter(**among).values_list(*of)))


def _spans(row: Row, waivers: Iterable[Waiver], own: Decision | None) -> list[Decided]:
    """One for each day on which a waiver of what is found now ends, and one without end where a decision holds."""
    a = row.assessment
    found = {findings.mark(f) for f in findings.counting(a.findings)}
    until = {mark: w.ends for w in waivers if (mark := findings.waiver_mark(w.identity, w.cause)) in found}
    decision = own if own and own.basis == findings.basis(a.verdict, a.findings, a.missing) else None
    ends: list[date | None] = [*sorted(set(until.values()))]
    if decision:
        ends.append(None)
    made = []
    for end in ends:
        waived = {mark for mark, last in until.items() if end is not None and last >= end}
        made.append(
            Decided(
                workload_id=row.workload_id,
                target_id=row.target_id,
                assessment=a,
                verdict=decision.verdict if decision else findings.waived_verdict(a.findings, a.missing, waived),
                waived=len(waived),
                decision=decision,
                until=end,
            )
        )
    return made


def waived_marks(workload_ids: Collection[int], today: date) -> dict[Pair, set[str]]:
    """The marks of findings that are waived on that day, by workload and target."""
    live = Waiver.objects.filter(workload__in=workload_ids, withdrawn_at=None, ends__gte=today)
    found: dict[Pair, set[str]] = defaultdict(set)
    for waiver in live.exclude(rule__in=stored().not_waivable):
        mark = findings.waiver_mark(waiver.identity, waiver.cause)
        found[waiver.workload_id, waiver.target_id].add(mark)
    return found


def _live(today: date) -> QuerySet[Waiver]:
    """Waivers that may hold. Two days more than today: another zone may have another day, and more does no harm."""
    return Waiver.objects.filter(withdrawn_at=None, ends__gte=today - timedelta(days=2))


def _decided_otherwise(workloads: Collection[int], targets: Collection[int]) -> dict[Pair, Decision]:
    """The decision that stands of a pair, where it is a reviewer's own: of the newest review that decided the pair."""
    entries = Entry.objects.filter(workload__in=workloads, target__in=targets, decision__isnull=False)
    some = set(entries.filter(decision__kind=Decision.Kind.OTHERWISE).values_list("workload_id", "target_id"))
    if not some:
        return {}
    newest: dict[Pair, Decision] = {}
    among = entries.filter(workload__in={w for w, _ in some}).select_related("decision")
    for entry in among.order_by("review__quarter"):
        if entry.target_id is not None and entry.decision is not None:
            newest[entry.workload_id, entry.target_id] = entry.decision
    return {pair: d for pair, d in newest.items() if d.kind == Decision.Kind.OTHERWISE}


def _rows(pairs: Collection[Pair]) -> QuerySet[Row]:
    return Row.objects.filter(workload__in={w for w, _ in pairs}, target__in={t for _, t in pairs})
