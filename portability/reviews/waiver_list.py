"""Waivers of the whole register, page by page, with what has become of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import date, timedelta

from django.db.models import Count, Q, QuerySet

from portability.organisation.queries import organisation
from portability.register.models import Row
from portability.reviews import findings
from portability.reviews.models import Waiver
from portability.reviews.waivers import Waived, stand
from portability.targets.queries import stands_against

SOON = timedelta(days=30)
STATES = {
    "running": "in force",
    "soon": "ending within 30 days",
    "void": "without effect",
    "ended": "ended or withdrawn",
    "all": "all",
}


def in_force(today: date) -> frozenset[int]:
    """The ids of the waivers that hold: no column says it, as one ends when what is found becomes another."""
    given = Waiver.objects.filter(_not_ended(today)).select_related("target")
    return frozenset(waived.waiver.pk for waived in with_standing(given, today) if waived.holds)


def waivers(state: str, team: str, rule: str, today: date, holding: Collection[int]) -> QuerySet[Waiver]:
    """Waivers in one of STATES, of a team (slug) and a rule (id); "" leaves a filter out. `holding`: of `in_force`.

    Those for all workloads concern every team.
    """
    found = Waiver.objects.filter(_in(state, today, holding))
    if team:
        found = found.filter(Q(workload__team__slug=team) | Q(workload=None))
    if rule:
        found = found.filter(rule=rule)
    return found.select_related("workload__team", "target", "withdrawn_by")


def counts(today: date, holding: Collection[int]) -> dict[str, int]:
    """How many there are in each of STATES, in one query. `holding`: of `in_force`."""
    return Waiver.objects.aggregate(**{state: Count("pk", filter=_in(state, today, holding)) for state in STATES})


def with_standing(some: Collection[Waiver], today: date) -> list[Waived]:
    """Waivers, in their order: what is found now is compared with what they were given for.

    In one query, and what is known of each target that has any for all workloads.
    """
    unwaivable = frozenset(organisation().not_waivable)
    rows = Row.objects.filter(
        workload__in={w.workload_id for w in some if w.workload_id}, target__in={w.target_id for w in some}
    ).values_list("workload_id", "target_id", "assessment__findings")
    marks: dict[tuple[int | None, int], set[str]] = defaultdict(set)
    for workload, target, found in rows:
        marks[workload, target] = {findings.mark(f) for f in found}
    for of in {w.target for w in some if w.workload_id is None}:
        marks[None, of.pk] = {findings.mark(f) for f in stands_against(of)}
    return [stand([w], marks[w.workload_id, w.target_id], unwaivable, today)[0] for w in some]


def _not_ended(today: date) -> Q:
    return Q(withdrawn_at=None, ends__gte=today)


def _in(state: str, today: date, holding: Collection[int]) -> Q:
    holds = Q(pk__in=holding)
    states: dict[str, Q] = {
        "running": holds,
        "soon": holds & Q(ends__lte=today + SOON),
        "void": _not_ended(today) & ~holds,
        "ended": ~_not_ended(today),
        "all": Q(pk__gt=0),
    }
    return states[state]
