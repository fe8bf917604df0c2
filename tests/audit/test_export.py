"""The history as a file: what the page shows by the same filter, streamed; days are the organisation's."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.audit.models import Entry
from portability.organisation import kept
from portability.organisation.models import Organisation
from tests.conftest import Cast

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]


def taken(client: Client, kind: str, **query: str) -> bytes:
    answer = client.get(reverse("audit:export", args=[kind]), query)
    assert isinstance(answer, StreamingHttpResponse), answer.content
    assert f".{kind}" in answer.headers["Content-Disposition"]
    return answer.getvalue()


def subjects(client: Client, **query: str) -> list[str]:
    rows = list(csv.reader(io.StringIO(taken(client, "csv", **query).decode("utf-8-sig"), newline="")))
    assert rows[0] == ["at", "who", "action", "subject", "details"]
    return [row[3] for row in rows[1:]]


def done(at: datetime, subject: str, action: str = "workload.saved") -> Entry:
    return Entry.objects.create(at=at, who_name="ann", action=action, subject=subject)


def test_it_holds_what_the_page_shows_by_the_same_filter(cast: Cast, client_of: ClientOf) -> None:
    record(cast.member, "workload.saved", "chat", revision=2)
    record(cast.curator, "target.saved", "mi300x", changed={"os": ["a", "b"]})
    record(cast.architect, "review.decided", "=HYPERLINK(1)", reason="a\nb")
    client = client_of(cast.architect)
    assert subjects(client, who="member") == ["chat"]
    assert subjects(client, room="target") == ["mi300x"]
    assert subjects(client, action="review.decided") == ["'=HYPERLINK(1)"]
    assert subjects(client, room="workload", subject="CH") == ["chat"]
    document = json.loads(taken(client, "json", room="review"))
    assert document["count"] == 1 and document["about"]["filter"] == {"room": "review"}
    (entry,) = document["entries"]
    assert (entry["subject"], entry["details"], entry["who"]) == ("=HYPERLINK(1)", {"reason": "a\nb"}, "architect")
    page = client.get(reverse("audit:entries"), {"room": "target"}).content.decode()
    assert f"{reverse('audit:export', args=['csv'])}?room=target" in page
    assert "mi300x" in page and "chat" not in page


def test_taking_it_away_is_in_it_and_not_in_the_file(cast: Cast, client_of: ClientOf) -> None:
    record(cast.member, "workload.saved", "chat")
    client = client_of(cast.administrator)
    assert subjects(client) == ["chat"]
    assert subjects(client) == ["the history", "chat"]
    entry = Entry.objects.filter(action="history.exported").latest("pk")
    assert (entry.who, entry.details) == (cast.administrator, {"format": "csv", "rows": 2, "filter": ""})
    client.head(reverse("audit:export", args=["csv"]))
    assert Entry.objects.filter(action="history.exported").count() == 2


@pytest.mark.parametrize(
    ("query", "words"),
    [({"since": "yesterday"}, "Since"), ({"action": "no.such"}, "Did what"), ({"room": "cellar"}, "About")],
    ids=["since", "action", "room"],
)
def test_what_cannot_be_used_exports_nothing(
    cast: Cast, client_of: ClientOf, query: dict[str, str], words: str
) -> None:
    answer = client_of(cast.architect).get(reverse("audit:export", args=["csv"]), query)
    assert answer.status_code == 400 and words in answer.content.decode()
    assert not Entry.objects.exists()


def test_days_in_the_wrong_order_are_told(cast: Cast, client_of: ClientOf) -> None:
    asked = {"since": "2026-11-30", "until": "2026-11-29"}
    client = client_of(cast.architect)
    assert "This day is before the first one" in client.get(reverse("audit:entries"), asked).content.decode()
    assert client.get(reverse("audit:export", args=["csv"]), asked).status_code == 400
    assert client.get(reverse("audit:export", args=["pdf"])).status_code == 400


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York", "Europe/Berlin", "UTC"])
@pytest.mark.parametrize("day", [date(2026, 11, 30), date(2026, 3, 29), date(2026, 10, 25)], ids=str)
def test_days_begin_and_end_in_the_organisation_s_zone(cast: Cast, client_of: ClientOf, zone: str, day: date) -> None:
    """Also on the days on which clocks are put forward and back in Berlin."""
    Organisation.objects.update_or_create(pk=1, defaults={"time_zone": zone})
    kept.forget()
    midnight = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    next_day = day + timedelta(days=1)
    next_midnight = datetime(next_day.year, next_day.month, next_day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    second = timedelta(seconds=1)
    done(midnight - second, "the day before")
    done(midnight, "the first moment")
    done(next_midnight - second, "the last moment")
    done(next_midnight, "the day after")
    client = client_of(cast.architect)
    on_the_day = ["the last moment", "the first moment"]
    assert subjects(client, since=day.isoformat(), until=day.isoformat(), room="workload") == on_the_day
    page = client.get(reverse("audit:entries"), {"since": day.isoformat(), "until": day.isoformat()}).content.decode()
    assert all(said in page for said in on_the_day) and "the day " not in page
    assert subjects(client, until=day.isoformat(), room="workload") == [*on_the_day, "the day before"]
    kept.forget()


def test_its_queries_do_not_grow(
    cast: Cast, client_of: ClientOf, django_assert_max_num_queries: Callable[..., object]
) -> None:
    for n in range(1200):
        done(datetime(2026, 11, 30, tzinfo=UTC), f"w{n}")
    client = client_of(cast.architect)
    with django_assert_max_num_queries(9):  # type: ignore[attr-defined]
        assert len(subjects(client)) == 1200
