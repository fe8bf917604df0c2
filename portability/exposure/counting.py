"""Counting what would stop: one statement over narrow columns of workloads and the register's rows, then sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Sum, Value, When

from portability.engine.model import Verdict
from portability.register.models import Row
from portability.register.queries import never_assessed
from portability.reviews.decided import decided_verdict
from portability.reviews.models import Decided
from portability.targets.models import Target
from portability.workloads.models import Criticality, Workload

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


_URGENCIES = dict(enumerate(Criticality.values))
_LIKE = ("vendor_today", "team_id", "urgency", "verdict")  # of rows, by which they are grouped
_SUMS = (Count("pk"), Sum("replicas"), Sum("gpus"), Count("replicas"), Count("gpus"))


def rows_of(target: Target) -> QuerySet[Row]:
    """The register's rows for a target, of workloads that are not retired."""
    return Row.objects.filter(target=target, retired=False).order_by()


def groups(target: Target) -> list[Group]:
    """Every group there is, of all vendors, by the engine's verdicts. What has no row for the target has no verdict.

    What is waiting to be judged for the first time is looked for only where there are fewer rows than workloads.
    """
    rows = _flagged(rows_of(target)).values_list(*_LIKE, "only_target", "only_confirm").annotate(*_SUMS)
    judged = [
        _group(
            vendor, team, _URGENCIES.get(urgency, ""), verdict, sums, only_target=target_only, only_confirm=confirm_only
        )
        for vendor, team, urgency, verdict, target_only, confirm_only, *sums in rows
    ]
    if never_assessed(sum(group.amount.workloads for group in judged)):
        waiting = active().exclude(rows__target=target).values_list("vendor_today", "team_id", "criticality")
        judged += [_group(vendor, team, level, "", sums) for vendor, team, level, *sums in waiting.annotate(*_SUMS)]
    return judged


def differing(target: Target, today: date) -> QuerySet[Row]:
    """The rows that people's decisions and waivers give another verdict than the engine does, as `counted`.

    Few rows have any: those are looked at alone.
    """
    now = Decided.objects.filter(Q(until=None) | Q(until__gte=today), target=target)
    rows = rows_of(target).filter(assessment__in=now.values("assessment"))
    return rows.annotate(counted=decided_verdict(today)).exclude(counted=F("verdict"))


def moved(target: Target, today: date) -> list[tuple[Group, Group]]:
    """Groups whose verdict people gave: as the engine has them, and as they are decided. One statement."""
    rows = _flagged(differing(target, today)).values_list(*_LIKE, "only_target", "only_confirm", "counted")
    found = []
    for vendor, team, urgency, verdict, only_target, only_confirm, counted, *sums in rows.annotate(*_SUMS):
        of = (vendor, team, _URGENCIES.get(urgency, ""))
        before = _group(*of, verdict, sums, only_target=only_target, only_confirm=only_confirm)
        found.append((before, _group(*of, counted, sums)))
    return found


def as_decided(found: list[Group], moves: list[tuple[Group, Group]]) -> list[Group]:
    """The groups by decided verdicts: what was moved is taken from where it was and put where it is."""
    return [*found, *(replace(before, amount=-before.amount) for before, _ in moves), *(after for _, after in moves)]


def _group(
    vendor: str,
    team: int,
    criticality: str,
    verdict: str,
    sums: Sequence[int | None],
    *,
    only_target: int = 0,
    only_confirm: int = 0,
) -> Group:
    n, replicas, gpus, with_replicas, with_gpus = (each or 0 for each in sums)
    found = Amount(n, replicas, gpus, n - with_replicas, n - with_gpus)
    vendor = "unknown" if vendor in NOT_SAID else vendor
    return Group(vendor, team, criticality, verdict, bool(only_target), bool(only_confirm), found)


def _flagged(rows: QuerySet[Row]) -> QuerySet[Row]:
    """Rows with 1 or 0 as `only_target` and `only_confirm`, as groups have them."""
    change = Q(verdict=Verdict.NEEDS_CHANGE)
    return rows.annotate(
        only_target=_flag(change & Q(own_verdict=Verdict.MOVABLE)), only_confirm=_flag(change & Q(changes=0))
    )


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
