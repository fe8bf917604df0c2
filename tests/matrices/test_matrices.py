"""The list of sources: what was read, when, and what is due."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from portability.accounts.models import Person
from portability.engine.matrices.knowledge import Cell, Release, Source
from portability.matrices.actions import load
from portability.matrices.queries import lines
from tests.conftest import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]

PAGE = Source("a-page", "A page", "https://docs.example.com/page", "what it is for", due_days=90)
MOVED = Source("moved", "B page", "https://docs.example.com/old", "once", "moved", "moved in July", None)


def reading(version: str, day: int = 7) -> Release:
    """A reading of the page in August."""
    return Release("a-page", version, date(2026, 8, day), {"a": Cell("a", "b")})


def test_each_version_has_its_line_the_newest_first_by_components() -> None:
    load([PAGE], [reading("7.9"), reading("7.14"), reading("10.0", day=20)])
    listed = [(line.release.version, line.first) for line in lines(date(2026, 9, 1)) if line.release]
    assert listed == [("10.0", True), ("7.14", False), ("7.9", False)]


@pytest.mark.parametrize(("today", "overdue"), [((2026, 11, 5), 0), ((2026, 11, 6), 1), ((2026, 12, 5), 30)])
def test_a_reading_is_due_ninety_days_later_and_overdue_the_day_after(
    today: tuple[int, int, int], overdue: int
) -> None:
    load([PAGE], [reading("1")])
    (line,) = lines(date(*today))
    assert (line.due, line.overdue) == (date(2026, 11, 5), overdue)
    assert line.age == 90 + overdue


def test_a_page_that_moved_is_never_due_and_a_page_never_read_is_listed() -> None:
    load([MOVED], [])
    (line,) = lines(date(2030, 1, 1))
    assert (line.release, line.due, line.overdue) == (None, None, 0)


def test_everyone_sees_the_sources_with_their_status(cast: Cast, client_of: ClientOf) -> None:
    load([PAGE, MOVED], [reading("1")])
    for person in (cast.viewer, cast.member, cast.architect, cast.curator, cast.administrator):
        text = client_of(person).get(reverse("matrices:matrices")).content.decode()
        for words in ("A page", "what it is for", "7 August 2026", "moved in July", "never read", PAGE.url):
            assert words in text
    assert f'moved: moved in July · <a href="{MOVED.url}"' in text, "in a narrow window too"
    assert client_of(None).get(reverse("matrices:matrices")).status_code == 302


def test_without_sources_it_says_what_to_do(cast: Cast, client_of: ClientOf) -> None:
    assert "load_shipped" in client_of(cast.viewer).get(reverse("matrices:matrices")).content.decode()


@pytest.mark.usefixtures("shipped")
def test_it_takes_few_queries(
    cast: Cast, client_of: ClientOf, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = client_of(cast.viewer)
    with django_assert_max_num_queries(6):
        client.get(reverse("matrices:matrices"))
