"""Questions to teams that wait for an answer. Every page's bar counts them, so this asks for nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from portability.reviews.models import Entry, Note, Review


def open_questions() -> QuerySet[Note]:
    """Questions that no member of the team has answered."""
    return Note.objects.filter(kind=Note.Kind.QUESTION, answered_by=None)


def questions_for(teams: Iterable[int]) -> QuerySet[Note]:
    """Questions to these teams in the open review that nobody has answered, the oldest first."""
    waiting = open_questions().filter(entry__review__state=Review.State.OPEN, entry__workload__team__in=teams)
    return waiting.exclude(entry__state=Entry.State.RETIRED)
