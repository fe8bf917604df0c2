"""Entries as they join a review: with how they stand, what was decided last, and what changed since."""

from __future__ import annotations

from collections.abc import Sequence

from portability.engine.model import Verdict
from portability.organisation.queries import default_targets
from portability.register.models import Row
from portability.reviews.changes import Change, since
from portability.reviews.models import Decision, Entry, Review
from portability.reviews.words import vendor
from portability.targets.models import Target
from portability.workloads.models import Workload

NOT_ASSESSED = Verdict.NOT_ASSESSED.value
_AT_ONCE = 500


def join(review: Review, workloads: Sequence[Workload], *, new: bool) -> list[Entry]:
    """Make an entry for each workload, for the default target of the vendor it runs on. In bulk, in a transaction."""
    targets = default_targets()
    made: list[Entry] = []
    for start in range(0, len(workloads), _AT_ONCE):
        made += _join(review, workloads[start : start + _AT_ONCE], targets, new=new)
    return made


def _join(review: Review, workloads: Sequence[Workload], targets: dict[str, Target], *, new: bool) -> list[Entry]:
    ids = [workload.pk for workload in workloads]
    stands = standing(ids)
    last = last_decisions(ids)
    entries = []
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    for workload in workloads:
        target = targets.get(workload.vendor_today)
        pair = (workload.pk, target.pk if target else 0)
        entry = Entry(
            review=review,
            workload=workload,
            target=target,
            vendor=workload.vendor_today,
            new=new,
            stood_id=stands.get(pair, (None, ""))[0],
            before=last.get(workload.pk),
        )
        entries.append(entry)
        if entry.before and entry.before.assessment_id and entry.stood_id and entry.before.target_id == entry.target_id:
            spans[pair] = (entry.before.assessment_id, entry.stood_id)
    changed = since(spans)
    for entry in entries:
        moved = _other_target(entry, stands.get((entry.workload_id, entry.target_id or 0), (0, NOT_ASSESSED))[1])
        entry.changed = [c.to_json() for c in [*moved, *changed.get((entry.workload_id, entry.target_id or 0), [])]]
    return Entry.objects.bulk_create(entries)


def standing(workload_ids: Sequence[int]) -> dict[tuple[int, int], tuple[int, str]]:
    """By workload and target: the assessment (id) that the register's row shows, and its verdict."""
    rows = Row.objects.filter(workload__in=workload_ids)
    found = rows.values_list("workload_id", "target_id", "assessment_id", "verdict")
    return {(workload, target): (assessment, verdict) for workload, target, assessment, verdict in found}


def last_decisions(workload_ids: Sequence[int]) -> dict[int, Decision]:
    """By workload: what the newest closed review that decided it came to."""
    found = Entry.objects.filter(
        workload__in=workload_ids,
        review__state=Review.State.CLOSED,
        decision__isnull=False,
    ).select_related("decision__entry", "decision__target")
    newest = {entry.workload_id: entry.decision for entry in found.order_by("review__starts", "review_id")}
    return {workload: decision for workload, decision in newest.items() if decision is not None}


def _other_target(entry: Entry, verdict: str) -> list[Change]:
    """The first thing that changed, where the last decision was about another target."""
    if entry.before is None or entry.before.target_id == entry.target_id:
        return []
    was, then, now = entry.before.target, entry.before.entry.vendor, entry.vendor
    decided = f"decided {f'for {was.name}' if was else 'without a default target'}"
    if then != now:  # when it was decided it may have run on this vendor already: an entry keeps its target
        since = f", its target since it ran on {vendor(then)}" if was else ""
        cause, words = "manifest", f"runs on {vendor(now)} by now; it was {decided}{since}"
    elif was is None:
        cause, words = "target", decided
    else:
        cause, words = "target", f"{decided}, {'another' if entry.target else 'no'} default target since"
    return [Change(cause, words, "", entry.before.engine_verdict, verdict, [], [])]
