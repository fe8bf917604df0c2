"""Rows for files of many: the same attributes as the models have, without what models cost. Only to be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from portability.register.models import Row
from portability.register.repeated import FOR_FINDING
from portability.register.streaming import stream

_ROW = tuple(field.attname for field in Row._meta.concrete_fields if field.name not in FOR_FINDING)
_WORKLOAD = (
    "name", "owner", "criticality", "vendor_today", "engine", "model", "gpus", "replicas", "retired_at",
)  # fmt: skip
_RELEASES = Cast("assessment__releases", TextField())
_NAMES = (
    *_ROW,
    *(f"workload__{name}" for name in _WORKLOAD),
    "assessment__platform_judged",
    "workload__team__name",
    "releases",
)
_TO_WORKLOAD = len(_ROW)
_TO_ASSESSMENT = _TO_WORKLOAD + len(_WORKLOAD)
_REMEMBERED = 1_000


class _Plain:
    """Something with attributes."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__ = values


class _Releases(dict[str, Any]):
    """What assessments rest on, from its JSON text: few distinct ones exist, so each is read once."""

    def __missing__(self, text: str) -> Any:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = self[text] = json.loads(text)
        return found


def plain_rows(rows: QuerySet[Row], chunk: int) -> Iterator[Row]:
    """The rows with what `columns` reads of them: of workload, team and assessment too."""
    teams: dict[str, _Plain] = {}
    read = _Releases()
    for _, *values, name, releases in stream(rows.annotate(releases=_RELEASES), _NAMES, chunk):
        row = dict(zip(_ROW, values, strict=False))
        row["pk"] = row["id"]
        workload = dict(zip(_WORKLOAD, values[_TO_WORKLOAD:_TO_ASSESSMENT], strict=True))
        if name not in teams:
            teams[name] = _Plain({"name": name})
        workload["team"] = teams[name]
        row["workload"] = _Plain(workload)
        row["assessment"] = _Plain({"platform_judged": values[_TO_ASSESSMENT], "releases": read[releases]})
        yield cast(Row, _Plain(row))
