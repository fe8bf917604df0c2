"""How the entries of a review stand now: the verdicts beside each other, and which entries ask again."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    CharField,
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
from portability.reviews.changes import Change
from portability.reviews.decided import decided_verdict, own_decision, waived
from portability.reviews.models import Decision, Entry, Review

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
    changed: list[Change] = field(default_factory=list)  # since the last review's decision, when it joined

    @property
    def decided(self) -> bool:
        """Whether a decision stands that does not ask again."""
        return self.entry.state == Entry.State.DECIDED and not self.asks_again


def entries(review: Review, today: date) -> QuerySet[Entry]:
    """A review's entries with how they stand: engine_verdict, decided_verdict, assessment_now, asks_again, moved, …"""
    found = Entry.objects.filter(review=review).annotate(
        row=FilteredRelation("workload__rows", condition=Q(workload__rows__target=F("target")))
    )
    found = found.annotate(
        engine_verdict=Coalesce(F("row__verdict"), Value(NOT_ASSESSED), output_field=CharField()),
        assessment_now=F("row__assessment_id"),
        decided_verdict=Coalesce(
            decided_verdict(today, "row__assessment_id", "row__verdict"), Value(NOT_ASSESSED), output_field=CharField()
        ),
        own=Coalesce(own_decision(today, "row__assessment_id"), 0, output_field=IntegerField()),
        waived=waived(today, "row__assessment_id"),
        stood_verdict=Coalesce(F("stood__verdict"), Value(NOT_ASSESSED), output_field=CharField()),
        judged=Coalesce(F("row__assessment_id"), 0, output_field=IntegerField()),
        holds_for=Coalesce(F("decision__holds_for_id"), 0, output_field=IntegerField()),
        is_for=Coalesce(F("target_id"), 0, output_field=IntegerField()),
        decided_for=Coalesce(F("decision__target_id"), 0, output_field=IntegerField()),
    )
    otherwise = Q(decision__kind=Decision.Kind.OTHERWISE)
    again = Q(state=Entry.State.DECIDED) & (
        ~Q(decided_for=F("is_for"))
        | ~Q(engine_verdict=F("decision__engine_verdict"))
        | (otherwise & ~Q(own=F("decision_id")))
        | (~otherwise & (~Q(decided_verdict=F("decision__verdict")) | ~Q(holds_for=F("judged"))))
    )
    return found.annotate(asks_again=flag(again), moved=flag(~Q(engine_verdict=F("stood_verdict"))))


def to_do() -> Q:
    """Of `entries`: those that somebody has to decide."""
    return Q(state=Entry.State.OPEN) | Q(asks_again=True)


def lines(found: QuerySet[Entry]) -> list[Line]:
    """Annotated entries with everything a line shows, in one query."""
    loaded = found.select_related(
        "workload__team", "target", "stood", "decision", "before__entry__target", "before__entry__review", "assigned"
    ).annotate(why=F("row__why"), as_of=F("row__as_of"))
    return [_line(entry) for entry in loaded]


def _line(entry: Entry) -> Line:
    e: Any = entry  # with its annotations
    return Line(
        entry=entry,
        engine_verdict=e.engine_verdict,
        decided_verdict=e.decided_verdict,
        assessment=e.assessment_now,
        why=e.why or "",
        as_of=e.as_of or "",
        waived=e.waived,
        asks_again=bool(e.asks_again),
        moved_from=e.stood_verdict if e.moved else "",
        changed=[Change.from_json(change) for change in entry.changed],
    )


def flag(condition: Q) -> Case:
    """The condition as a column."""
    return Case(When(condition, then=Value(True)), default=Value(False), output_field=BooleanField())
