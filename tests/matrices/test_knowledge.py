"""The published knowledge: what the database holds, read once and read again when it is another."""

from __future__ import annotations

from datetime import date

import pytest
from pytest_django import DjangoAssertNumQueries

from portability.engine.matrices import shipped
from portability.engine.matrices.knowledge import Cell, Release, Source
from portability.matrices import models
from portability.matrices.actions import load, load_shipped
from portability.matrices.queries import knowledge

pytestmark = [pytest.mark.django_db, pytest.mark.database]

PAGE = Source("a-page", "A page", "https://docs.example.com/page", "what it is for")


def reading(day: int, value: str) -> Release:
    """A reading of the page in August."""
    return Release("a-page", "1.0", date(2026, 8, day), {"os/x1": Cell("os/x1", value)})


def test_the_database_holds_what_ships() -> None:
    load_shipped()
    held, ships = knowledge(), shipped.knowledge()
    assert held.sources == ships.sources
    assert held.releases() == ships.releases()
    for one, other in zip(held.releases(), ships.releases(), strict=True):
        assert list(one.cells) == list(other.cells)


def test_it_is_read_once_and_then_costs_one_small_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    load([PAGE], [reading(7, "6.8")])
    first = knowledge()
    with django_assert_num_queries(1):
        assert knowledge() is first


def test_a_new_reading_is_seen_at_once() -> None:
    load([PAGE], [reading(7, "6.8")])
    assert knowledge().release("a-page", "1.0").cells["os/x1"].value == "6.8"  # type: ignore[union-attr]
    load([PAGE], [reading(9, "6.11")])
    assert knowledge().release("a-page", "1.0").cells["os/x1"].value == "6.11"  # type: ignore[union-attr]


def test_drafts_and_superseded_readings_say_nothing() -> None:
    load([PAGE], [reading(7, "6.8")])
    models.Release.objects.update(state="superseded")
    assert knowledge().releases() == []


def test_a_source_that_moved_is_seen_at_once() -> None:
    load([PAGE], [reading(7, "6.8")])
    knowledge()
    models.Source.objects.update(status="moved")
    assert knowledge().sources["a-page"].status == "moved"
