"""Loading what ships: published once, superseded by news, and never over a person's reading."""

from __future__ import annotations

from datetime import date

import pytest

from portability.audit.models import Entry
from portability.engine.matrices import shipped
from portability.engine.matrices.knowledge import Cell as EngineCell
from portability.engine.matrices.knowledge import Release as EngineRelease
from portability.engine.matrices.knowledge import Source as EngineSource
from portability.matrices.actions import load, load_shipped
from portability.matrices.models import Cell, Release, Source

pytestmark = [pytest.mark.django_db, pytest.mark.database]

PAGE = EngineSource("a-page", "A page", "https://docs.example.com/page", "what it is for")


def reading(day: int, value: str = "6.8", version: str = "1.0") -> EngineRelease:
    """A reading of the page in August, with two cells."""
    cells = [EngineCell("os/x1/ubuntu/24.04", value), EngineCell("driver/x1", "3.2, 3.1", note="enumerated")]
    return EngineRelease("a-page", version, date(2026, 8, day), {cell.key: cell for cell in cells})


def published() -> Release:
    """The one published reading."""
    return Release.objects.get(state=Release.State.PUBLISHED)


def test_a_first_load_publishes_every_cell_in_its_order() -> None:
    loaded = load([PAGE], [reading(7)])
    assert loaded.published == ["a-page 1.0"]
    assert published().read == date(2026, 8, 7)
    assert list(published().cells.values_list("key", "value", "note")) == [
        ("os/x1/ubuntu/24.04", "6.8", ""),
        ("driver/x1", "3.2, 3.1", "enumerated"),
    ]
    assert Entry.objects.get().action == "matrix.published"


def test_a_second_load_changes_nothing() -> None:
    load([PAGE], [reading(7)])
    before = list(Release.objects.values()), list(Cell.objects.values()), Entry.objects.count()
    loaded = load([PAGE], [reading(7)])
    assert (loaded.published, loaded.superseded, loaded.kept) == ([], [], [])
    assert before == (list(Release.objects.values()), list(Cell.objects.values()), Entry.objects.count())


def test_a_newer_shipped_reading_supersedes_the_earlier_one_of_the_same_version_only() -> None:
    load([PAGE], [reading(7), reading(7, version="0.9")])
    loaded = load([PAGE], [reading(20, "6.11")])
    assert (loaded.published, loaded.superseded) == (["a-page 1.0"], ["a-page 1.0"])
    states = Release.objects.order_by("version", "read").values_list("version", "read__day", "state")
    assert list(states) == [("0.9", 7, "published"), ("1.0", 7, "superseded"), ("1.0", 20, "published")]


def test_an_older_shipped_reading_does_not_come_back() -> None:
    load([PAGE], [reading(7)])
    load([PAGE], [reading(20, "6.11")])
    assert load([PAGE], [reading(7)]).published == []
    assert load([PAGE], [reading(3, "5.15")]).kept == ["a-page 1.0"]
    assert published().read == date(2026, 8, 20)


def test_a_persons_reading_is_never_superseded() -> None:
    load([PAGE], [])
    mine = Release.objects.create(
        source_id="a-page", version="1.0", state="published", read=date(2026, 8, 1), read_by="curator", digest="mine"
    )
    assert load([PAGE], [reading(20)]).kept == ["a-page 1.0"]
    assert published() == mine


def test_a_page_that_moved_is_told_of_at_the_next_load() -> None:
    load([PAGE], [])
    load([EngineSource("a-page", "A page", PAGE.url, PAGE.purpose, "moved", "moved in July", None)], [])
    assert Source.objects.values_list("status", "status_note", "due_days").get() == ("moved", "moved in July", None)


def test_what_ships_fits_the_columns() -> None:
    """SQLite does not enforce the length of a column; PostgreSQL does."""
    load_shipped()
    columns = ("key", "value", "note", "link")
    limits = {f.name: f.max_length for f in Cell._meta.concrete_fields if f.max_length and f.name in columns}
    assert set(limits) == set(columns)
    for release in shipped.releases():
        for cell in release.cells.values():
            assert all(len(getattr(cell, name)) <= limit for name, limit in limits.items()), cell.key
    assert Cell.objects.count() == sum(len(release.cells) for release in shipped.releases())
