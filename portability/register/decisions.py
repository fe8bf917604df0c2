"""What people decided of rows, beside the engine's verdict: looked up for many rows at once, never one by one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice

from django.db.models import F, Q
from django.utils import timezone

from portability.engine.model import Verdict
from portability.register.models import Row
from portability.reviews.models import Decided, Decision
from portability.reviews.newest import newest
from portability.reviews.still import asking_again, still

_READ = ("entry__workload", "target", "kind", "engine_verdict", "verdict", "made_by_name", "made_at")


@dataclass(frozen=True, slots=True)
class Standing:
    """How a row stands for people. Without waivers and decisions `verdict` is the engine's and all else is empty.

    `kind`, `by`, `on`, `decided_as` (the verdict that it came to then): of the decision that counts
    (`reviews.newest`). `still`: what has become of it, of `reviews.still.Still`.
    """

    verdict: str
    waived: int = 0  # findings
    kind: str = ""
    by: str = ""
    on: datetime | None = None
    decided_as: str = ""
    still: str = ""


def standings(rows: Sequence[Row], today: date) -> list[Standing]:
    """One for each row, in three queries."""
    spans = Decided.objects.filter(Q(until=None) | Q(until__gte=today), assessment__in=[r.assessment_id for r in rows])
    decided: dict[int, tuple[str, int]] = {}
    for assessment, verdict, waived in spans.order_by(F("until").asc(nulls_last=True), "pk").values_list(
        "assessment", "verdict", "waived"
    ):
        decided.setdefault(assessment, (verdict, waived))
    counting = newest([r.workload_id for r in rows], {r.target_id for r in rows})
    made = {
        (decision.entry.workload_id, decision.target_id): decision
        for decision in counting.select_related("entry").only(*_READ)
    }
    again = asking_again([decision.pk for decision in made.values()], today) if made else set()
    return [
        _standing(
            row, *decided.get(row.assessment_id, (row.verdict, 0)), made.get((row.workload_id, row.target_id)), again
        )
        for row in rows
    ]


def _standing(row: Row, verdict: str, waived: int, made: Decision | None, again: Collection[int]) -> Standing:
    if made is None:
        return Standing(verdict, waived)
    said = still((made.engine_verdict, made.verdict), (row.verdict, verdict), asks_again=made.pk in again)
    return Standing(verdict, waived, made.kind, made.made_by_name, made.made_at, made.verdict, said)


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
