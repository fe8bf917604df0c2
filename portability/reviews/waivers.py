"""Waivers with what has become of them, worked out for a day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.utils.formats import date_format

from portability.organisation.queries import organisation
from portability.register.models import Assessment
from portability.reviews import findings
from portability.reviews.models import Waiver


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


def in_words(standing: Standing, ends: date) -> str:
    """What has become of a waiver with this last day: `ended on 31 March 2027`."""
    return _WORDS[standing].format(date_format(ends, "j F Y"))


def waivers_of(workload_id: int, target_id: int | None, assessment: Assessment | None, today: date) -> list[Waived]:
    """Every waiver ever given for a workload and target, those that hold first."""
    given = Waiver.objects.filter(workload=workload_id, target=target_id)
    marks = {findings.mark(f) for f in assessment.findings} if assessment else set()
    found = stand(given, marks, frozenset(organisation().not_waivable), today)
    return sorted(found, key=lambda w: (not w.holds, w.waiver.ends, w.waiver.pk))


def stand(given: Iterable[Waiver], marks: set[str], unwaivable: frozenset[str], today: date) -> list[Waived]:
    """Waivers of one workload and target with their standing. `marks`: of the findings there are now."""
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
