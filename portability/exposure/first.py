"""What would stop, the most critical first: the first dozen, looked for among those alone that can be among them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When

from portability.engine.model import Verdict
from portability.exposure.bars import STATES
from portability.exposure.counting import Group, differing, rows_of
from portability.register.models import Row
from portability.targets.models import Target
from portability.workloads.models import Criticality

LISTED = 12
_STOP = [state.value for state in STATES if state is not Verdict.MOVABLE]
_BUCKETS = [(level, verdict) for level in Criticality.values for verdict in _STOP]  # in the order they are listed in
_SHOWN = (
    *("workload__name", "workload__criticality", "workload__replicas", "workload__gpus", "workload__team__name"),
    *("target_id", "why"),
)
_Bucket = tuple[str, str]  # criticality and verdict
_Found = tuple[int, int, str, int]  # bucket, GPUs negated, name, id: smaller ones come first


def first_to_stop(
    target: Target, vendor: str, engine: list[Group], moves: list[tuple[Group, Group]], today: date
) -> list[Row]:
    """The first rows, each with the verdict that is counted as `counted`.

    `engine`: the groups by the engine's verdicts, which tell where to look; `moves`: those that people decided.
    """
    of_vendor = rows_of(target).filter(vendor_today=vendor)
    standing = [*engine, *(replace(before, amount=-before.amount) for before, _ in moves)]
    enough = _enough(vendor, standing)
    as_judged = of_vendor.filter(reduce(or_, (_in(bucket, "verdict") for bucket in enough), Q()))
    found: list[_Found] = []
    if moves:
        others = differing(target, today)
        as_judged = as_judged.exclude(workload__in=others.values("workload"))
        found = _listed(others.filter(Q(("counted__in", _STOP)), vendor_today=vendor), "counted", _BUCKETS)
    if enough:
        found += _listed(as_judged, "verdict", enough)
    wanted = {pk: _BUCKETS[bucket][1] for bucket, _, _, pk in sorted(found)[:LISTED]}
    rows = rows_of(target).filter(workload__in=wanted).select_related("workload__team").only(*_SHOWN)
    by_workload = {row.workload_id: row for row in rows}
    listed = [
        (by_workload[pk], verdict) for pk, verdict in wanted.items() if pk in by_workload
    ]  # not retired meanwhile
    for row, verdict in listed:
        row.counted = verdict  # type: ignore[attr-defined]
    return [row for row, _ in listed]


def _enough(vendor: str, standing: Iterable[Group]) -> list[_Bucket]:
    """The first buckets that together hold as many as are listed: nothing further down can be among them."""
    held = dict.fromkeys(_BUCKETS, 0)
    for group in standing:
        bucket = (group.criticality, group.verdict)
        if group.vendor == vendor and bucket in held:
            held[bucket] += group.amount.workloads
    chosen: list[_Bucket] = []
    total = 0
    for bucket, workloads in held.items():
        if workloads and total < LISTED:
            chosen.append(bucket)
            total += workloads
    return chosen


def _in(bucket: _Bucket, verdict: str) -> Q:
    return Q(urgency=Criticality.values.index(bucket[0])) & Q(**{verdict: bucket[1]})


def _listed(rows: QuerySet[Row], verdict: str, buckets: list[_Bucket]) -> list[_Found]:
    """The first of these rows, all in some of the buckets; `verdict` names the column that counts.

    Wide columns are not read, and a bucket is looked for only where there are several.
    """
    order: Any = Case(
        *(When(_in(bucket, verdict), then=Value(_BUCKETS.index(bucket))) for bucket in buckets[1:]),
        default=Value(_BUCKETS.index(buckets[0])),
        output_field=IntegerField(),
    )
    ordered = rows.annotate(bucket=order).order_by("bucket", F("gpus").desc(nulls_last=True), "name", "workload_id")
    columns = ordered.values_list("bucket", "gpus", "name", "workload_id")[:LISTED]
    return [(bucket, -(gpus or 0), name, pk) for bucket, gpus, name, pk in columns]
