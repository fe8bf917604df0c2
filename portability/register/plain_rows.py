"""Rows for files of many: the same attributes as the models have, without what models cost. Only to be read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from django.db.models import QuerySet

from portability.register.models import Row
from portability.register.repeated import FOR_FINDING
from portability.register.streaming import stream

_ROW = tuple(field.attname for field in Row._meta.concrete_fields if field.name not in FOR_FINDING)
_WORKLOAD = (
    "name", "owner", "criticality", "vendor_today", "engine", "model", "gpus", "replicas", "retired_at",
)  # fmt: skip
_ASSESSMENT = ("platform_judged", "releases")
_NAMES = (
    *_ROW,
    *(f"workload__{name}" for name in _WORKLOAD),
    *(f"assessment__{name}" for name in _ASSESSMENT),
    "workload__team__name",
)
_TO_WORKLOAD = len(_ROW)
_TO_ASSESSMENT = _TO_WORKLOAD + len(_WORKLOAD)


class _Plain:
    """Something with attributes."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__ = values


def plain_rows(rows: QuerySet[Row], chunk: int) -> Iterator[Row]:
    """The rows with what `columns` reads of them: of workload, team and assessment too."""
    teams: dict[str, _Plain] = {}
    for _, *values in stream(rows, _NAMES, chunk):
        row = dict(zip(_ROW, values, strict=False))
        row["pk"] = row["id"]
        workload = dict(zip(_WORKLOAD, values[_TO_WORKLOAD:_TO_ASSESSMENT], strict=True))
        name = values[-1]
        if name not in teams:
            teams[name] = _Plain({"name": name})
        workload["team"] = teams[name]
        row["workload"] = _Plain(workload)
        row["assessment"] = _Plain(dict(zip(_ASSESSMENT, values[_TO_ASSESSMENT:-1], strict=True)))
        yield cast(Row, _Plain(row))
