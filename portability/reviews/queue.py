"""The entries of a review as a queue: which are wanted, in which order, and how far along the review is."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce

from portability.organisation.queries import default_targets
from portability.reviews.asked import open_questions
from portability.reviews.changes import CAUSES
from portability.reviews.elsewhere import elsewhere
from portability.reviews.models import Entry, Review
from portability.reviews.standing import Line, entries, flag, lines, to_do
from portability.workloads.models import Criticality

PER_PAGE = 50
STATES = {  # of the filter, in the words of the page
    "to-do": "to decide",
    "again": "ask again",
    "decided": "decided",
    "question": "with a question",
    "elsewhere": "for another target",
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

    @property
    def narrowed(self) -> bool:
        """Whether something is left out besides what the state leaves out."""
        return replace(self, state="", by_team=True, order="") != Wanted(state="", order="")


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the queue. `number` counts from 1; `total` over all pages."""

    lines: list[Line]
    number: int
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class Around:
    """Where an entry is in a queue: ids before and after it, its place from 1, and how many there are."""

    previous: int | None
    next: int | None
    place: int
    of: int


@dataclass(frozen=True, slots=True)
class Queue:
    """The wanted entries of a review in their order, as ids, among those that are not wanted (any more).

    What was decided keeps its place, so that whoever decided it goes on right behind it.
    """

    review: Review
    today: date
    places: list[tuple[int, bool, bool]]  # id, whether it is wanted, and whether it is that if what is to do is wanted

    @property
    def ids(self) -> list[int]:
        """The wanted ones."""
        return [pk for pk, wanted, _ in self.places if wanted]

    def around(self, entry_id: int) -> Around:
        """The neighbours of an entry; of one that is not wanted (any more), as if it were."""
        ids = [pk for pk, wanted, _ in self.places if wanted or pk == entry_id]
        at = ids.index(entry_id) if entry_id in ids else -1
        if at < 0:
            return Around(None, ids[0] if ids else None, 0, len(ids))
        after = ids[at + 1] if at + 1 < len(ids) else None
        return Around(ids[at - 1] if at else None, after, at + 1, len(ids))

    def next_to_do(self, entry_id: int) -> int | None:
        """The entry to decide after this one; the last ones lead to those before them."""
        around = Queue(self.review, self.today, [(pk, to_do, to_do) for pk, _, to_do in self.places]).around(entry_id)
        return around.next or around.previous

    def page(self, number: int) -> Page:
        """One page, in one query; a number past the end is the last page."""
        ids = self.ids
        pages = max(1, ceil(len(ids) / PER_PAGE))
        number = min(max(1, number), pages)
        shown = ids[(number - 1) * PER_PAGE : number * PER_PAGE]
        ready = {line.entry.pk: line for line in lines(entries(self.review, self.today).filter(pk__in=shown))}
        return Page([ready[pk] for pk in shown if pk in ready], number, pages, len(ids))


def queue(review: Review, wanted: Wanted, today: date, at: int | None = None) -> Queue:
    """The queue of a review, in one query that reads nothing wide. `at`: an entry to be in it, whatever is wanted.

    What is filtered out by what an act changes, its state and whether it asks again, is read all the same: teams and
    entries keep their places while one decides.
    """
    found = entries(review, today)
    fixed = _fixed(wanted)
    if fixed:
        found = found.filter(fixed | Q(pk=at)) if at else found.filter(fixed)
    changed = fixed & _changed_by(wanted.changed)
    ordered = _ordered(found, wanted).annotate(wanted=flag(changed & _in_state(wanted.state)))
    if wanted.state == "to-do":
        return Queue(review, today, [(pk, to, to) for pk, to in ordered.values_list("pk", "wanted")])
    ordered = ordered.annotate(wanted_to_do=flag(changed & to_do()))
    return Queue(review, today, list(ordered.values_list("pk", "wanted", "wanted_to_do")))


@dataclass(frozen=True, slots=True)
class Progress:
    """How far along a review is, in entries. `again` are among `left`; `new` and `questions` are of any state."""

    decided: int
    again: int
    open: int
    deferred: int
    retired: int
    new: int
    questions: int
    mine: int  # left, and given to the person who asks

    @property
    def left(self) -> int:
        """What somebody has to decide."""
        return self.open + self.again

    @property
    def all(self) -> int:
        """What is decided in this review: without what retired, or is left to the next one."""
        return self.decided + self.left

    @property
    def empty(self) -> bool:
        """Whether the review has no entries."""
        return not (self.all or self.deferred or self.retired)


