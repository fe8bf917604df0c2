"""Pages and files turn with midnight in the organisation's zone: the clock is set a second before it, and on it."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from portability.accounts.models import Person
from portability.organisation.models import Organisation
from portability.reviews.models import Review
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import entry_of, waived

pytestmark = pytest.mark.database

SetTo = Callable[[datetime], None]
ClientOf = Callable[[Person | None], Client]
# The ends of quarters, and days on which clocks are put forward or back.
NIGHTS = [
    ("Europe/Vienna", date(2026, 12, 31)),
    ("Pacific/Kiritimati", date(2026, 12, 31)),
    ("Europe/Vienna", date(2027, 3, 28)),
    ("America/New_York", date(2026, 11, 1)),
    ("America/Santiago", date(2027, 4, 3)),  # the hour before midnight comes twice
]


@pytest.fixture
def set_to(monkeypatch: pytest.MonkeyPatch) -> SetTo:
    """Sets the clock of the product."""
    return lambda moment: monkeypatch.setattr(timezone, "now", lambda: moment)


def around(zone: str, day: date) -> tuple[datetime, datetime]:
    """The last second of a day in a zone, and the first of the next one."""
    Organisation.objects.update_or_create(pk=1, defaults={"time_zone": zone})
    first = datetime.combine(day + timedelta(days=1), time.min, ZoneInfo(zone)).astimezone(UTC)
    last = first - timedelta(seconds=1)
    assert (last.astimezone(ZoneInfo(zone)).date(), first.astimezone(ZoneInfo(zone)).date()) == (
        day,
        day + timedelta(days=1),
    )
    return last, first


def findings_waived(client: Client) -> str:
    """What the register's CSV says of the only workload."""
    answer = client.get("/register/export.csv?columns=all")
    [row] = csv.DictReader(b"".join(answer).decode("utf-8-sig").splitlines())
    return row["waived findings"]


@pytest.mark.parametrize(("zone", "day"), NIGHTS)
def test_a_waiver_holds_to_the_last_second_of_its_day(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf, set_to: SetTo, zone: str, day: date
) -> None:
    waived(cast.architect, entry_of(review, chat), "IMG001", ends=day, today=day - timedelta(days=30))
    for moment, running, holds in zip(around(zone, day), (1, 0), ("1", "0"), strict=True):
        set_to(moment)
        client = client_of(cast.viewer)
        assert f"{running} in force" in client.get("/reviews/waivers/").content.decode()
        assert findings_waived(client) == holds


@pytest.mark.parametrize(
    ("first_month", "day", "quarters"),
    [
        (1, date(2026, 12, 31), ("2026-Q4", "2027-Q1")),
        (4, date(2027, 3, 31), ("2026-Q4", "2027-Q1")),
        (2, date(2026, 10, 31), ("2026-Q3", "2026-Q4")),
    ],
)
@pytest.mark.parametrize("zone", ["Europe/Vienna", "America/New_York", "Pacific/Auckland"])
def test_the_present_quarter_turns_at_midnight(
    cast: Cast,
    chat: Workload,
    client_of: ClientOf,
    set_to: SetTo,
    first_month: int,
    day: date,
    quarters: tuple[str, str],
    zone: str,
) -> None:
    Organisation.objects.update_or_create(pk=1, defaults={"first_month": first_month})
    for moment, quarter in zip(around(zone, day), quarters, strict=True):
        set_to(moment)
        client = client_of(cast.architect)
        page = client.get("/reviews/").content.decode()
        assert page.index(f'<option value="{quarter}"') == page.index("<option"), "it is proposed first"
        assert f"now ({quarter})" in client.get("/").content.decode()
