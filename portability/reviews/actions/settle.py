"""Working out the decided verdicts of rows anew, in the transaction of whatever changed them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from portability.organisation.queries import stored
from portability.register.models import Row
from portability.reviews import findings
from portability.reviews.actions.common import lock_workloads
from portability.reviews.errors import Refused
from portability.reviews.models import Decided, Decision, Entry, Review, Unsettled, Waiver
from portability.reviews.newest import newest
from portability.reviews.waivers import ByPair, concerning
from portability.waking import wake
from portability.workloads.models import Workload

Pair = tuple[int, int]  # workload id, target id
SETTLE = "portability.reviews.tasks.settle_target"  # the task
FEW = 200  # workloads that are settled while a person waits; more are left to a worker
_AT_ONCE = 500
_JUDGED = ("assessment__verdict", "assessment__findings", "assessment__missing")  # of a row, without its texts


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

    Must be called in a transaction that nobody registers during (`wait_for_opening`).
    """
    live = _live(today)
    of_one = live.exclude(workload=None).values_list("workload_id", "target_id")
    for_all = live.filter(workload=None).order_by().values_list("target_id", flat=True)
    _settle_both({(w, t) for w, t in of_one if w is not None}, set(for_all), today)


def settle_for_all(target_id: int, today: date) -> None:
    """Work out anew every workload for a target, of which something was waived for all, or is no longer.

    At once where they are few, by a worker where they are many. Must be called in a transaction that nobody registers
    during (`wait_for_opening`).
    """
    _settle_both(set(), {target_id}, today)


def require_settled(review: Review) -> None:
    """Raises Refused while workers have yet to find out what waivers for all workloads make of a review's entries."""
    if Unsettled.objects.filter(target__in=Entry.objects.filter(review=review).values("target")).exists():
        raise Refused("It cannot be signed off yet: what a waiver makes of its entries is still being worked out.")


def _settle_both(pairs: set[Pair], targets: Collection[int], today: date) -> None:
    """Settle pairs, and whatever is judged for some targets. Locks are taken in one go, or others wait in a circle."""
    all_of_them = list(Workload.objects.order_by("pk").values_list("pk", flat=True)[: FEW + 1]) if targets else []
    many = len(all_of_them) > FEW
    if targets and not many:
        pairs = pairs | {(workload, target) for workload in all_of_them for target in targets}
    lock_workloads({workload for workload, _ in pairs})
    settle(pairs, today)
    if many:
        _leave_to_a_worker(targets)


def _leave_to_a_worker(targets: Collection[int]) -> None:
    """The review is taken, so that it is not signed off at this moment; once it may be, it is seen what is left."""
    list(Review.objects.select_for_update().filter(state=Review.State.OPEN).values_list("pk"))
    Unsettled.objects.bulk_create(Unsettled(target_id=target) for target in sorted(targets))
    transaction.on_commit(lambda: [wake(SETTLE, target) for target in sorted(targets)])


def _settle(pairs: Sequence[Pair], today: date) -> None:
    wanted = _spoken_of(pairs, today)
    if not wanted:
        return
    _let_hold(wanted)
    workloads, targets = {w for w, _ in wanted}, {t for _, t in wanted}
    waivers = ByPair(concerning(workloads, targets) & _live(today))
    own = _decided_otherwise(workloads, targets)
    old = Decided.objects.filter(workload__in=workloads, target__in=targets).values_list("pk", "workload", "target")
    Decided.objects.filter(pk__in=[pk for pk, w, t in old if (w, t) in wanted]).delete()
    touched = {pair for pair in wanted if pair in own or waivers.of(*pair)}
    if not touched:
        return
    unwaivable = frozenset(stored().not_waivable)
    made: list[Decided] = []
    for row in _rows(touched).select_related("assessment").only("workload", "target", *_JUDGED):
        pair = (row.workload_id, row.target_id)
        if pair in touched:
            made += _spans(row, [w for w in waivers.of(*pair) if w.rule not in unwaivable], own.get(pair))
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
    """Of these pairs, those that somebody waived or decided anything of."""
    workloads, targets = {w for w, _ in pairs}, {t for _, t in pairs}
    among = {"workload__in": workloads, "target__in": targets}
    of = ("workload_id", "target_id")
    standing = Entry.objects.filter(decision__isnull=False, review__state=Review.State.OPEN, **among)
    otherwise = Decision.objects.filter(
        kind=Decision.Kind.OTHERWISE, undone_at=None, entry__workload__in=workloads, target__in=targets
    )
    waivers = (concerning(workloads, targets) & _live(today)).order_by().values_list(*of)
    told = set(
        standing.order_by()
        .values_list(*of)
        .union(
            otherwise.order_by().values_list("entry__workload_id", "target_id"),
            waivers,
            Decided.objects.filter(**among).values_list(*of),
        )
    )
    return {pair for pair in pairs if pair in told or (None, pair[1]) in told}


def _spans(row: Row, waivers: Collection[Waiver], own: Decision | None) -> list[Decided]:
    """One for each day on which a waiver of what is found now ends, and one without end where a decision holds."""
    a = row.assessment
    rules = {waiver.rule for waiver in waivers}
    found = {findings.mark(f) for f in findings.counting(a.findings) if f["rule"] in rules}
    until: dict[str, date] = {}  # of two waivers of one finding the later end counts
    for waiver in waivers:
        if (mark := findings.waiver_mark(waiver.identity, waiver.cause)) in found:
            until[mark] = max(waiver.ends, until.get(mark, waiver.ends))
    decision = own if own and own.basis == findings.basis(a.verdict, a.findings, a.missing) else None
    ends: list[date | None] = [*sorted(set(until.values()))]
    if decision:
        ends.append(None)
    made = []
    for end in ends:
        waived = {mark for mark, last in until.items() if end is not None and last >= end}
        with_waivers = findings.waived_verdict(a.findings, a.missing, waived)
        made.append(
            Decided(
                workload_id=row.workload_id,
                target_id=row.target_id,
                assessment=a,
                verdict=decision.verdict if decision else with_waivers,
                with_waivers=with_waivers,
                waived=len(waived),
                decision=decision,
                until=end,
            )
        )
    return made


def _live(today: date) -> QuerySet[Waiver]:
    """Waivers that may hold. Two days more than today: another zone may have another day, and more does no harm."""
    return Waiver.objects.filter(withdrawn_at=None, ends__gte=today - timedelta(days=2))


def _decided_otherwise(workloads: Collection[int], targets: Collection[int]) -> dict[Pair, Decision]:
    """The decision that counts of a pair, where it is a reviewer's own."""
    own = newest(workloads, targets).filter(kind=Decision.Kind.OTHERWISE).select_related("entry")
    return {(decision.entry.workload_id, decision.target_id or 0): decision for decision in own}


def _rows(pairs: Collection[Pair]) -> QuerySet[Row]:
    return Row.objects.filter(workload__in={w for w, _ in pairs}, target__in={t for _, t in pairs})
