"""Signing a review off, and what is said of it afterwards."""

from __future__ import annotations

from datetime import date
from itertools import islice

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.register.models import Row
from portability.register.queries import awaited_pairs
from portability.reviews.actions.common import lock_workloads, require_architect, take_open
from portability.reviews.actions.settle import require_settled
from portability.reviews.errors import Refused
from portability.reviews.models import Addendum, Entry, Record, Review, Summary, SummaryLine
from portability.reviews.record.canonical import canonical, digest, moment
from portability.reviews.record.making import Made, make
from portability.reviews.texts import clean

TEXT_LENGTH = 4000
_AT_ONCE = 500


@transaction.atomic
def close(who: Person, review_id: int, statement: str, today: date) -> Record:
    """Sign a review off with a statement: its record is stored, and nothing of it changes from then on.

    Every entry must be decided, left to the next review, or retired, and none may ask again or be about to be judged
    again. Sent twice, it counts once. Raises PermissionDenied, Refused (with the field), Review.DoesNotExist.
    """
    require_architect(who, "sign a review off")
    statement = clean(statement, TEXT_LENGTH, "statement", "Write what you sign: what was reviewed, and what is open.")
    done = Record.objects.filter(review=review_id, review__closed_by=who, review__statement=statement).first()
    if done is not None:
        return done
    review = _take_all(review_id)
    require_settled(review)
    review.state, review.closed_at, review.closed_by = Review.State.CLOSED, timezone.now(), who
    review.statement = statement
    made = make(review, today)
    _require_decided(made, _to_be_judged(review))
    review.save(update_fields=["state", "closed_at", "closed_by", "statement"])
    _keep_how_they_stood(review, made)
    kept = Record.objects.create(
        review=review, text=made.text, digest=digest(made.text), csv=made.csv, csv_digest=digest(made.csv)
    )
    _sum_up(kept, made)
    record(who, "review.closed", review.quarter, entries=made.entries, record=kept.digest, csv=kept.csv_digest)
    return kept


@transaction.atomic
def add_addendum(who: Person, review_id: int, text: str) -> Addendum:
    """A correction to a closed review, signed by an architect. The record stays as it is. Sent twice, it counts once.

    Raises PermissionDenied, Refused, Review.DoesNotExist.
    """
    require_architect(who, "write addenda")
    text = clean(text, TEXT_LENGTH, "text", "Write what is to be corrected.")
    review = Review.objects.select_for_update().get(pk=review_id)
    kept = Record.objects.filter(review=review).only("digest").first()
    if kept is None:
        raise Refused("The review is open: decide its entries instead.")
    last = Addendum.objects.filter(review=review).order_by("-number").first()
    if last is not None and (last.written_by_id, last.text) == (who.pk, text):
        return last
    addendum = Addendum(
        review=review,
        number=last.number + 1 if last else 1,
        text=text,
        written_at=timezone.now().replace(microsecond=0),
        written_by=who,
        written_by_name=who.get_username(),
    )
    addendum.digest = addendum_digest(addendum, kept.digest)
    addendum.save()
    record(who, "review.addendum", review.quarter, number=addendum.number, text=text[:200], digest=addendum.digest)
    return addendum


def addendum_digest(addendum: Addendum, record_digest: str) -> str:
    """What signs an addendum: SHA-256 of the canonical JSON of the record's digest, number, text, who and when."""
    return digest(
        canonical(
            {
                "record": record_digest,
                "number": addendum.number,
                "text": addendum.text,
                "who": addendum.written_by_name,
                "when": moment(addendum.written_at),
            }
        )
    )


def _take_all(review_id: int) -> Review:
    """The review with its workloads and entries, locked: nobody judges, waives or decides them meanwhile.

    Raises Refused where one joins at the same moment: its workload is not locked.
    """
    entries = Entry.objects.filter(review=review_id).order_by("pk")
    lock_workloads(entries.values("workload"))
    locked = list(entries.select_for_update().values_list("pk"))
    review = take_open(review_id)
    if list(entries.values_list("pk")) != locked:
        raise Refused("A workload joined the review at this moment. Look at its entry, then sign again.")
    return review


def _keep_how_they_stood(review: Review, made: Made) -> None:
    """The assessment and the decided verdict of each entry, to compare quarters by."""
    row = Row.objects.filter(workload=OuterRef("workload_id"), target=OuterRef("target_id"))
    ended = Subquery(row.values("assessment_id")[:1])
    for verdict, ids in made.ended.items():
        for start in range(0, len(ids), _AT_ONCE):
            Entry.objects.filter(pk__in=ids[start : start + _AT_ONCE]).update(ended=ended, ended_verdict=verdict)


def _sum_up(kept: Record, made: Made) -> None:
    """What the closed review's page shows of the record."""
    Summary.objects.create(record=kept, said=made.summary.said())
    rows = made.summary.rows()
    while some := [SummaryLine(record=kept, **columns) for columns in islice(rows, _AT_ONCE)]:
        SummaryLine.objects.bulk_create(some)


def _to_be_judged(review: Review) -> int:
    """How many entries wait for the answer of a run that is under way."""
    awaited = awaited_pairs()
    if not awaited:
        return 0
    entries = Entry.objects.filter(review=review).exclude(state=Entry.State.RETIRED)
    return sum(pair in awaited for pair in entries.values_list("workload_id", "target_id"))


def _require_decided(made: Made, waiting: int) -> None:
    left = []
    if made.undecided:
        left.append(f"{made.undecided} {'entry is' if made.undecided == 1 else 'entries are'} not decided")
    if made.again:
        left.append(f"{made.again} {'asks' if made.again == 1 else 'ask'} again, as the answer has changed")
    if waiting:
        left.append(f"{waiting} {'waits' if waiting == 1 else 'wait'} for the re-evaluation that is under way")
    if left:
        raise Refused(f"It cannot be signed off yet: {' and '.join(left)}.")
