"""Which readings the present verdicts rest on: worked out by the shared sets of consulted cells, not row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Max, QuerySet

from portability.register.models import Assessment, Row

Version = tuple[str, str]  # of a source


@dataclass(frozen=True, slots=True)
class Resting:
    """One reading that verdicts rest on, and how many workloads for which target (by id)."""

    source: str
    version: str
    read: date
    workloads: dict[int, int]

    @property
    def assessments(self) -> int:
        """How many verdicts of all targets together."""
        return sum(self.workloads.values())


def resting() -> list[Resting]:
    """The readings that verdicts of registered workloads for active targets rest on, in two queries.

    Assessments of one set of consulted cells were answered by the same versions; the day is that of the latest of them.
    """
    rows = Row.objects.filter(workload__retired_at=None, target__active=True).order_by()
    shares = list(rows.values_list("assessment__consulted", "target").annotate(n=Count("pk"), one=Max("assessment")))
    latest: dict[int, int] = {}
    for consulted, _, _, one in shares:
        latest[consulted] = max(one, latest.get(consulted, 0))
    releases = _releases(latest.values())
    found: dict[tuple[str, str, date], Counter[int]] = {}
    for consulted, target, n, _ in shares:
        for release in releases[latest[consulted]]:
            at = release["source"], release["version"], date.fromisoformat(release["read"])
            found.setdefault(at, Counter())[target] += n
    return [Resting(*at, dict(workloads)) for at, workloads in sorted(found.items())]


def sets_resting_on(rows: QuerySet[Row], version: Version) -> list[int]:
    """The sets of consulted cells, among those of these rows, that this version of a source answered to."""
    latest = dict(rows.order_by().values_list("basis__consulted").annotate(one=Max("assessment")))
    releases = _releases(latest.values())
    wanted = [pk for pk, said in releases.items() if any((r["source"], r["version"]) == version for r in said)]
    by_assessment = {one: consulted for consulted, one in latest.items()}
    return [by_assessment[pk] for pk in wanted]


def _releases(assessments: Iterable[int]) -> dict[int, list[dict[str, Any]]]:
    return dict(Assessment.objects.filter(pk__in=list(assessments)).values_list("pk", "releases"))
