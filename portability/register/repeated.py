"""What rows repeat of their workloads, kept as the workloads are: whatever writes one, its rows follow at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import QuerySet
from django.db.models.signals import post_save

from portability.register.models import Row
from portability.workloads.models import Criticality, Workload, written

# The columns of a workload that its rows repeat, and those of a row that hold them.
OF_WORKLOAD = frozenset({
    *("team", "team_id", "name", "criticality", "owner", "vendor_today"),
    *("engine", "model", "gpus", "replicas", "retired_at"),
})  # fmt: skip
REPEATED = (
    *("retired", "urgency", "name", "name_key", "known_as", "team"),
    *("vendor_today", "engine", "gpus", "replicas"),
)  # fmt: skip
# Columns by which rows are found: files of them read the workload's own.
FOR_FINDING = frozenset({*REPEATED, "said", "why_key"})
_SAID = 2_000  # characters: of the images of a workload that has very many, the first
_AT_ONCE = 500  # rows
_URGENCY = {criticality: n for n, criticality in enumerate(Criticality.values)}


def repeat(workload: Workload) -> dict[str, Any]:
    """The columns of a row that repeat this workload."""
    name = workload.name.lower()
    return {
        "retired": workload.retired_at is not None,
        "urgency": _URGENCY.get(workload.criticality, len(_URGENCY)),
        "name": workload.name,
        "name_key": name,
        "known_as": "\n".join((name, workload.model.lower(), workload.owner.lower())),
        "team_id": workload.team_id,
        "vendor_today": workload.vendor_today,
        "engine": workload.engine,
        "gpus": workload.gpus,
        "replicas": workload.replicas,
    }


def found_by(facts: Mapping[str, Any], why: str) -> dict[str, str]:
    """The columns of a row by which its own words are found. `facts`: of its revision, as stored."""
    images = dict.fromkeys(container["image"] or "" for container in facts["containers"])
    return {"said": "\n".join((*images, why)).lower()[:_SAID], "why_key": why.lower()[:40]}


def renew(rows: QuerySet[Row]) -> None:
    """Take anew by what rows are found, after their words or their workloads' were written past everything."""
    for row in rows.select_related("workload__current"):
        current = row.workload.current
        facts = current.facts if current else {"containers": []}
        Row.objects.filter(pk=row.pk).update(**found_by(facts, row.why), **repeat(row.workload))


def follow() -> None:
    """Have rows follow their workloads. Called once, when the room is ready."""
    post_save.connect(_saved, sender=Workload, dispatch_uid="register.repeated.saved")
    written.connect(_written, sender=Workload, dispatch_uid="register.repeated.written")


def _saved(instance: Workload, created: bool, update_fields: Collection[str] | None, **_: Any) -> None:
    if not created and (update_fields is None or OF_WORKLOAD & set(update_fields)):
        Row.objects.filter(workload=instance).update(**repeat(instance))


def _written(pks: list[int], columns: frozenset[str], **_: Any) -> None:
    if not pks or not columns & OF_WORKLOAD:
        return
    workloads: dict[int, dict[str, Any]] = {}
    rows = list(Row.objects.filter(workload__in=pks).only("workload", *REPEATED))
    for workload in Workload.objects.filter(pk__in={row.workload_id for row in rows}):
        workloads[workload.pk] = repeat(workload)
    others = []
    for row in rows:
        now = workloads[row.workload_id]
        if any(getattr(row, name) != value for name, value in now.items()):
            row.__dict__.update(now)
            others.append(row)
    Row.objects.bulk_update(others, REPEATED, batch_size=_AT_ONCE)
