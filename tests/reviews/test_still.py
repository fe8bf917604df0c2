"""Outside its review a decision is told with what has become of it, and of the target it was made for alone."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from portability.accounts.models import Person
from portability.organisation.dates import Quarter
from portability.reviews.actions import close, move_to_default, open_review
from portability.reviews.models import Entry, Review
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import (
    PINNED,
    SERVING,
    body,
    choose_target,
    decided,
    entry_of,
    register,
    revise,
    target,
    waived,
)

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
NEW = "mi355x-single"
OTHERWISE = {"kind": "otherwise", "verdict": "movable", "reason": "It ran.", "evidence": "Rehearsed."}


@pytest.fixture
def today() -> date:
    """The register is looked at now."""
    return timezone.localdate()


@pytest.fixture
def entry(cast: Cast, shipped: None, today: date) -> Entry:
    """That of `chat`, in a review that is open now."""
    choose_target()
    chat = register(cast.member, cast.search, "chat")
    return entry_of(open_review(cast.architect, Quarter.of(today, 1), today), chat)


def accept(cast: Cast, entry: Entry, today: date) -> None:
    for rule in ("IMG001", "RES001"):
        waived(cast.architect, entry, rule, ends=today + timedelta(days=30), today=today)


def told(client: Client, name: str = "mi300x-single") -> tuple[str, ...]:
    """What the file for a target says was decided of `chat`."""
    asked = {"columns": "all", "target": name}
    [row] = csv.DictReader(
        io.StringIO(body(client.get(reverse("register:csv"), asked)).decode("utf-8-sig"), newline="")
    )
    return tuple(row[c] for c in ("verdict", "decided verdict", "decision", "decided as", "decision today"))


def on_page(client: Client, workload: Workload, name: str = "mi300x-single") -> str:
    """The line of the review on the workload's page, without marks."""
    page = client.get(reverse("workloads:workload", args=[workload.pk]), {"target": name}).content.decode()
    [line] = re.findall(r'<p class="reviewed">.*?</p>', page, re.DOTALL)
    return " ".join(strip_tags(line).split())


def test_without_a_decision_nothing_is_said(reader: Client, entry: Entry) -> None:
    assert told(reader) == ("needs-change", "needs-change", "", "", "")


def test_one_that_stands(cast: Cast, reader: Client, entry: Entry, today: date) -> None:
    decided(cast.architect, entry, today)
    assert told(reader) == ("needs-change", "needs-change", "agree", "needs-change", "stands")
    page = on_page(reader, entry.workload)
    assert "agreed, needs change" in page and "again" not in page and "out of date" not in page


def test_a_reviewers_own_stands_beside_the_engines(cast: Cast, reader: Client, entry: Entry, today: date) -> None:
    decided(cast.architect, entry, today, **OTHERWISE)
    assert told(reader) == ("needs-change", "movable", "otherwise", "movable", "stands")
    assert "out of date" not in on_page(reader, entry.workload)


def test_one_that_asks_again_is_never_read_as_the_verdict_of_today(
    cast: Cast, reader: Client, entry: Entry, today: date
) -> None:
    decided(cast.architect, entry, today)
    accept(cast, entry, today)
    assert told(reader) == ("needs-change", "movable", "agree", "needs-change", "asks again")
    assert on_page(reader, entry.workload).endswith(
        "· asks again: with what is waived it is movable now, for 2 waivers were given (IMG001, RES001) · in the review"
    )
    [row] = json.loads(body(reader.get(reverse("exports:take", args=["json"]))))["rows"]
    assert (row["decision"], row["decided_as"], row["decision_today"]) == ("agree", "needs-change", "asks again")
    raw = body(reader.get(reverse("exports:take", args=["csv"]), {"mapping": "risk-register"}))
    [risk] = csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline=""))
    assert (risk["Exposure as decided"], risk["Decision"], risk["Decided as"]) == (
        "Could move as it is",
        "Agreed",
        "Stops until changed",
    )
    assert risk["Decision today"] == "To be decided again, what it was made on has changed"


def test_one_that_asks_again_for_other_findings(cast: Cast, reader: Client, entry: Entry, today: date) -> None:
    decided(cast.architect, entry, today)
    revise(cast.member, entry.workload, SERVING.replace("v0.23.0", "v0.24.0"))
    assert told(reader)[-2:] == ("needs-change", "asks again")
    assert "asks again: it was decided when the answer was another" in on_page(reader, entry.workload)


def test_one_of_a_closed_review_is_out_of_date_once_the_verdict_is_another(
    cast: Cast, reader: Client, entry: Entry, today: date
) -> None:
    decided(cast.architect, entry, today)
    close(cast.architect, entry.review_id, "Reviewed.", today)
    assert told(reader)[-1] == "stands" and "out of date" not in on_page(reader, entry.workload)
    accept(cast, entry, today)
    assert told(reader) == ("needs-change", "movable", "agree", "needs-change", "out of date")
    assert "out of date: the verdict became another since" in on_page(reader, entry.workload)
    revise(cast.member, entry.workload, SERVING, **PINNED)
    assert told(reader)[-1] == "out of date"


def test_it_counts_for_the_target_it_was_made_for(cast: Cast, reader: Client, entry: Entry, today: date) -> None:
    old = target().name
    decided(cast.architect, entry, today)
    decided(cast.architect, entry, today, kind="stays", reason="It stays.")
    new = choose_target(name=NEW)
    move_to_default(cast.architect, entry.review_id, today, {"nvidia": new.pk})
    assert told(reader, old)[2:] == ("stays", "needs-change", "stands")
    assert told(reader, NEW)[2:] == ("", "", "")
    page = on_page(reader, entry.workload, NEW)
    assert f"for {old} · asks again, for {NEW}" in page
    assert f"· asks again, for {NEW}" in on_page(reader, entry.workload, old)
    moved = entry_of(Review.objects.get(), entry.workload)
    decided(cast.architect, moved, today)
    assert told(reader, old)[2:] == ("stays", "needs-change", "stands")
    assert told(reader, NEW)[2:] == ("agree", "needs-change", "stands")


def test_the_page_shows_what_was_decided_otherwise_before_the_next_review_decides(
    cast: Cast, reader: Client, entry: Entry, today: date
) -> None:
    decided(cast.architect, entry, today, **OTHERWISE)
    close(cast.architect, entry.review_id, "Reviewed.", today)
    open_review(cast.architect, Quarter.of(today, 1).next, today)
    assert told(reader)[1] == "movable"
    page = reader.get(reverse("workloads:workload", args=[entry.workload_id])).content.decode()
    assert "Decided verdict: Movable" in " ".join(strip_tags(page).split())
