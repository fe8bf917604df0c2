"""What the acts of this room share: who may, and taking entries to change them.

Locks are taken in one order everywhere: settings, workloads, entries, review; several of a kind by their ids. Whoever
saves, judges or retires holds the workload already when coming to this room, so that its rows stand still with it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models import QuerySet

from portability.accounts.models import Person
from portability.engine.model import Verdict
from portability.register.models import Assessment, Row
from portability.reviews import findings
from portability.reviews.errors import Refused
from portability.reviews.models import Entry, Review
from portability.workloads.models import Workload

_KEY = 7_202_613  # among the database's advisory locks: of opening a review


def require_architect(who: Person, what: str) -> None:
    """`what`: the act, as in “Only architects … ”."""
    if not (who.architect and who.is_active):
        raise PermissionDenied(f"Only architects {what}.")


def wait_for_opening(*, opening: bool = False) -> None:
    """Whoever registers and whoever opens a review wait for each other, or a workload could come to be in none.

    So does whoever changes what is waived for all workloads, as who opens does, or it would not count for that one.
    Must be called at the beginning of a transaction; SQLite's writers wait for each other anyway.
    """
    if connection.vendor == "postgresql":
        kind = "pg_advisory_xact_lock" if opening else "pg_advisory_xact_lock_shared"
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {kind}(%s)", [_KEY])


def lock_workloads(workloads: Collection[int] | QuerySet[Any] | None = None) -> None:
    """Lock workloads, or all of them, until the transaction ends: nobody saves, judges or retires them meanwhile."""
    wanted = Workload.objects.all() if workloads is None else Workload.objects.filter(pk__in=workloads)
    list(wanted.select_for_update().order_by("pk").values_list("pk"))


@dataclass(frozen=True, slots=True)
class Taken:
    """An entry, locked, with the assessment that it stands on now; None where nothing judged it."""

    entry: Entry
    assessment: Assessment | None

    @property
    def verdict(self) -> str:
        """The engine's."""
        return self.assessment.verdict if self.assessment else Verdict.NOT_ASSESSED.value

    @property
    def basis(self) -> str:
        """The digest of what a decision would be made on."""
        return basis_of(self.assessment)


def basis_of(assessment: Assessment | None) -> str:
    """The digest of what a decision on an assessment is made on; of none, where nothing was judged."""
    if assessment is None:
        return findings.basis(Verdict.NOT_ASSESSED.value, [], [])
    return findings.basis(assessment.verdict, assessment.findings, assessment.missing)


def take(entry_ids: Collection[int]) -> dict[int, Taken]:
    """Entries of one open review, locked with their workloads until the end of the transaction, by id.

    Raises Entry.DoesNotExist where one is gone, and Refused where the review is closed or there are several.
    """
    lock_workloads(Entry.objects.filter(pk__in=entry_ids).values("workload"))
    list(Entry.objects.select_for_update().filter(pk__in=entry_ids).order_by("pk").values_list("pk"))
    # joined once the lock is held, or they were old
    related = ("workload__team", "target", "decision", "before")
    entries = list(Entry.objects.filter(pk__in=entry_ids).select_related(*related).order_by("pk"))
    if not entries or len(entries) != len(set(entry_ids)):
        raise Entry.DoesNotExist("No such entry.")
    reviews = {entry.review_id for entry in entries}
    if len(reviews) != 1:
        raise Refused("Decide entries of one review at a time.")
    review = take_open(reviews.pop())
    there = Row.objects.filter(
        workload__in={e.workload_id for e in entries}, target__in={e.target_id for e in entries if e.target_id}
    )
    rows = {(w, t): a for w, t, a in there.values_list("workload_id", "target_id", "assessment_id")}
    wanted = {e.pk: rows.get((e.workload_id, e.target_id or 0), 0) for e in entries}
    assessments = Assessment.objects.in_bulk([pk for pk in wanted.values() if pk])
    for entry in entries:
        entry.review = review
    return {entry.pk: Taken(entry, assessments.get(wanted[entry.pk])) for entry in entries}


def take_open(review_id: int) -> Review:
    """A review, locked until the end of the transaction. Raises Refused where it is closed: it never changes again."""
    review = Review.objects.select_for_update().get(pk=review_id)
    if review.state != Review.State.OPEN:
        raise Refused(f"The review of {review.quarter} is closed. Corrections are written as addenda to it.")
    return review