def progress(review: Review, today: date, person: int | None = None, wanted: Wanted | None = None) -> Progress:
    """The counts of a review, in one query. `person`: of whom `mine` is told.

    `wanted`: only what it asks for in any state is counted; of `mine`, whoever that is given to.
    """
    wanted = wanted or Wanted()
    asked = _fixed(replace(wanted, assigned=None)) & _changed_by(wanted.changed)
    given = _given(wanted.assigned)
    counted = {
        **{name: given & _in_state(name) for name in ("decided", "again", "deferred", "retired", "new")},
        "open": given & Q(state=Entry.State.OPEN),
        "questions": given & _in_state("question"),
        "mine": to_do() & Q(assigned=person),
    }
    found = entries(review, today).filter(asked)
    return Progress(**found.aggregate(**{name: Count("pk", filter=what) for name, what in counted.items()}))


def _fixed(wanted: Wanted) -> Q:
    """What is asked for that no decision changes."""
    asked: dict[str, object] = {
        "workload__team": wanted.team,
        "workload__criticality": wanted.criticality or None,
        "engine_verdict": wanted.verdict or None,
        "workload__name__icontains": wanted.text or None,
    }
    return Q(**{name: value for name, value in asked.items() if value is not None}) & _given(wanted.assigned)


def _given(assigned: int | None) -> Q:
    """`assigned`: a person; 0: nobody; None: whoever it is."""
    return Q() if assigned is None else Q(assigned=assigned or None)


def _in_state(state: str) -> Q:
    if state == "elsewhere":
        return elsewhere(default_targets())
    states: dict[str, Q] = {
        "to-do": to_do(),
        "again": Q(asks_again=True),
        "decided": Q(state=Entry.State.DECIDED, asks_again=False),
        "new": Q(new=True) & ~Q(state=Entry.State.RETIRED),
        "deferred": Q(state=Entry.State.DEFERRED),
        "retired": Q(state=Entry.State.RETIRED),
        "question": Q(Exists(open_questions().filter(entry=OuterRef("pk")))),
        "all": Q(pk__isnull=False),
    }
    return states.get(state, Q(pk=None))


def _changed_by(cause: str) -> Q:
    """`cause`: a key of changes.FAMILIES, "any", or "" where that does not matter."""
    if not cause:
        return Q()
    return _moved() | Q(asks_again=True) if cause == "any" else _caused_by(cause)


def _moved() -> Q:
    """What changed before it joined, or got another verdict since, or by waivers: whatever is decided."""
    return ~Q(changed=[]) | Q(moved=True) | Q(waived_since=True)


def _caused_by(cause: str) -> Q:
    """What a cause changed before or since the entry joined. The stored words are the product's own.

    An answer that became another under the same verdict has the cause of the newest assessment, unless that says the
    same of what counts: then it is waivers.
    """
    if cause == "waiver":
        return Q(waived_since=True) | Q(asks_for_waivers=True)
    raw = [name for name, (family, _) in CAUSES.items() if family == cause]
    stored = Entry.objects.annotate(as_text=Cast("changed", TextField())).filter(
        as_text__contains=f'"cause": "{cause}"'
    )
    since = (Q(moved=True) & Q(row__moved_cause__in=raw)) | (
        Q(asks_again=True, moved=False) & ~Q(holds_for=F("judged")) & Q(row__assessment__cause__in=raw)
    )
    return Q(pk__in=stored.values("pk")) | since


def _ordered(found: QuerySet[Entry], wanted: Wanted) -> QuerySet[Entry]:
    """In their order. No decision moves a team; an entry that asked again stays where it was, once decided."""
    again = Q(asks_again=True) | Q(decision__asked_again=True)
    found = found.annotate(rank=_rank(_moved() | again))
    orders: dict[str, list[Any]] = {
        "first": ["rank", F("workload__gpus").desc(nulls_last=True), "workload__name"],
        "gpus": [F("workload__gpus").desc(nulls_last=True), "workload__name"],
        "name": ["workload__name"],
    }
    order = [*orders.get(wanted.order, orders["first"]), "pk"]
    if not wanted.by_team:
        return found.order_by(*order)
    urgent = Window(Min(_rank(_moved())), partition_by=[F("workload__team_id")])
    return found.annotate(team_rank=urgent).order_by("team_rank", "workload__team__name", *order)


def _rank(changed: Q) -> Combinable:
    """What changed first, then what is critical, then what is pinned."""
    worst_first = [When(workload__criticality=c, then=n) for n, c in enumerate(Criticality.values)]
    rank = (
        Case(When(changed, then=0), default=1) * Value(100)
        + Case(*worst_first, default=9) * Value(10)
        + Coalesce(F("row__verdict_order"), 2)
    )
    return ExpressionWrapper(rank, output_field=IntegerField())
