"""The times of a report: in the zone that its record names, whatever the settings say later."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.organisation import kept
from portability.organisation.dates import Quarter
from portability.organisation.models import Organisation
from portability.reviews import queries
from portability.reviews.actions import add_addendum, ask, close, open_review
from portability.reviews.models import Record
from portability.reviews.record.canonical import canonical
from portability.reviews.report import report
from portability.reviews.report_file import report_html
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import body, decided, entry_of

pytestmark = pytest.mark.database
OPENED, SIGNED = datetime(2026, 12, 31, 23, 2, tzinfo=UTC), datetime(2027, 3, 28, 1, 30, tzinfo=UTC)


def zoned(name: str) -> None:
    """Choose the organisation's zone."""
    Organisation.objects.update_or_create(pk=1, defaults={"time_zone": name})
    kept.forget()


@pytest.fixture
def record(cast: Cast, chat: Workload, monkeypatch: pytest.MonkeyPatch) -> Record:
    """Opened in Vienna in the first minutes of the year, and signed in the hour in which clocks are put forward."""
    zoned("Europe/Vienna")
    monkeypatch.setattr(timezone, "now", lambda: OPENED)
    review = open_review(cast.architect, Quarter(2027, 1), OPENED.date())
    ask(cast.architect, entry_of(review, chat).pk, "Which tag?")
    monkeypatch.setattr(timezone, "now", lambda: SIGNED)
    decided(cast.architect, entry_of(review, chat), SIGNED.date(), kind="stays", reason="It stays.")
    made = close(cast.architect, review.pk, "Reviewed.", SIGNED.date())
    add_addendum(cast.architect, review.pk, "The owner is Lena.")
    return made


def moments(html: str) -> set[str]:
    """Every day that stands with a time."""
    return set(re.findall(r"\d+ \w+ 20\d\d, \d\d:\d\d(?:,? UTC)?(?:[+-]\d\d:\d\d)?", html))


VIENNA = {"1 January 2027, 00:02, UTC+01:00", "28 March 2027, 03:30, UTC+02:00"}


def test_days_are_those_of_the_zone_the_record_names(
    cast: Cast, record: Record, client_of: Callable[[Person | None], Client]
) -> None:
    html = report_html(report(record, queries.addenda(record.review)))
    assert moments(html) == VIENNA and "in the organisation’s zone, Europe/Vienna" in html
    assert html.count("28 March 2027, 03:30, UTC+02:00") >= 5, "signed, as of, decided, and twice the addendum"
    for name in ("review", "report"):
        page = body(client_of(cast.viewer).get(reverse(f"reviews:{name}", args=["2027-Q1"]))).decode()
        assert moments(page) == VIENNA, name


def test_they_stay_when_the_organisation_moves(
    cast: Cast, record: Record, client_of: Callable[[Person | None], Client], tmp_path: Path
) -> None:
    before = report_html(report(record, queries.addenda(record.review)))
    zoned("America/New_York")
    with timezone.override("Asia/Tokyo"):
        assert report_html(report(record, queries.addenda(record.review))) == before
        call_command("report", "2027-Q1", "--html", str(tmp_path / "out.html"), verbosity=0)
    assert (tmp_path / "out.html").read_text(encoding="utf-8") == before
    page = body(client_of(cast.viewer).get(reverse("reviews:review", args=["2027-Q1"]))).decode()
    assert moments(page) == VIENNA


@pytest.mark.parametrize(
    ("name", "words"), [("", "in UTC"), ("UTC", "in UTC"), ("Nowhere/Yet", "Nowhere/Yet is no zone that is known here")]
)
def test_without_a_zone_it_is_utc_and_said_so(record: Record, name: str, words: str) -> None:
    said = json.loads(record.text)
    said["organisation"]["time_zone"] = name
    if not name:
        del said["organisation"]["time_zone"]
    old = Record(digest=record.digest, csv_digest=record.csv_digest, text=canonical(said))
    html = report_html(report(old, []))
    assert moments(html) == {"31 December 2026, 23:02 UTC", "28 March 2027, 01:30 UTC"}
    assert "<dt>Times</dt><dd>in UTC" in html and words in html
