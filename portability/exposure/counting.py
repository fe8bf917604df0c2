"""Counting what would stop: one statement over the narrow columns of the register's rows, then sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Sum, Value, When

from portability.engine.model import Verdict
from portability.register.models import Row
from portability.reviews.decided import decided_verdict
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


NOTHING = Amount()


@dataclass(frozen=True, slots=True)
class Group:
    """Workloads that are alike in all that the page tells apart. `verdict`: that is counted."""

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


def counted_verdict(decided: bool, today: date) -> Any:
    """The verdict that is counted: the engine's, or the one that people's decisions and waivers give."""
    return decided_verdict(today) if decided else F("verdict")


def groups(target: Target, *, decided: bool, today: date) -> list[Group]:
    """Every group there is for a target, of all vendors. One statement."""
    change = Q(verdict=Verdict.NEEDS_CHANGE, counted=Verdict.NEEDS_CHANGE)
    rows = (
        rows_of(target)
        .annotate(
            counted=counted_verdict(decided, today),
            only_target=_flag(change & Q(own_verdict=Verdict.MOVABLE)),
            only_confirm=_flag(change & Q(changes=0)),
        )
        .values_list(
            "workload__vendor_today",
            "workload__team",
            "workload__criticality",
            "counted",
            "only_target",
            "only_confirm",
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
        Group(
            "unknown" if vendor in NOT_SAID else vendor,
            team,
            criticality,
            verdict,
            bool(only_target),
            bool(only_confirm),
            Amount(n, replicas or 0, gpus or 0, n - with_replicas, n - with_gpus),
        )
        for (
            (vendor, team, criticality, verdict, only_target, only_confirm),
            (n, replicas, gpus, with_replicas, with_gpus),
        ) in ((row[:6], row[6:]) for row in rows)
    ]


def _flag(condition: Q) -> Case:
    return Case(When(condition, then=Value(1)), default=Value(0), output_field=IntegerField())


def amount(found: Iterable[Group], when: Callable[[Group], bool] = lambda _: True) -> Amount:
    """The sum of the groups for which something holds."""
    return sum((group.amount for group in found if when(group)), NOTHING)


def registered() -> dict[str, int]:
    """How many workloads run on which vendor today, judged or not."""
    active = Workload.objects.filter(retired_at=None, current__isnull=False).order_by()
    counted: dict[str, int] = {}
    for vendor, n in active.values_list("vendor_today").annotate(Count("pk")):
        name = "unknown" if vendor in NOT_SAID else vendor
        counted[name] = counted.get(name, 0) + n
    return counted


def never_judged(target: Target, vendor: str) -> QuerySet[Workload]:
    """Workloads of a vendor that have no row for a target yet, those with most GPUs first."""
    active = Workload.objects.filter(retired_at=None, current__isnull=False, vendor_today=vendor)
    return active.exclude(rows__target=target).order_by(F("gpus").desc(nulls_last=True), "name", "pk")
