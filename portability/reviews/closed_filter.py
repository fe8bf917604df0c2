"""Which lines of a closed review's register an address asks for: judged here and nowhere else.

A figure of the record leads to the entries it counts by what each line says under `counted` (`record.summary.line`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, IntegerField, QuerySet, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from portability.reviews.models import Record, SummaryLine
from portability.reviews.record.figures import APART, COULD_MOVE, COUNTED, GROUPS, NO_VENDOR, ONLY_CONFIRM, ONLY_TARGET
from portability.reviews.words import VERDICTS
from portability.reviews.words import vendor as on_vendor
from portability.workloads.models import Criticality

WOULD_STOP, ALL_COUNTED = "would-stop", "counted"
NO_TARGET = "(none)"
EXPOSURES = {
    WOULD_STOP: "would stop",
    "no-way-out": "no way out",
    "until-changed": "until changed",
    ONLY_TARGET: "until changed, only because of the target",
    ONLY_CONFIRM: "until changed, only to confirm",
    "not-known": "not known",
    COULD_MOVE: "could move as they are",
    ALL_COUNTED: "counted as exposed or not",
    APART: "on the vendor of their target",
    NO_VENDOR: "counted for no vendor",
}
_OF_SEVERAL = {
    WOULD_STOP: [group for group in GROUPS.values() if group != COULD_MOVE],
    ALL_COUNTED: [*GROUPS.values()],
}
_UNKNOWN = {"replicas": "replicas not known", "gpus": "GPUs not known"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for, by its name in the address; "" is anything."""

    verdict: str = ""
    team: str = ""
    criticality: str = ""
    vendor: str = ""  # that the workload ran on
    target: str = ""
    exposure: str = ""
    unknown: str = ""  # replicas or gpus

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> Wanted:
        """Of the query string. What is nothing that anything could be finds nothing."""
        return cls(**{name: asked.get(name, "").replace("\x00", "") for name in _NAMES})

    @property
    def values(self) -> dict[str, str]:
        """What is set, by its name in the address."""
        return {name: said for name in _NAMES if (said := getattr(self, name))}

    @property
    def address(self) -> str:
        """The query string that asks for it, and the place on the page."""
        return f"?{urlencode(self.values)}#register"

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """What the page's form, which chooses a team, leaves as it is."""
        return [(name, said) for name, said in self.values.items() if name != "team"]

    @property
    def words(self) -> list[str]:
        """What is asked for besides verdict and team, which the page shows elsewhere."""
        said = [f"ran on {on_vendor(self.vendor)}"] if self.vendor else []
        if self.target:
            said.append("without a target" if self.target == NO_TARGET else f"against {self.target}")
        said += [EXPOSURES.get(self.exposure, self.exposure)] if self.exposure else []
        said += [dict(Criticality.choices).get(self.criticality, self.criticality).lower()] if self.criticality else []
        return said + ([_UNKNOWN.get(self.unknown, self.unknown)] if self.unknown else [])

    def lines(self, record: Record) -> QuerySet[SummaryLine]:
        """The record's entries in short that it asks for."""
        found = SummaryLine.objects.filter(record=record)
        if self.verdict:
            found = found.filter(verdict=self.verdict) if self.verdict in VERDICTS else found.none()
        if self.team:
            found = found.filter(team=self.team)
        if self.criticality:
            found = found.filter(said__workload__criticality=self.criticality)
        if self.vendor:
            found = found.filter(said__counted__vendor=self.vendor)
        if self.target:
            found = found.filter(said__counted__target="" if self.target == NO_TARGET else self.target)
        if self.unknown:
            known = self.unknown in _UNKNOWN
            found = found.filter(**{f"said__workload__{self.unknown}": None}) if known else found.none()
        return self._exposed(found) if self.exposure else found

    def _exposed(self, found: QuerySet[SummaryLine]) -> QuerySet[SummaryLine]:
        if self.exposure not in EXPOSURES:
            return found.none()
        if self.exposure in (ONLY_TARGET, ONLY_CONFIRM):
            return found.filter(**{f"said__counted__{self.exposure.replace('-', '_')}": True})
        return found.filter(said__counted__group__in=_OF_SEVERAL.get(self.exposure, [self.exposure]))


_NAMES = tuple(each.name for each in fields(Wanted))


def amounts(lines: QuerySet[SummaryLine]) -> dict[str, int]:
    """Workloads, their replicas and GPUs, and of how many these are not known, by `COUNTED`."""
    numbers = {name: Cast(KT(f"said__workload__{name}"), IntegerField()) for name in ("replicas", "gpus")}
    sums: dict[str, Any] = {"workloads": Count("pk")}
    for name, number in numbers.items():
        sums |= {name: Sum(number), f"known_{name}": Count(number)}
    found = lines.order_by().aggregate(**sums)
    unknown = {f"{name}_unknown": found["workloads"] - found[f"known_{name}"] for name in numbers}
    return {name: (found | unknown)[name] or 0 for name in COUNTED}
