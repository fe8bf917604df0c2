"""How the entries of a review stand now: the verdicts beside each other, what waivers changed, and which ask again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    CharField,
    DateField,
    F,
    FilteredRelation,
    IntegerField,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from portability.engine.model import Verdict
from portability.organisation.queries import organisation
from portability.register.models import Assessment
from portability.reviews import findings
from portability.reviews.by_waivers import change, other
from portability.reviews.changes import Change
from portability.reviews.decided import decided_verdict, own_decision, waived, with_waivers
from portability.reviews.models import Decision, Entry, Review
from portability.reviews.waivers import ByPair, Waived, concerning, stand

NOT_ASSESSED = Verdict.NOT_ASSESSED.value


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of the queue. `entry` has its workload, team, target, decisions and assignee loaded."""

    entry: Entry
    engine_verdict: str
    decided_verdict: str
    assessment: int | None  # that it stands on now: for `actions.Seen`
    why: str
    as_of: str
    waived: int
    asks_again: bool  # it was decided on another answer than today's
    moved_from: str  # the verdict it joined with, where that is another now; else ""
    changed: list[Change] = field(default_factory=list)  # since the last review's decision: until it joined, by waivers
    asks_because: Change | None = None  # since it was decided: what waivers changed, where it asks again for that

    @property
    def decided(self) -> bool:
        """Whether a decision stands that does not ask again."""
        return self.entry.state == Entry.State.DECIDED and not self.asks_again

    @property
    def causes(self) -> list[str]:
        """In words what changed, each once."""
        again = [self.asks_because] if self.asks_because else []
        return list(dict.fromkeys(change.words for change in [*again, *self.changed]))


def entries(review: Review, today: date) -> QuerySet[Entry]:
    """A review's entries with how they stand, see `with_standing`."""
    return with_standing(Entry.objects.filter(review=review), today)


def with_standing(found: QuerySet[Entry], today: date) -> QuerySet[Entry]:
    """Entries with engine_verdict, decided_verdict, with_waivers, assessment_now, asks_again, waived_since, moved, …

    `waived_since`: waivers make another answer of it than the last review's decision.
    """
    found = found.annotate(row=FilteredRelation("workload__rows", condition=Q(workload__rows__target=F("target"))))
    found = found.annotate(
        engine_verdict=Coalesce(F("row__verdict"), Value(NOT_ASSESSED), output_field=CharField()),
        assessment_now=F("row__assessment_id"),
        decided_verdict=Coalesce(
            decided_verdict(today, "row__assessment_id", "row__verdict"), Value(NOT_ASSESSED), output_field=CharField()
        ),
        with_waivers=Coalesce(
            with_waivers(today, "row__assessment_id", "row__verdict"), Value(NOT_ASSESSED), output_field=CharField()
        ),
        own=Coalesce(own_decision(today, "row__assessment_id"), 0, output_field=IntegerField()),
        waived=waived(today, "row__assessment_id"),
        stood_verdict=Coalesce(F("stood__verdict"), Value(NOT_ASSESSED), output_field=CharField()),
        judged=Coalesce(F("row__assessment_id"), 0, output_field=IntegerField()),
        holds_for=Coalesce(F("decision__holds_for_id"), 0, output_field=IntegerField()),
        is_for=Coalesce(F("target_id"), 0, output_field=IntegerField()),
        decision_for=Coalesce(F("decision__target_id"), 0, output_field=IntegerField()),
        before_for=Coalesce(F("before__target_id"), 0, output_field=IntegerField()),
        day=Value(today, DateField()),
    )
    otherwise = Q(decision__kind=Decision.Kind.OTHERWISE)
    again = Q(state=Entry.State.DECIDED) & (
        ~Q(decision_for=F("is_for"))
        | ~Q(engine_verdict=F("decision__engine_verdict"))
        | (otherwise & ~Q(own=F("decision_id")))
        | (~otherwise & (~Q(decided_verdict=F("decision__verdict")) | ~Q(holds_for=F("judged"))))
    )
    return found.annotate(
        asks_again=flag(again),
        asks_for_waivers=flag(again & ~otherwise & other("decision")),
        waived_since=flag(other("before")),
        moved=flag(~Q(engine_verdict=F("stood_verdict"))),
    )


def to_do() -> Q:
    """Of `entries`: those that somebody has to decide."""
    return Q(state=Entry.State.OPEN) | Q(asks_again=True)


def lines(found: QuerySet[Entry]) -> list[Line]:
    """Annotated entries with everything a line shows: in one query, and two more where waivers changed anything."""
    loaded = found.select_related(
        "workload__team", "target", "stood", "decision", "before__target", "before__entry__review", "assigned"
    ).annotate(why=F("row__why"), as_of=F("row__as_of"))
    ready: list[Any] = list(loaded)  # with their annotations
    waivers = _waivers([e for e in ready if e.waived_since or e.asks_for_waivers])
    return [_line(e, waivers.get(e.pk, [])) for e in ready]


def _waivers(some: Sequence[Any]) -> dict[int, list[Waived]]:
    """By the ids of these entries: all waivers that were ever given for their workloads and targets."""
    if not some:
        return {}
    given = ByPair(concerning({e.workload_id for e in some}, {e.target_id for e in some if e.target_id}))
    judged = Assessment.objects.only("findings").in_bulk([e.assessment_now for e in some if e.assessment_now])
    unwaivable = frozenset(organisation().not_waivable)
    found = {}
    for e in some:
        a = judged.get(e.assessment_now)
        marks = {findings.mark(f) for f in a.findings} if a else set()
        found[e.pk] = stand(given.of(e.workload_id, e.target_id or 0), marks, unwaivable, e.day)
    return found


def _line(e: Any, waivers: Sequence[Waived]) -> Line:
    since = change(e.before, waivers, e.with_waivers) if e.waived_since else None
    return Line(
        entry=e,
        engine_verdict=e.engine_verdict,
        decided_verdict=e.decided_verdict,
        assessment=e.assessment_now,
        why=e.why or "",
        as_of=e.as_of or "",
        waived=e.waived,
        asks_again=bool(e.asks_again),
        moved_from=e.stood_verdict if e.moved else "",
        changed=[*(Change.from_json(stored) for stored in e.changed), *([since] if since else [])],
        asks_because=change(e.decision, waivers, e.with_waivers) if e.asks_for_waivers else None,
    )


def flag(condition: Q) -> Case:
    """The condition as a column."""
    return Case(When(condition, then=Value(True)), default=Value(False), output_field=BooleanField())
