"""The entries of a review as a queue: how each stands now, which ask again, in which order, and which are wanted."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from math import ceil
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    CharField,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    FilteredRelation,
    IntegerField,
    Min,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
    Window,
)
from django.db.models.functions import Cast, Coalesce

from portability.engine.model import Verdict
from portability.reviews.changes import CAUSES, Change
from portability.reviews.decided import decided_verdict, own_decision, waived
from portability.reviews.models import Decision, Entry, Note, Review
from portability.workloads.models import Criticality

PER_PAGE = 50
NOT_ASSESSED = Verdict.NOT_ASSESSED.value
STATES = {  # of the filter, in the words of the page
    "to-do": "to decide",
    "again": "ask again",
    "decided": "decided",
    "question": "with a question",
    "new": "new",
    "deferred": "left to the next review",
    "retired": "retired",
    "all": "all",
}
ORDERS = {"first": "what matters first", "gpus": "most GPUs", "name": "by name"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of the queue is asked for. Empty: all of it. A value that is no choice finds nothing."""

    state: str = "to-do"  # a key of STATES
    team: int | None = None
    criticality: str = ""
    verdict: str = ""  # the engine's, now
    changed: str = ""  # a key of changes.FAMILIES: what caused a change; "any": whatever did
    assigned: int | None = None  # a person; 0: nobody
    text: str = ""  # in the workload's name
    by_team: bool = True  # teams together, that of the most urgent entry first
    order: str = "first"  # a key of ORDERS


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


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the queue. `number` counts from 1; `total` over all pages."""

    lines: list[Line]
    number: int
    pages: int
    total: int


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
    )
    otherwise = Q(decision__kind=Decision.Kind.OTHERWISE)
    again = Q(state=Entry.State.DECIDED) & (
        ~Q(engine_verdict=F("decision__engine_verdict"))
        | (otherwise & ~Q(own=F("decision_id")))
        | (~otherwise & ~Q(decided_verdict=F("decision__verdict")))
    )
    return found.annotate(asks_again=_flag(again), moved=_flag(~Q(engine_verdict=F("stood_verdict"))))


def to_do() -> Q:
    """Of `entries`: those that somebody has to decide."""
    return Q(state=Entry.State.OPEN) | Q(asks_again=True)


def queue(review: Review, wanted: Wanted, today: date) -> QuerySet[Entry]:
    """The wanted entries of a review in their order."""
    return _ordered(_filtered(entries(review, today), wanted), wanted)


def page(found: QuerySet[Entry], number: int) -> Page:
    """One page of a queue, in three queries; a number past the end is the last page.

    `found` is narrow until it is known which entries are shown: ordering thousands with all their texts is slow.
    """
    total = found.order_by().count()
    pages = max(1, ceil(total / PER_PAGE))
    number = min(max(1, number), pages)
    start = (number - 1) * PER_PAGE
    ids = list(found.values_list("pk", flat=True)[start : start + PER_PAGE])
    ready = {line.entry.pk: line for line in lines(found.order_by().filter(pk__in=ids))}
    return Page([ready[pk] for pk in ids if pk in ready], number, pages, total)


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


@dataclass(frozen=True, slots=True)
class Around:
    """Where an entry is in a queue: ids before and after it, its place from 1, and how many there are."""

    previous: int | None
    next: int | None
    place: int
    of: int


def around(review: Review, wanted: Wanted, entry_id: int, today: date) -> Around:
    """The neighbours of an entry in the wanted queue; of one that is not wanted (any more), as if it were."""
    every = entries(review, today)
    kept = every.filter(Q(pk__in=_filtered(every, wanted).order_by().values("pk")) | Q(pk=entry_id))
    ids = list(_ordered(kept, wanted).values_list("pk", flat=True))
    at = ids.index(entry_id) if entry_id in ids else -1
    if at < 0:
        return Around(None, ids[0] if ids else None, 0, len(ids))
    return Around(
        ids[at - 1] if at else None,
        ids[at + 1] if at + 1 < len(ids) else None,
        at + 1,
        len(ids),
    )


@dataclass(frozen=True, slots=True)
class Progress:
    """How far along a review is. `again` are among `left`; `all` leaves out what is retired."""

    decided: int
    again: int
    open: int
    deferred: int
    retired: int
    new: int
    mine: int  # left, and given to the person who asks

    @property
    def left(self) -> int:
        """What somebody has to decide."""
        return self.open + self.again

    @property
    def all(self) -> int:
        """What the review is about: without what retired."""
        return self.decided + self.left + self.deferred

    @property
    def done(self) -> int:
        """Decided, or left to the next review."""
        return self.decided + self.deferred


def progress(review: Review, today: date, person: int | None = None) -> Progress:
    """The counts of a review, in one query. `person`: of whom `mine` is told."""
    state = Entry.State
    found = entries(review, today).aggregate(
        decided=Count("pk", filter=Q(state=state.DECIDED, asks_again=False)),
        again=Count("pk", filter=Q(asks_again=True)),
        open=Count("pk", filter=Q(state=state.OPEN)),
        deferred=Count("pk", filter=Q(state=state.DEFERRED)),
        retired=Count("pk", filter=Q(state=state.RETIRED)),
        new=Count("pk", filter=Q(new=True) & ~Q(state=state.RETIRED)),
        mine=Count("pk", filter=to_do() & Q(assigned=person)),
    )
    return Progress(**found)


def _filtered(found: QuerySet[Entry], wanted: Wanted) -> QuerySet[Entry]:
    found = _in_state(found, wanted.state)
    if wanted.team is not None:
        found = found.filter(workload__team=wanted.team)
    if wanted.criticality:
        found = found.filter(workload__criticality=wanted.criticality)
    if wanted.verdict:
        found = found.filter(Q(engine_verdict=wanted.verdict))
    if wanted.changed == "any":
        found = found.filter(_changed())
    elif wanted.changed:
        found = found.filter(_caused_by(wanted.changed))
    if wanted.assigned is not None:
        found = found.filter(assigned=wanted.assigned or None)
    if wanted.text:
        found = found.filter(workload__name__icontains=wanted.text)
    return found


def _in_state(found: QuerySet[Entry], state: str) -> QuerySet[Entry]:
    states: dict[str, Q] = {
        "to-do": to_do(),
        "again": Q(asks_again=True),
        "decided": Q(state=Entry.State.DECIDED, asks_again=False),
        "new": Q(new=True) & ~Q(state=Entry.State.RETIRED),
        "deferred": Q(state=Entry.State.DEFERRED),
        "retired": Q(state=Entry.State.RETIRED),
        "question": Q(Exists(open_questions().filter(entry=OuterRef("pk")))),
        "all": Q(),
    }
    return found.filter(states[state]) if state in states else found.none()


def open_questions() -> QuerySet[Note]:
    """Questions that no member of the team has answered."""
    return Note.objects.filter(kind=Note.Kind.QUESTION, answered_by=None)


def _changed() -> Q:
    return ~Q(changed=[]) | Q(moved=True) | Q(asks_again=True)


def _caused_by(cause: str) -> Q:
    """What a cause changed before or since the entry joined. The stored words are the product's own."""
    raw = [name for name, (family, _) in CAUSES.items() if family == cause]
    stored = Entry.objects.annotate(as_text=Cast("changed", TextField())).filter(
        as_text__contains=f'"cause": "{cause}"'
    )
    return Q(pk__in=stored.values("pk")) | (Q(moved=True) & Q(row__moved_cause__in=raw))


def _ordered(found: QuerySet[Entry], wanted: Wanted) -> QuerySet[Entry]:
    worst_first = [When(workload__criticality=c, then=n) for n, c in enumerate(Criticality.values)]
    rank = (
        Case(When(_changed(), then=0), default=1) * Value(100)
        + Case(*worst_first, default=9) * Value(10)
        + Coalesce(F("row__verdict_order"), 2)
    )
    found = found.annotate(rank=ExpressionWrapper(rank, output_field=IntegerField()))
    orders: dict[str, list[Any]] = {
        "first": ["rank", F("workload__gpus").desc(nulls_last=True), "workload__name"],
        "gpus": [F("workload__gpus").desc(nulls_last=True), "workload__name"],
        "name": ["workload__name"],
    }
    order = [*orders.get(wanted.order, orders["first"]), "pk"]
    if not wanted.by_team:
        return found.order_by(*order)
    urgent = Window(Min("rank"), partition_by=[F("workload__team_id")])
    return found.annotate(team_rank=urgent).order_by("team_rank", "workload__team__name", *order)


def _flag(condition: Q) -> Case:
    return Case(When(condition, then=Value(True)), default=Value(False), output_field=BooleanField())
