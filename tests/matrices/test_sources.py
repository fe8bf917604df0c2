"""Sources that people keep: edited, added, due on a day, and never taken back by what ships."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.engine.matrices.knowledge import Cell, Release
from portability.engine.matrices.knowledge import Source as Page
from portability.matrices import sources
from portability.matrices.actions import load, load_shipped
from portability.matrices.models import Release as Reading
from portability.matrices.models import Source
from portability.matrices.queries import knowledge, lines
from portability.matrices.sources import Said
from portability.register import queries as register
from portability.register.models import Row
from tests.conftest import Cast
from tests.matrices.keeping import work
from tests.register.registering import register_workload

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]
PAGE = Page("a-page", "A page", "https://docs.example.com/page", "what it is for")
READ = Release("a-page", "1", date(2026, 8, 7), {"a": Cell("a", "b")})
FORM = {
    "url": PAGE.url,
    "purpose": PAGE.purpose,
    "status": "current",
    "status_note": "",
    "due_days": "90",
    "due": "",
    "version": "1",
}


def said(**changes: Any) -> Said:
    """What the page's source says, with some of it otherwise."""
    return replace(Said(PAGE.url, PAGE.purpose, "current", "", 90, None), **changes)


def post(client: Client, **changes: str) -> Any:
    """Save the form of the page's source."""
    return client.post(reverse("matrices:edit", args=["a-page"]), FORM | changes, follow=True)


@pytest.fixture
def page(cast: Cast) -> Source:
    """A source that ships, with one reading."""
    load([PAGE], [READ])
    return Source.objects.get()


def test_what_a_person_edited_stays_and_all_else_follows_what_ships(cast: Cast, page: Source) -> None:
    sources.edit_source(cast.curator, "a-page", 1, said(url="https://mirror.example.com/page"))
    load([replace(PAGE, url="https://docs.example.com/new", purpose="something else", due_days=30)], [])
    now = Source.objects.get()
    assert (now.url, now.purpose, now.due_days) == ("https://mirror.example.com/page", "something else", 30)
    assert sources.edited(now) == {"url": "https://docs.example.com/new"}
    load([replace(PAGE, url="https://mirror.example.com/page")], [])
    assert sources.edited(Source.objects.get()) == {}, "what ships says the same by now"
    load([replace(PAGE, url="https://docs.example.com/third")], [])
    assert Source.objects.get().url == "https://docs.example.com/third", "and is followed from then on"


def test_what_was_loaded_before_people_could_edit_it_follows_what_ships(page: Source) -> None:
    Source.objects.update(shipped={})
    load([replace(PAGE, purpose="something else")], [])
    assert Source.objects.get().purpose == "something else"


def test_an_edit_is_recorded_with_what_it_was_and_the_page_says_what_ships(
    cast: Cast, page: Source, client_of: ClientOf
) -> None:
    client = client_of(cast.administrator)
    text = post(client, purpose="platforms", due_days="30").content.decode()
    assert "A page was saved." in text
    assert "The product ships: purpose <q>what it is for</q>, due after days <q>90</q>" in text
    entry = Entry.objects.get(action="source.edited")
    assert (entry.who, entry.subject) == (cast.administrator, "A page")
    assert entry.details == {"purpose": ["what it is for", "platforms"], "due_days": [90, 30]}
    form = client.get(reverse("matrices:edit", args=["a-page"])).content.decode()
    assert "Shipped with the product: 90." in form
    assert "Nothing was changed." in post(client, purpose="platforms", due_days="30", version="2").content.decode()
    assert Entry.objects.filter(action="source.edited").count() == 1


def test_whoever_comes_second_is_told_and_keeps_what_they_typed(cast: Cast, page: Source, client_of: ClientOf) -> None:
    sources.edit_source(cast.administrator, "a-page", 1, said(status="moved", status_note="moved in October"))
    client = client_of(cast.curator)
    answer = post(client, purpose="mine")
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "Someone else saved this source" in text
    assert "moved in October" in text and 'value="mine"' in text
    assert Source.objects.get().purpose == PAGE.purpose
    assert post(client, purpose="mine", version="2").status_code == 200
    assert (Source.objects.get().purpose, Source.objects.get().status) == ("mine", "current")


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("url", "javascript:alert(1)", "begins with https://"),
        ("due_days", "0", "greater than or equal to 1"),
        ("due", "next week", "Enter a valid date"),
        ("status", "gone", "Select a valid choice"),
        ("purpose", "", "required"),
        ("status_note", "one\nline", "one line"),
    ],
)
def test_what_cannot_stand_is_told_and_what_was_typed_is_kept(
    cast: Cast, page: Source, client_of: ClientOf, field: str, value: str, words: str
) -> None:
    answer = post(client_of(cast.curator), **{"purpose": "mine", field: value})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert Source.objects.get().purpose == PAGE.purpose


