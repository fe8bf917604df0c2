"""Quarters of a year that may begin with any month, and which day it is where the organisation is."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from hypothesis import example, given
from hypothesis import strategies as st

from portability.organisation.dates import Quarter

DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))
MONTHS = st.integers(1, 12)


@given(day=DAYS, first=MONTHS)
@example(day=date(2028, 2, 29), first=12)
@example(day=date(2026, 12, 31), first=1)
@example(day=date(2027, 1, 1), first=1)
@example(day=date(2027, 1, 1), first=4)
def test_every_day_lies_in_one_quarter(day: date, first: int) -> None:
    quarter = Quarter.of(day, first)
    assert quarter.starts(first) <= day <= quarter.ends(first)
    assert Quarter.of(quarter.starts(first), first) == Quarter.of(quarter.ends(first), first) == quarter


@given(day=DAYS, first=MONTHS)
def test_quarters_follow_each_other_without_a_gap(day: date, first: int) -> None:
    quarter = Quarter.of(day, first)
    assert quarter.next.starts(first) == quarter.ends(first) + timedelta(days=1)
    assert quarter.next.previous == quarter.previous.next == quarter
    assert quarter.previous < quarter < quarter.next
    assert 89 <= (quarter.ends(first) - quarter.starts(first)).days + 1 <= 92


@given(day=DAYS, first=MONTHS)
def test_the_year_begins_with_the_first_month(day: date, first: int) -> None:
    quarter = Quarter.of(day, first)
    begins = Quarter(quarter.year, 1).starts(first)
    assert begins == date(quarter.year, first, 1)
    assert (quarter.starts(first).month - first) % 3 == 0
    assert begins <= day < date(quarter.year + 1, first, 1)


@given(day=DAYS, first=MONTHS)
def test_what_is_written_is_read_again(day: date, first: int) -> None:
    quarter = Quarter.of(day, first)
    assert Quarter.parse(str(quarter)) == Quarter.parse(f" {quarter} ") == quarter


@pytest.mark.parametrize(
    ("day", "first", "said"),
    [
        (date(2026, 11, 30), 1, "2026-Q4"),
        (date(2026, 11, 30), 4, "2026-Q3"),
        (date(2027, 3, 31), 4, "2026-Q4"),
        (date(2027, 4, 1), 4, "2027-Q1"),
        (date(2026, 2, 28), 2, "2026-Q1"),
        (date(2026, 1, 31), 2, "2025-Q4"),
    ],
)
def test_days_that_people_know(day: date, first: int, said: str) -> None:
    assert str(Quarter.of(day, first)) == said


@pytest.mark.parametrize("text", ["", "2026", "2026-Q5", "2026-Q0", "26-Q1", "2026Q1", "2026-Q1x", "９９９９-Q1"])
def test_what_is_no_quarter_is_said(text: str) -> None:
    with pytest.raises(ValueError, match="write it as 2026-Q4"):
        Quarter.parse(text)


ZONES = st.sampled_from(["UTC", "Europe/Vienna", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "Asia/Tokyo"])


@given(day=DAYS, first=MONTHS, zone=ZONES)
@example(day=date(2026, 3, 31), first=1, zone="Europe/Vienna")  # two days after clocks went forward
@example(day=date(2026, 10, 31), first=11, zone="America/New_York")  # the night before they go back
def test_a_quarter_ends_with_its_last_second_in_the_organisations_zone(day: date, first: int, zone: str) -> None:
    quarter, where = Quarter.of(day, first), ZoneInfo(zone)
    midnight = datetime.combine(quarter.next.starts(first), datetime.min.time(), where)
    before = midnight.astimezone(UTC) - timedelta(seconds=1)
    with timezone.override(where):
        assert Quarter.of(timezone.localdate(before), first) == quarter
        assert Quarter.of(timezone.localdate(midnight.astimezone(UTC)), first) == quarter.next


@pytest.mark.parametrize(
    ("zone", "moment", "day"),
    [
        ("Europe/Vienna", datetime(2026, 12, 31, 22, 59, 59, tzinfo=UTC), date(2026, 12, 31)),
        ("Europe/Vienna", datetime(2026, 12, 31, 23, 0, 0, tzinfo=UTC), date(2027, 1, 1)),
        ("Europe/Vienna", datetime(2026, 9, 30, 21, 59, 59, tzinfo=UTC), date(2026, 9, 30)),  # two hours in summer
        ("Europe/Vienna", datetime(2026, 9, 30, 22, 0, 0, tzinfo=UTC), date(2026, 10, 1)),
        ("Europe/Vienna", datetime(2026, 10, 25, 0, 59, 59, tzinfo=UTC), date(2026, 10, 25)),  # the hour that is twice
        ("America/New_York", datetime(2027, 1, 1, 4, 59, 59, tzinfo=UTC), date(2026, 12, 31)),
        ("Pacific/Auckland", datetime(2026, 9, 30, 10, 59, 59, tzinfo=UTC), date(2026, 9, 30)),
        ("Pacific/Auckland", datetime(2026, 9, 30, 11, 0, 0, tzinfo=UTC), date(2026, 10, 1)),
    ],
)
def test_the_day_is_that_of_the_zone(zone: str, moment: datetime, day: date) -> None:
    with timezone.override(ZoneInfo(zone)):
        assert timezone.localdate(moment) == day
