"""The zone that times are read in: of a request, of a task, of a command; and what asking for it costs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from celery import shared_task
from django.conf import LazySettings
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.ops.first_start import prepare
from portability.organisation import kept, zone
from portability.organisation.models import Organisation
from portability.register.models import Row
from tests.conftest import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]

LATE = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)
_days: list[str] = []


@shared_task(name="tests.organisation.say_the_day")  # type: ignore[untyped-decorator]
def say_the_day() -> None:
    """What day the task takes the moment for."""
    _days.append(timezone.localdate(LATE).isoformat())


def settle(name: str) -> None:
    """The organisation's zone."""
    Organisation.objects.update_or_create(pk=1, defaults={"time_zone": name})


def test_a_page_reads_times_in_the_zone(cast: Cast, client_of: ClientOf) -> None:
    Entry.objects.create(at=LATE, who_name="ann", action="workload.saved", subject="chat")
    client = client_of(cast.architect)
    assert "31 December 2026, 23:30" in client.get("/history/").content.decode()
    settle("Asia/Tokyo")
    assert "1 January 2027, 08:30" in client.get("/history/").content.decode()
    settle("")
    assert "31 December 2026, 23:30" in client.get("/history/").content.decode()


def test_a_file_that_is_streamed_reads_them_too(cast: Cast, registered: object, client_of: ClientOf) -> None:
    Row.objects.update(assessed_at=LATE)
    settle("Asia/Tokyo")
    answer = client_of(cast.viewer).get("/register/export.csv?columns=all")
    assert b"2027-01-01" in b"".join(answer)


def test_a_task_reads_times_in_the_zone() -> None:
    _days.clear()
    say_the_day.apply()
    settle("Pacific/Auckland")
    say_the_day.apply()
    assert _days == ["2026-12-31", "2027-01-01"]


def test_a_command_that_prepares_reads_them_too() -> None:
    call_command("load_shipped", verbosity=0)
    settle("Asia/Tokyo")
    prepare(lambda _: None)
    assert timezone.localdate(LATE).isoformat() == "2027-01-01"


def test_a_zone_that_is_gone_falls_back_to_the_installations(settings: LazySettings) -> None:
    settings.TIME_ZONE = "Europe/Vienna"
    settle("Mars/Olympus")
    zone.activate()
    assert timezone.localdate(LATE).isoformat() == "2027-01-01"


def test_asking_costs_one_query_in_a_while(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    kept.forget()
    with django_assert_num_queries(1):
        for _ in range(100):
            zone.activate()


def test_another_process_is_heard_after_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 1000.0
    monkeypatch.setattr(kept, "SECONDS", 5.0)
    monkeypatch.setattr("portability.organisation.kept.time.monotonic", lambda: clock)
    kept.forget()
    assert kept.organisation().name == ""
    Organisation.objects.update_or_create(pk=1)
    Organisation.objects.update(name="Example Bank")  # past this process, as another one does
    kept.organisation()
    clock += 5.1
    assert kept.organisation().name == "Example Bank"


def test_the_health_of_the_process_asks_nothing(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    kept.forget()
    with django_assert_num_queries(0):
        assert client.get("/health/live/").status_code == 200
