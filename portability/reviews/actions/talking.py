"""Notes on an entry, questions to its team, and the team's answers."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portability.accounts.access import may_edit
from portability.accounts.models import Person
from portability.audit.actions import record
from portability.reviews.actions.common import require_architect, take
from portability.reviews.models import Entry, Note
from portability.reviews.texts import clean

TEXT_LENGTH = 4000


@transaction.atomic
def write_note(who: Person, entry_id: int, text: str) -> Note:
    """A note on an entry, by architects and members of its team. Raises PermissionDenied, Refused."""
    entry = take([entry_id])[entry_id].entry
    if not (who.architect or may_edit(who, entry.workload.team)):
        raise PermissionDenied(f"Only architects and members of {entry.workload.team.name} write notes on this entry.")
    return _written(who, entry, Note.Kind.NOTE, text)


@transaction.atomic
def ask(who: Person, entry_id: int, text: str) -> Note:
    """A question of an architect to the team. Raises PermissionDenied, Refused."""
    require_architect(who, "ask a team")
    return _written(who, take([entry_id])[entry_id].entry, Note.Kind.QUESTION, text)


@transaction.atomic
def answer(who: Person, question_id: int, text: str) -> Note:
    """An answer of a member of the team to a question. Raises PermissionDenied, Refused, Note.DoesNotExist."""
    question = Note.objects.get(pk=question_id, kind=Note.Kind.QUESTION)
    entry = take([question.entry_id])[question.entry_id].entry
    if not may_edit(who, entry.workload.team):
        raise PermissionDenied(f"Only members of {entry.workload.team.name} answer for it.")
    return _written(who, entry, Note.Kind.ANSWER, text, question)


def _written(who: Person, entry: Entry, kind: Note.Kind, text: str, answers: Note | None = None) -> Note:
    text = clean(text, TEXT_LENGTH, "text", "Write something first.")
    last = Note.objects.filter(entry=entry).order_by("-pk").first()
    if last and (last.written_by_id, last.kind, last.text, last.answers_id) == (
        who.pk,
        kind,
        text,
        answers.pk if answers else None,
    ):
        return last  # sent twice
    note = Note.objects.create(
        entry=entry, kind=kind, answers=answers, text=text, written_by=who, written_by_name=who.get_username()
    )
    record(who, f"review.{kind}", entry.workload, review=entry.review.quarter, text=text[:200])
    return note
