"""Waivers with what has become of them, worked out for a day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.db.models import Q, QuerySet

from portability.engine.model import Verdict
from portability.organisation.queries import organisation
from portability.register.models import Assessment
from portability.reviews import findings
from portability.reviews.models import Waiver
from portability.ui.templatetags.ui import dated


class Standing(StrEnum):
    """Whether a waiver holds, or why it does not."""

    HOLDS = "holds"
    WITHDRAWN = "withdrawn"
    ENDED = "ended"  # its day has passed
    NOT_WAIVABLE = "not-waivable"  # the organisation settled since that nobody may waive its rule
    OTHER_CAUSE = "other-cause"  # what it was given for is gone, or is another value


_WORDS = {
    Standing.HOLDS: "holds until {}",
    Standing.WITHDRAWN: "withdrawn",
    Standing.ENDED: "ended on {}",
    Standing.NOT_WAIVABLE: "does not count: the organisation lets nobody waive this rule",
    Standing.OTHER_CAUSE: "does not count: what it was given for has changed",
}


@dataclass(frozen=True, slots=True)
class Waived:
    """A waiver and its standing. `mark`: of the finding it was given for."""

    waiver: Waiver
    standing: Standing
    mark: str

    @property
    def holds(self) -> bool:
        """Whether its finding counts as a note."""
        return self.standing is Standing.HOLDS

    @property
    def words(self) -> str:
        """What has become of it: `holds until 31 March 2027`."""
        return in_words(self.standing, self.waiver.ends)

    @property
    def for_all(self) -> bool:
        """Whether it was given on the target, for all workloads."""
        return self.waiver.workload_id is None

    @property
    def where(self) -> str:
        """Its place as people read it: those of long ago are stored with the escapes of a pointer."""
        return findings.in_words(self.waiver.where)


def in_words(standing: Standing, ends: date) -> str:
    """What has become of a waiver with this last day: `ended on 31 March 2027`."""
    return _WORDS[standing].format(dated(ends))


class ByPair:
    """Waivers by workload and target: those of a workload, and those that its target has for all."""

    def __init__(self, given: Iterable[Waiver]) -> None:
        self._given: dict[tuple[int | None, int], list[Waiver]] = defaultdict(list)
        for waiver in given:
            self._given[waiver.workload_id, waiver.target_id].append(waiver)

    def of(self, workload_id: int, target_id: int) -> list[Waiver]:
        """What was given for a workload and target."""
        return [w for pair in ((workload_id, target_id), (None, target_id)) for w in self._given.get(pair, ())]


def concerning(workloads: Collection[int], targets: Collection[int]) -> QuerySet[Waiver]:
    """The waivers of these workloads for these targets, and those that the targets have for all."""
    return Waiver.objects.filter(Q(workload__in=workloads) | Q(workload=None), target__in=targets)


def waivers_of(workload_id: int, target_id: int | None, assessment: Assessment | None, today: date) -> list[Waived]:
    """Every waiver ever given for a workload and target, those that hold first."""
    given = concerning([workload_id], [target_id] if target_id else [])
    marks = {findings.mark(f) for f in assessment.findings} if assessment else set()
    found = stand(given, marks, frozenset(organisation().not_waivable), today)
    return sorted(found, key=_holding_first)


def waivers_for_all(target_id: int, found: Iterable[findings.Finding], today: date) -> list[Waived]:
    """Every waiver ever given for all workloads of a target, those that hold first. `found`: about it now."""
    given = Waiver.objects.filter(workload=None, target=target_id).select_related("withdrawn_by")
    stands = stand(given, {findings.mark(f) for f in found}, frozenset(organisation().not_waivable), today)
    return sorted(stands, key=_holding_first)


def stand(given: Iterable[Waiver], marks: set[str], unwaivable: frozenset[str], today: date) -> list[Waived]:
    """Waivers of one workload and target, or of the target alone, with their standing.

    `marks`: of the findings there are now.
    """
    found = []
    for waiver in given:
        mark = findings.waiver_mark(waiver.identity, waiver.cause)
        if waiver.withdrawn_at is not None:
            standing = Standing.WITHDRAWN
        elif waiver.ends < today:
            standing = Standing.ENDED
        elif waiver.rule in unwaivable:
            standing = Standing.NOT_WAIVABLE
        else:
            standing = Standing.HOLDS if mark in marks else Standing.OTHER_CAUSE
        found.append(Waived(waiver, standing, mark))
    return found


def with_waivers(assessment: Assessment | None, waivers: Iterable[Waived]) -> str:
    """The engine's verdict with what is waived now: what who agrees gets. `waivers`: of its workload and target."""
    if assessment is None:
        return Verdict.NOT_ASSESSED.value
    holding = {waived.mark for waived in waivers if waived.holds}
    if not holding:
        return assessment.verdict
    return findings.waived_verdict(assessment.findings, assessment.missing, holding)


def _holding_first(waived: Waived) -> tuple[bool, date, int]:
    return not waived.holds, waived.waiver.ends, waived.waiver.pk
