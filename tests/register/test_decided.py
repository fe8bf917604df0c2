"""What people decided stands beside the engine's verdict: on the page, in files, and to filter by."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.register.models import Row
from portability.reviews.actions import open_review
from portability.reviews.models import Review, Waiver
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import Q4, choose_target, decided, entry_of, register, waived

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
OTHERWISE = {"kind": "otherwise", "verdict": "pinned", "reason": "Licensed for one host.", "evidence": "The licence."}


@pytest.fixture
def today() -> date:
    """Waivers and decisions hold on the day the register is looked at."""
    return timezone.localdate()


@pytest.fixture
def review(cast: Cast, shipped: None, today: date) -> Review:
    """`chat`, `other` and `plain` of the search team, and a review of them."""
    choose_target()
    for name in ("chat", "other", "plain"):
        register(cast.member, cast.search, name)
    return open_review(cast.architect, Q4, today)


def workload(name: str) -> Workload:
    return Workload.objects.get(name=name)


def rows(client: Client, **query: str) -> dict[str, dict[str, str]]:
    answer = client.get(reverse("register:csv"), {"columns": "all", "sort": "workload", **query})
    assert isinstance(answer, StreamingHttpResponse), answer.content
    read = csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig"), newline=""))
    return {row["workload"]: row for row in read}


def test_without_any_decision_it_is_the_engine_s(reader: Client, review: Review) -> None:
    row = rows(reader)["chat"]
    assert row["decided verdict"] == row["verdict"] == "needs-change"
    assert [row[c] for c in ("waived findings", "decision", "decided by", "decided on")] == ["0", "", "", ""]
    assert "decided:" not in reader.get("/register/").content.decode()


def test_a_decision_stands_second_everywhere(cast: Cast, reader: Client, review: Review, today: date) -> None:
    decided(cast.architect, entry_of(review, workload("chat")), today, **OTHERWISE)
    decided(cast.architect, entry_of(review, workload("other")), today)
    found = rows(reader)
    said = ("verdict", "decided verdict", "decision", "decided by", "decided on")
    assert [found["chat"][c] for c in said] == ["needs-change", "pinned", "otherwise", "architect", today.isoformat()]
    assert [found["other"][c] for c in said] == [
        "needs-change",
        "needs-change",
        "agree",
        "architect",
        today.isoformat(),
    ]
    assert found["plain"]["decision"] == ""
    page = reader.get("/register/").content.decode()
    assert page.count("decided: <b>pinned</b>") == 1
    short = reader.get(reverse("register:csv"), {"sort": "workload"})
    assert isinstance(short, StreamingHttpResponse)
    (first, *_) = csv.DictReader(io.StringIO(short.getvalue().decode("utf-8-sig"), newline=""))
    assert (first["Workload"], first["Verdict"], first["Decided"]) == ("chat", "needs-change", "pinned")
    answer = reader.get(reverse("exports:take", args=["json"]), {"q": "chat"})
    assert isinstance(answer, StreamingHttpResponse)
    (row,) = json.loads(answer.getvalue())["rows"]
    assert (row["verdict"], row["decided_verdict"], row["decided_on"]) == ("needs-change", "pinned", today.isoformat())


def test_a_waiver_counts_until_its_day(cast: Cast, reader: Client, review: Review, today: date) -> None:
    entry = entry_of(review, workload("chat"))
    rule = Row.objects.get(workload=entry.workload, target=entry.target).rules.strip("|").split("|")[0]
    waived(cast.architect, entry, rule, ends=today + timedelta(days=30), today=today)
    assert rows(reader)["chat"]["waived findings"] == "1"
    assert "1 waived" in reader.get("/register/").content.decode()
    assert Waiver.objects.count() == 1


def test_the_register_is_filtered_by_it(cast: Cast, reader: Client, review: Review, today: date) -> None:
    decided(cast.architect, entry_of(review, workload("chat")), today, **OTHERWISE)
    assert list(rows(reader, decided="differs")) == ["chat"]
    assert list(rows(reader, decided="pinned")) == ["chat"]
    assert list(rows(reader, decided="needs-change")) == ["other", "plain"]
    page = reader.get("/register/", {"decided": "differs"}).content.decode()
    assert "1 of 3 workloads" in page


def test_how_many_queries_a_file_needs_does_not_grow(cast: Cast, reader: Client, review: Review, today: date) -> None:
    decided(cast.architect, entry_of(review, workload("chat")), today)
    with CaptureQueriesContext(connection) as few:
        rows(reader)
    for name in ("other", "plain"):
        decided(cast.architect, entry_of(review, workload(name)), today)
    for n in range(10):
        register(cast.member, cast.search, f"more-{n}")
    with CaptureQueriesContext(connection) as many:
        rows(reader)
    assert len(many) <= len(few) + 1  # the settings are asked for again every few seconds