@pytest.mark.parametrize(
    ("due", "due_days", "status", "expected"),
    [
        (date(2026, 10, 1), 90, "current", date(2026, 10, 1)),
        (date(2026, 10, 1), None, "current", date(2026, 10, 1)),
        (date(2026, 8, 7), 90, "current", date(2026, 11, 5)),  # it was read on that day
        (None, None, "current", None),
        (date(2026, 10, 1), 90, "moved", None),
        (None, 90, "retired", None),
    ],
)
def test_the_day_it_is_due_again(
    cast: Cast, page: Source, due: date | None, due_days: int | None, status: str, expected: date | None
) -> None:
    sources.edit_source(cast.curator, "a-page", 1, said(due=due, due_days=due_days, status=status))
    (line,) = lines(date(2026, 10, 3))
    assert line.due == expected
    assert line.overdue == (2 if expected == date(2026, 10, 1) else 0)
    assert knowledge().sources["a-page"].due == due


def test_a_source_of_ones_own_is_added_and_read_by_hand(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.curator)
    form = FORM | {"title": "Our cluster handbook", "url": "https://wiki.example.com/gpu", "purpose": "what runs where"}
    text = client.post(reverse("matrices:add"), form, follow=True).content.decode()
    assert "Added by" in text and "curator" in text
    source = Source.objects.get()
    assert (source.pk, source.added_by, source.read_by_machine) == ("our-cluster-handbook", "curator", False)
    assert Entry.objects.get(action="source.added").details["url"] == "https://wiki.example.com/gpu"
    read = {"source": source.pk, "read": "2026-11-20", "version": ""}
    client.post(reverse("matrices:read"), read)
    draft = Reading.objects.get()
    cell = {"key": "nodes/a100", "value": "40", "reason": "counted", "link": "https://wiki.example.com/gpu"}
    assert client.post(reverse("matrices:cell", args=[draft.pk]), cell).status_code == 302
    load_shipped()
    assert Source.objects.get(pk=source.pk).url == "https://wiki.example.com/gpu"


@pytest.mark.parametrize("title", ["a PAGE", "A-page", "???"])
def test_two_sources_have_two_names(cast: Cast, page: Source, client_of: ClientOf, title: str) -> None:
    answer = client_of(cast.curator).post(reverse("matrices:add"), FORM | {"title": title})
    assert answer.status_code == 422
    assert f'value="{title}"' in answer.content.decode()
    assert Source.objects.count() == 1


def test_a_page_that_is_said_to_stand_again_is_judged_again(cast: Cast, shipped: None) -> None:
    register_workload(cast.search, "chat")
    window = Source.objects.get(pk="user-kernel-space-matrix")
    assert window.status == "moved"
    resting = Row.objects.filter(rules__contains="|KNO002|")
    before = resting.count()
    assert before
    values = Said(window.url, window.purpose, "current", "", None, None)
    _, run = sources.edit_source(cast.curator, window.pk, 1, values)
    assert run is not None and run.about == f"{window} was said to be current"
    assert run.subject.url == reverse("matrices:source", args=[window.pk])
    assert 0 < run.total < Row.objects.count(), "only what asked whether the page stands"
    work()
    assert resting.count() < before
    assert register.outdated_pairs() == []
    _, run = sources.edit_source(cast.curator, window.pk, 2, replace(values, purpose="another", due=date(2027, 1, 1)))
    assert run is None


def test_only_who_keeps_the_matrices_may(cast: Cast, page: Source) -> None:
    for person in (cast.viewer, cast.member, cast.architect):
        with pytest.raises(PermissionDenied):
            sources.edit_source(person, "a-page", 1, said(purpose="mine"))
        with pytest.raises(PermissionDenied):
            sources.add_source(person, said(title="Mine"))
