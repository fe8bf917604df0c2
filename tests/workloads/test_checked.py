"""What was checked: the readings an assessment consulted, and what they answered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client

from portability.accounts.models import Person
from portability.engine.matrices.knowledge import Cell, Knowledge, Release, Source
from portability.register.models import Assessment, ConsultedSet
from portability.workloads.checked import NOT_LISTED, checked
from portability.workloads.models import Workload
from tests.conftest import Cast

ClientOf = Callable[[Person | None], Client]
READ, TODAY = date(2026, 1, 1), date(2026, 2, 1)


def knowledge(due_days: int | None = 30) -> Knowledge:
    cells = [Cell("os/a", "supported"), Cell("os/b", "partial"), Cell("gpu/x", "yes")]
    sources = [
        Source("m", "Matrix", "https://m.example/", "", due_days=due_days),
        Source("n", "Notes", "", "", due_days=None),
    ]
    releases = [
        Release("m", "2.0", READ, {cell.key: cell for cell in cells}),
        Release("n", "", READ, {"k": Cell("k", "v")}),
    ]
    return Knowledge(sources, releases)


def asked(*keys: tuple[str, str, str]) -> Assessment:
    return Assessment(consulted=ConsultedSet(keys=[list(key) for key in keys]), releases=[])


def test_cells_stand_under_their_reading_with_their_values() -> None:
    found = checked(asked(("m", "2.0", "*release"), ("m", "2.0", "gpu/x"), ("n", "", "k")), knowledge(), TODAY)
    assert [(r.title, r.version, r.read) for r in found.readings] == [("Matrix", "2.0", READ), ("Notes", "", READ)]
    assert [(a.key, a.value, a.listed) for a in found.readings[0].answers] == [("gpu/x", "yes", True)]
    assert found.in_words == "2 entries of 2 sources"


def test_what_no_reading_lists_is_said() -> None:
    found = checked(asked(("m", "2.0", "gpu/y"), ("m", "2.0", "arch/*")), knowledge(), TODAY)
    assert [(a.key, a.value, a.listed) for a in found.readings[0].answers] == [
        ("gpu/y", NOT_LISTED, False),
        ("arch/*", NOT_LISTED, False),
    ]
    assert found.in_words == "2 entries of 1 source, 2 of them not listed"


def test_a_prefix_stands_for_all_cells_under_it_each_once() -> None:
    found = checked(asked(("m", "2.0", "os/*"), ("m", "2.0", "os/a")), knowledge(), TODAY)
    assert [a.key for a in found.readings[0].answers] == ["os/a", "os/b"]


def test_a_version_and_the_newest_that_is_the_same_reading_are_one() -> None:
    found = checked(asked(("m", "2.0", "os/a"), ("m", "newest", "gpu/x")), knowledge(), TODAY)
    assert [(r.version, len(r.answers)) for r in found.readings] == [("2.0", 2)]


def test_a_version_that_was_never_read() -> None:
    found = checked(asked(("m", "9.9", "*release"), ("m", "9.9", "gpu/x"), ("gone", "1", "k")), knowledge(), TODAY)
    assert [(r.title, r.version, r.read, r.overdue) for r in found.readings] == [
        ("gone", "1", None, 0),
        ("Matrix", "9.9", None, 0),
    ]
    assert not any(a.listed for r in found.readings for a in r.answers)


def test_overdue_is_worked_out_for_the_day() -> None:
    keys = asked(("m", "2.0", "gpu/x"), ("n", "", "k"))
    assert checked(keys, knowledge(), date(2026, 1, 31)).overdue == ""
    assert checked(keys, knowledge(), TODAY).overdue == "1 of 2 readings overdue, by up to 1 day"
    assert [r.overdue for r in checked(keys, knowledge(), date(2026, 2, 10)).readings] == [10, 0]
    assert checked(keys, knowledge(None), date(2030, 1, 1)).overdue == ""
    assert checked(asked(("m", "2.0", "os/a")), knowledge(), TODAY).overdue == "the reading is overdue by 1 day"


def test_the_day_is_that_of_the_reading_the_verdict_rests_on() -> None:
    assessment = asked(("m", "2.0", "gpu/x"))
    assessment.releases = [{"source": "m", "version": "2.0", "read": "2025-12-01"}]
    found = checked(assessment, knowledge(), TODAY).readings[0]
    assert (found.read, found.overdue) == (date(2025, 12, 1), 32)


def test_the_page_shows_it_for_each_target(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    page = client.get(f"/workloads/{saved.pk}/", {"target": "mi300x-single"}).content.decode()
    section = page.partition('<details class="checked">')[2].partition("</details>")[0]
    assert "What was checked" in section
    assert "<code>part/mi300x/family</code></dt><dd>" in section
    assert "read 7 August 2026" in section
    other = client.get(f"/workloads/{saved.pk}/", {"target": "mi355x-single"}).content.decode()
    assert "<code>part/mi355x/family</code></dt><dd>" in other


def test_what_is_overdue_today_stands_beside_the_day_of_the_reading(
    cast: Cast, saved: Workload, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    for today, said in ((date(2026, 8, 8), False), (date(2030, 1, 1), True)):
        monkeypatch.setattr("portability.workloads.queries.timezone.localdate", lambda today=today: today)
        page = client_of(cast.viewer).get(f"/workloads/{saved.pk}/").content.decode()
        as_of = page.partition("As of ")[2].partition("</p>")[0]
        assert ("readings overdue, by up to" in as_of) is said
        assert (", overdue " in page.partition('class="checked"')[2]) is said
