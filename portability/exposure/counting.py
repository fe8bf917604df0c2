"""Counting what would stop: one statement over narrow columns of workloads and the register's rows, then sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.db.models import Case, Count, F, FilteredRelation, IntegerField, Q, QuerySet, Sum, Value, When

from portability.engine.model import Verdict
from portability.register.models import Row
from portability.reviews.decided import decided_verdict
from portability.reviews.models import Decided
from portability.targets.models import Target
from portability.workloads.models import Workload

NOT_SAID = ("", "unknown")  # of whom a workload runs on, where nobody declared it and nothing shows it


@dataclass(frozen=True, slots=True)
class Amount:
    """Workloads, and their replicas and GPUs as far as those are known."""

    workloads: int = 0
    replicas: int = 0
    gpus: int = 0
    replicas_unknown: int = 0  # workloads of which the number is not known
    gpus_unknown: int = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(
            self.workloads + other.workloads,
            self.replicas + other.replicas,
            self.gpus + other.gpus,
            self.replicas_unknown + other.replicas_unknown,
            self.gpus_unknown + other.gpus_unknown,
        )

    def __neg__(self) -> Amount:
        return Amount(-self.workloads, -self.replicas, -self.gpus, -self.replicas_unknown, -self.gpus_unknown)


NOTHING = Amount()


@dataclass(frozen=True, slots=True)
class Group:
    """Workloads that are alike in all that the page tells apart. `verdict`: that is counted; "" where there is none."""

    vendor: str
    team: int
    criticality: str
    verdict: str
    only_target: bool  # needs change only because of the target
    only_confirm: bool  # needs change only until something is confirmed
    amount: Amount


def rows_of(target: Target) -> QuerySet[Row]:
    """The register's rows for a target, of workloads that are not retired."""
    return Row.objects.filter(target=target, workload__retired_at=None).order_by()


def groups(target: Target) -> list[Group]:
    """Every group there is, of all vendors, by the engine's verdicts. What has no row for the target has no verdict."""
    change = Q(judged__verdict=Verdict.NEEDS_CHANGE)
    workloads = (
        active()
        .annotate(
            judged=FilteredRelation("rows", condition=Q(rows__target=target)),
            only_target=_flag(change & Q(judged__own_verdict=Verdict.MOVABLE)),
            only_confirm=_flag(change & Q(judged__changes=0)),
        )
        .values_list("vendor_today", "team", "criticality", "judged__verdict", "only_target", "only_confirm")
        .annotate(Count("pk"), Sum("replicas"), Sum("gpus"), Count("replicas"), Count("gpus"))
    )
    return [_group(row[:3], row[3] or "", row[6:], only_target=row[4], only_confirm=row[5]) for row in workloads]


def differing(target: Target, today: date) -> QuerySet[Row]:
    """The rows that people's decisions and waivers give another verdict than the engine does, as `counted`.

    Few rows have any: those are looked at alone.
    """
    now = Decided.objects.filter(Q(until=None) | Q(until__gte=today), target=target)
    rows = rows_of(target).filter(assessment__in=now.values("assessment"))
    return rows.annotate(counted=decided_verdict(today)).exclude(counted=F("verdict"))


def moved(target: Target, today: date) -> list[tuple[Group, Group]]:
    """Groups whose verdict people gave: as the engine has them, and as they are decided. One statement."""
    change = Q(verdict=Verdict.NEEDS_CHANGE)
    rows = (
        differing(target, today)
        .annotate(only_target=_flag(change & Q(own_verdict=Verdict.MOVABLE)), only_confirm=_flag(change & Q(changes=0)))
        .values_list(
            "workload__vendor_today",
            "workload__team",
            "workload__criticality",
            "verdict",
            "only_target",
            "only_confirm",
            "counted",
        )
        .annotate(
            Count("workload"),
            Sum("workload__replicas"),
            Sum("workload__gpus"),
            Count("workload__replicas"),
            Count("workload__gpus"),
        )
    )
    return [
        (_group(row[:3], row[3], row[7:], only_target=row[4], only_confirm=row[5]), _group(row[:3], row[6], row[7:]))
        for row in rows
    ]


def as_decided(found: list[Group], moves: list[tuple[Group, Group]]) -> list[Group]:
    """The groups by decided verdicts: what was moved is taken from where it was and put where it is."""
    return [*found, *(replace(before, amount=-before.amount) for before, _ in moves), *(after for _, after in moves)]


def _group(
    of: tuple[Any, ...], verdict: str, sums: tuple[Any, ...], *, only_target: object = 0, only_confirm: object = 0
) -> Group:
    vendor, team, criticality = of
    n, replicas, gpus, with_replicas, with_gpus = sums
    found = Amount(n, replicas or 0, gpus or 0, n - with_replicas, n - with_gpus)
    vendor = "unknown" if vendor in NOT_SAID else vendor
    return Group(vendor, team, criticality, verdict, bool(only_target), bool(only_confirm), found)


def _flag(condition: Q) -> Case:
    return Case(When(condition, then=Value(1)), default=Value(0), output_field=IntegerField())


def amount(found: Iterable[Group], when: Callable[[Group], bool] = lambda _: True) -> Amount:
    """The sum of the groups for which something holds."""
    return sum((group.amount for group in found if when(group)), NOTHING)


def active() -> QuerySet[Workload]:
    """Workloads that are judged: not retired, and with a revision."""
    return Workload.objects.filter(retired_at=None, current__isnull=False).order_by()


def never_judged(target: Target, vendor: str) -> QuerySet[Workload]:
    """Workloads of a vendor that have no row for a target yet, those with most GPUs first."""
    unjudged = active().filter(vendor_today=vendor).exclude(rows__target=target)
    return unjudged.order_by(F("gpus").desc(nulls_last=True), "name", "pk")
