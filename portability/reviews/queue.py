"""The entries of a review as a queue: which are wanted, in which order, and how far along the review is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from math import ceil
from typing import Any

from django.db.models import (
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    F,
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

from portability.reviews.changes import CAUSES
from portability.reviews.models import Entry, Note, Review
from portability.reviews.standing import Line, entries, lines, to_do
from portability.workloads.models import Criticality

PER_PAGE = 50
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
class Page:
    """A page of the queue. `number` counts from 1; `total` over all pages."""

    lines: list[Line]
    number: int
    pages: int
    total: int


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
    """What a cause changed before or since the entry joined. The stored words are the product's own.

    An answer that became another under the same verdict has the cause of the newest assessment.
    """
    raw = [name for name, (family, _) in CAUSES.items() if family == cause]
    stored = Entry.objects.annotate(as_text=Cast("changed", TextField())).filter(
        as_text__contains=f'"cause": "{cause}"'
    )
    since = (Q(moved=True) & Q(row__moved_cause__in=raw)) | (
        Q(asks_again=True, moved=False) & Q(row__assessment__cause__in=raw)
    )
    return Q(pk__in=stored.values("pk")) | since


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
