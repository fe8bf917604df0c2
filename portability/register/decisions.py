"""What people decided of rows, beside the engine's verdict: looked up for many rows at once, never one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice

from django.db.models import F, Max, Q
from django.utils import timezone

from portability.engine.model import Verdict
from portability.register.models import Row
from portability.reviews.models import Decided, Decision


@dataclass(frozen=True, slots=True)
class Standing:
    """How a row stands for people. Without waivers and decisions `verdict` is the engine's and all else is empty.

    `kind`, `by`, `on`: of the newest decision on the workload for the target that was not undone.
    """

    verdict: str
    waived: int = 0  # findings
    kind: str = ""
    by: str = ""
    on: datetime | None = None


def standings(rows: Sequence[Row], today: date) -> list[Standing]:
    """One for each row, in two queries."""
    spans = Decided.objects.filter(Q(until=None) | Q(until__gte=today), assessment__in=[r.assessment_id for r in rows])
    decided: dict[int, tuple[str, int]] = {}
    for assessment, verdict, waived in spans.order_by(F("until").asc(nulls_last=True), "pk").values_list(
        "assessment", "verdict", "waived"
    ):
        decided.setdefault(assessment, (verdict, waived))
    newest = (
        Decision.objects.filter(
            undone_at=None,
            entry__workload__in=[r.workload_id for r in rows],
            entry__target__in={r.target_id for r in rows},
        )
        .order_by()
        .values("entry__workload", "entry__target")
        .annotate(newest=Max("pk"))
        .values("newest")
    )
    made = Decision.objects.filter(pk__in=newest).order_by()
    decisions = {
        (workload, target): (kind, by, on)
        for workload, target, kind, by, on in made.values_list(
            "entry__workload", "entry__target", "kind", "made_by_name", "made_at"
        )
    }
    return [
        Standing(
            *decided.get(row.assessment_id, (row.verdict, 0)),
            *decisions.get((row.workload_id, row.target_id), ()),
        )
        for row in rows
    ]


def with_standings(rows: Iterable[Row], size: int) -> Iterator[tuple[Row, Standing]]:
    """Rows as they come, each with how it stands today; looked up for `size` rows at once."""
    if not (Decided.objects.exists() or Decision.objects.exists()):
        engine = {verdict.value: Standing(verdict.value) for verdict in Verdict}
        yield from ((row, engine[row.verdict]) for row in rows)
        return
    today = timezone.localdate()
    rest = iter(rows)
    while part := list(islice(rest, size)):
        yield from zip(part, standings(part, today), strict=True)
