"""Reading the reviews room. Everyone signed in may read all of it, except manifest text in findings.

How entries stand is in `standing`, the queue in `queue`, one entry in `entry_page`, waivers in `waivers`, two quarters
beside each other in `comparison`, what the register shows of decisions in `decided`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import F, QuerySet

from portability.accounts.models import Person, Team
from portability.reviews.asked import questions_for
from portability.reviews.models import Addendum, Decision, Entry, Note, Record, Review
from portability.reviews.quarters import Free, free_quarters


def reviews() -> QuerySet[Review]:
    """All reviews, the newest first."""
    return Review.objects.select_related("opened_by", "closed_by")


def open_one() -> Review | None:
    """The review that is open."""
    return reviews().filter(state=Review.State.OPEN).first()


def closed_ones() -> QuerySet[Review]:
    """The closed reviews with their records' digests, the newest first; the records themselves are long."""
    closed = reviews().filter(state=Review.State.CLOSED).select_related("record")
    return closed.defer("record__text", "record__csv")


def review_of(quarter: str) -> Review | None:
    """The review of a quarter."""
    return reviews().filter(quarter=quarter).first()


def record_of(review: Review) -> Record | None:
    """The frozen record of a closed review with its summary; `text` and `csv` are long, and asked for where used."""
    return Record.objects.filter(review=review).select_related("summary").defer("text", "csv").first()


def addenda(review: Review) -> QuerySet[Addendum]:
    """The corrections to a closed review, in their order."""
    return Addendum.objects.filter(review=review)


@dataclass(frozen=True, slots=True)
class May:
    """What a person may do with a review; the actions decide for themselves."""

    decide: bool
    close: bool
    add: bool  # an addendum


def may(person: Person, review: Review) -> May:
    """The acts to offer on a review that is looked at."""
    is_open = review.state == Review.State.OPEN
    decides = is_open and person.architect
    return May(decide=decides, close=decides, add=not is_open and person.architect)


@dataclass(frozen=True, slots=True)
class Act:
    """What `actions.undo_last` would take back: a decision; without one, that the entry was left to the next review."""

    entry: Entry
    decision: Decision | None = None

    @property
    def key(self) -> str:
        """Names it, so that a page undoes what it showed and nothing else."""
        return f"decision-{self.decision.pk}" if self.decision else f"left-{self.entry.pk}-{self.entry.version}"

    @property
    def bulk(self) -> bool:
        """Whether others go with it."""
        return self.decision is not None and self.decision.bulk is not None


def last_act(person: Person, review_id: int) -> Act | None:
    """The last act of the person in a review that stands and can be undone: nobody decided anything else since."""
    mine = Decision.objects.filter(made_by=person, entry__review=review_id, entry__decision=F("pk"))
    last = mine.select_related("entry__workload").order_by("-pk").first()
    left = Entry.objects.filter(review=review_id, state=Entry.State.DEFERRED, left_by=person)
    newest = left.select_related("workload").order_by("-left_at").first()
    if newest is not None and newest.left_at and (last is None or newest.left_at > last.made_at):
        return Act(newest)
    return Act(last.entry, last) if last else None


def quarters_to_open(today: date) -> list[Free]:
    """The quarters of which a review can be opened, this one first; none while one is open."""
    return free_quarters(today) if open_one() is None else []


def untouched(review: Review) -> bool:
    """Whether it can be discarded: it is open, and nobody decided (undone or not), left or wrote anything in it."""
    told = (Decision.objects.filter(entry__review=review), Note.objects.filter(entry__review=review))
    left = Entry.objects.filter(review=review, left_at__isnull=False)
    return review.state == Review.State.OPEN and not any(found.exists() for found in (*told, left))


def architects() -> QuerySet[Person]:
    """To whom entries can be given."""
    return Person.objects.filter(architect=True, is_active=True)


def may_anyone_answer(team: Team) -> bool:
    """Whether a question to a team can be answered: by a member who may sign in, while the team is active."""
    return team.active and Person.objects.filter(teams=team, is_active=True).exists()


def questions_to(person: Person) -> QuerySet[Note]:
    """Questions to the person's teams, with what a page shows of each."""
    teams = person.teams.filter(active=True).values_list("pk", flat=True)
    return questions_for(teams).select_related("entry__workload__team", "entry__review")
