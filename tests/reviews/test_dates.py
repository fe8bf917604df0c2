"""Quarters and end dates on both sides of midnight, in the organisation's zone and across daylight saving."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from portability.accounts.models import Person
from portability.organisation.dates import Quarter
from portability.organisation.kept import forget
from portability.organisation.models import Organisation
from portability.register.models import Assessment, Row
from portability.rehearsals.models import Rehearsal
from portability.reviews import findings
from portability.reviews.actions import close, open_review
from portability.reviews.changes import since
from portability.reviews.errors import Refused
from portability.reviews.models import Review
from portability.reviews.queries import quarters_to_open
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import (
    NOTHING,
    SERVING,
    TODAY,
    body,
    decided,
    entry_of,
    register,
    revise,
    standing,
    target,
    waived,
)

pytestmark = pytest.mark.database


@pytest.mark.parametrize(
    ("today", "may"),
    [
        (date(2026, 9, 30), ["2026-Q3", "2026-Q4", "2026-Q2"]),
        (date(2026, 10, 1), ["2026-Q4", "2027-Q1", "2026-Q3"]),
        (date(2026, 12, 31), ["2026-Q4", "2027-Q1", "2026-Q3"]),
        (date(2027, 1, 1), ["2027-Q1", "2027-Q2", "2026-Q4"]),
    ],
)
def test_which_quarters_can_be_opened_turns_with_the_day(
    cast: Cast, chat: Workload, today: date, may: list[str]
) -> None:
    assert [str(q) for q in quarters_to_open(today)] == may
    for quarter in [Quarter.parse(q) for q in may]:
        review = open_review(cast.architect, quarter, today)
        review.entries.all().delete()
        review.delete()
    with pytest.raises(Refused):
        open_review(cast.architect, Quarter.parse(may[1]).next, today)


def test_a_year_that_begins_in_april_has_other_quarters(cast: Cast, chat: Workload) -> None:
    Organisation.objects.update_or_create(pk=1, defaults={"first_month": 4})
    forget()
    review = open_review(cast.architect, Quarter(2026, 3), date(2026, 10, 1))
    assert (review.quarter, review.starts, review.ends) == ("2026-Q3", date(2026, 10, 1), date(2026, 12, 31))


# Ten past midnight in the zone, and twenty minutes before it: the days of the clock's change are among them.
NIGHTS = [
    ("Europe/Vienna", date(2026, 10, 25)),
    ("Europe/Vienna", date(2027, 3, 28)),
    ("America/New_York", date(2026, 11, 1)),
    ("Australia/Lord_Howe", date(2027, 4, 4)),
    ("Pacific/Kiritimati", date(2027, 1, 1)),
    ("America/Santiago", date(2027, 4, 4)),
]


@pytest.mark.parametrize(("zone", "day"), NIGHTS)
def test_a_waiver_ends_at_midnight_in_the_organisations_zone(
    cast: Cast, review: Review, chat: Workload, zone: str, day: date
) -> None:
    entry = entry_of(review, chat)
    first = min(TODAY, day - timedelta(days=30))
    waived(cast.architect, entry, "IMG001", ends=day, today=first)
    midnight = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)) + timedelta(days=1)
    with timezone.override(ZoneInfo(zone)):
        last, after = (timezone.localdate(midnight.astimezone(UTC) + timedelta(minutes=m)) for m in (-20, 10))
    assert (last, after) == (day, day + timedelta(days=1))
    assert (standing(entry, last).waived, standing(entry, after).waived) == (1, 0)


def test_a_waiver_settled_a_day_ahead_elsewhere_still_holds_for_those_who_have_yesterday(
    cast: Cast, review: Review, chat: Workload
) -> None:
    """A worker in another zone may have tomorrow: what it settles anew must hold for today as well."""
    entry = entry_of(review, chat)
    waived(cast.architect, entry, "IMG001", ends=TODAY + timedelta(days=1))
    waived(cast.architect, entry, "RES001", ends=date(2027, 3, 1), today=TODAY + timedelta(days=2))
    assert standing(entry, TODAY + timedelta(days=1)).waived == 2
    assert standing(entry, TODAY + timedelta(days=2)).waived == 1


@pytest.mark.parametrize("ends", [TODAY + timedelta(days=1), TODAY + timedelta(days=731)])
def test_the_first_and_the_last_day_that_a_waiver_may_end_on(
    cast: Cast, review: Review, chat: Workload, ends: date
) -> None:
    with pytest.raises(Refused, match="until 30 November 2028; then look again"):
        waived(cast.architect, entry_of(review, chat), "IMG001", ends=TODAY + timedelta(days=732))
    assert waived(cast.architect, entry_of(review, chat), "IMG001", ends=ends).ends == ends


def test_not_known_may_be_due_today_and_confirmed_until_then(cast: Cast, review: Review) -> None:
    unread = register(cast.member, cast.search, "unread", NOTHING)
    decided(cast.architect, entry_of(review, unread), kind="not-known", finds_out="Lena", by_day=date(2027, 1, 15))
    decided(cast.architect, review.entries.exclude(workload=unread).get())
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    second = open_review(cast.architect, Quarter(2027, 1), date(2027, 1, 10))
    with pytest.raises(Refused, match="to be known by 15 January 2027"):
        decided(cast.architect, entry_of(second, unread), date(2027, 1, 16), kind="confirm")
    assert decided(cast.architect, entry_of(second, unread), date(2027, 1, 15), kind="confirm").finds_out == "Lena"


def test_the_day_of_a_change_is_the_organisations(cast: Cast, review: Review, chat: Workload) -> None:
    before = Row.objects.get(workload=chat, target=target()).assessment_id
    revise(cast.member, chat, SERVING.replace("v0.23.0", "v0.24.0"))
    after = Row.objects.get(workload=chat, target=target()).assessment_id
    Assessment.objects.filter(pk=after).update(assessed_at=datetime(2026, 10, 25, 22, 59, tzinfo=UTC))
    span = {(chat.pk, target().pk): (before, after)}
    with timezone.override(ZoneInfo("Europe/Vienna")):
        assert [c.day for c in since(span)[chat.pk, target().pk]] == ["2026-10-25"]
    with timezone.override(ZoneInfo("Asia/Tokyo")):
        assert [c.day for c in since(span)[chat.pk, target().pk]] == ["2026-10-26"]


def test_days_that_the_engine_names_are_written_in_full_on_pages(
    cast: Cast, review: Review, chat: Workload, client_of: Callable[[Person | None], Client]
) -> None:
    entry = entry_of(review, chat)
    row = Row.objects.select_related("assessment").get(workload=chat, target=target())
    for found in row.assessment.findings:
        found["reason"] = "The page was read on 2026-08-07 and is due."
    row.assessment.missing = ["serving.yaml: not read since 2026-08-07"]
    row.assessment.save()
    Row.objects.update(why="read on 2026-08-07 and due")
    client = client_of(cast.architect)
    mark = next(f for f in map(findings.mark, row.assessment.findings))
    waive = f"/reviews/waive/{chat.pk}/{target().pk}/{mark}/"
    aside = register(cast.member, cast.search, "aside")
    addresses = [
        f"/reviews/2026-Q4/?state=all&at={entry.pk}",
        f"/reviews/2026-Q4/?state=all&at={entry_of(review, aside).pk}",
        f"/reviews/2026-Q4/together/?entry={entry.pk}",
        waive,
    ]
    pages = {address: body(client.get(address)).decode() for address in addresses}
    decided(cast.architect, entry)
    decided(cast.architect, entry_of(review, aside))
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    pages |= {
        address: body(client.get(address)).decode() for address in ("/reviews/2026-Q4/", "/reviews/2026-Q4/report/")
    }
    for address, page in pages.items():
        text = re.sub(r"<[^>]+>", " ", page)
        assert "on 7 August 2026 and" in text and not re.search(r"\d{4}-\d\d-\d\d", text), address


def test_a_rehearsal_lapses_the_day_after_the_organisations_limit(cast: Cast, review: Review, chat: Workload) -> None:
    told = {"traffic": "5 %", "observed": "It ran.", "recorded_by": cast.member, "recorded_by_name": "member"}
    for days in (365, 366):
        Rehearsal.objects.create(workload=chat, target=target(), day=TODAY - timedelta(days=days), **told)
    decided(cast.architect, entry_of(review, chat))
    text = close(cast.architect, review.pk, "Reviewed.", TODAY).text
    assert text.count('"lapsed":true') == text.count('"lapsed":false') == 1
