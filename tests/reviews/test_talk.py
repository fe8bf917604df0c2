"""Notes, questions to a team, and its answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied

from portability.audit.models import Entry as AuditEntry
from portability.reviews.actions import answer, ask, close, write_note
from portability.reviews.entry_page import entry_page
from portability.reviews.errors import Refused
from portability.reviews.models import Entry, Note, Review
from portability.reviews.queries import questions_to
from portability.reviews.queue import Wanted, queue
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import TODAY, decided, entry_of

pytestmark = pytest.mark.database


@pytest.fixture
def entry(review: Review, chat: Workload) -> Entry:
    """The entry of `chat`, of the search team."""
    return entry_of(review, chat)


def test_a_team_answers_what_an_architect_asks(cast: Cast, entry: Entry) -> None:
    question = ask(cast.architect, entry.pk, "Is the engine pinned?\n\nIf so, why?")
    assert list(questions_to(cast.member)) == [question]
    assert queue(entry.review, Wanted(state="question"), TODAY).ids == [entry.pk]
    given = answer(cast.member, question.pk, "Yes, until March.")
    assert (given.kind, given.answers, given.written_by_name) == ("answer", question, "member")
    assert list(questions_to(cast.member)) == []
    assert not queue(entry.review, Wanted(state="question"), TODAY).ids
    page = entry_page(cast.viewer, entry.review, entry.pk, TODAY)
    assert page is not None and page.notes == []
    assert [(a.question.text, [n.text for n in a.answers]) for a in page.asked] == [
        ("Is the engine pinned?\n\nIf so, why?", ["Yes, until March."])
    ]
    assert {a.action for a in AuditEntry.objects.filter(subject="chat")} >= {"review.question", "review.answer"}


@pytest.mark.parametrize("who", ["viewer", "outsider", "curator", "administrator"])
def test_only_architects_and_the_team_write_notes(cast: Cast, entry: Entry, who: str) -> None:
    with pytest.raises(PermissionDenied):
        write_note(getattr(cast, who), entry.pk, "Hello.")
    assert write_note(cast.member, entry.pk, "Hello.").written_by == cast.member
    assert write_note(cast.architect, entry.pk, "Hello.").kind == "note"


@pytest.mark.parametrize("who", ["viewer", "member", "outsider", "curator", "administrator"])
def test_only_architects_ask(cast: Cast, entry: Entry, who: str) -> None:
    with pytest.raises(PermissionDenied):
        ask(getattr(cast, who), entry.pk, "Why?")


@pytest.mark.parametrize("who", ["viewer", "outsider", "architect", "curator", "administrator"])
def test_only_the_team_answers(cast: Cast, entry: Entry, who: str) -> None:
    question = ask(cast.architect, entry.pk, "Why?")
    with pytest.raises(PermissionDenied):
        answer(getattr(cast, who), question.pk, "So.")
    assert list(questions_to(getattr(cast, who))) == []


def test_only_questions_are_answered(cast: Cast, entry: Entry) -> None:
    note = write_note(cast.architect, entry.pk, "Hello.")
    with pytest.raises(Note.DoesNotExist):
        answer(cast.member, note.pk, "So.")


def test_nothing_and_too_much_are_refused_and_twice_counts_once(cast: Cast, entry: Entry) -> None:
    for text in ("  \n", "x" * 4001):
        with pytest.raises(Refused) as refused:
            write_note(cast.member, entry.pk, text)
        assert refused.value.field == "text"
    assert write_note(cast.member, entry.pk, "Once.") == write_note(cast.member, entry.pk, "Once.")


def test_credentials_do_not_stay_in_a_note(cast: Cast, entry: Entry) -> None:
    note = write_note(cast.member, entry.pk, "See https://lena:hunter2hunter2@git.example/x")
    assert "hunter2" not in note.text


def test_nothing_is_written_once_it_is_closed(cast: Cast, entry: Entry) -> None:
    question = ask(cast.architect, entry.pk, "Why?")
    decided(cast.architect, entry)
    close(cast.architect, entry.review_id, "Reviewed.", TODAY)
    acts: list[Callable[[], Note]] = [
        lambda: write_note(cast.member, entry.pk, "Late."),
        lambda: ask(cast.architect, entry.pk, "Late?"),
        lambda: answer(cast.member, question.pk, "Late."),
    ]
    for act in acts:
        with pytest.raises(Refused, match="is closed"):
            act()
    assert Note.objects.get() == question
