"""The history page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.audit.models import Entry
from tests.conftest import Cast

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]


def page(client: Client, **query: str) -> str:
    answer = client.get(reverse("audit:entries"), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_shows_who_did_what_newest_first(cast: Cast, client_of: ClientOf) -> None:
    record(cast.member, "workload.saved", "chat-assistant", revision=2, teams=["a", "b"], forced=False)
    record(None, "matrix.loaded", "rocm <script>x</script>", before={"state": None})
    text = page(client_of(cast.architect))
    assert text.index("matrix: loaded") < text.index("chat-assistant")
    assert "forced: no · revision: 2 · teams: a, b" in text
    assert "before: state –" in text
    assert "<script>x" not in text
    assert "system" in text


def test_numbers_of_the_database_are_not_shown(cast: Cast, client_of: ClientOf) -> None:
    record(cast.administrator, "team.renamed", "Risk", team=4711, before="Fraud")
    record(None, "run.started", "what is out of date", run=4711, pairs=8)
    record(cast.member, "workload.retired", "chat", team="Search")
    text = page(client_of(cast.architect))
    assert "4711" not in text
    assert "before: Fraud" in text and "assessments: 8" in text and "team: Search" in text


def test_days_are_written_in_full_and_what_only_looks_like_one_as_it_is(cast: Cast, client_of: ClientOf) -> None:
    record(cast.curator, "matrix.published", "vllm-features", read="2026-08-07", note="2026-02-31", supersedes=15)
    text = page(client_of(cast.architect))
    assert "note: 2026-02-31 · read: 7 August 2026" in text and "supersedes" not in text


def test_a_changed_field_is_told_as_what_it_was_and_is(cast: Cast, client_of: ClientOf) -> None:
    record(cast.curator, "target.saved", "a", changed={"os version": ["24.04.4", "24.04.2"], "taints": [None, ["x"]]})
    text = page(client_of(cast.architect))
    assert "os version: 24.04.4 → 24.04.2 · taints: – → x" in text


def test_filters_by_person_action_subject_and_day(cast: Cast, client_of: ClientOf) -> None:
    record(cast.member, "workload.saved", "chat-assistant")
    record(cast.curator, "target.saved", "mi300x-single")
    then = timezone.now() - timedelta(days=40)
    Entry.objects.create(at=then, who_name="member", action="workload.saved", subject="long-ago")
    client = client_of(cast.administrator)
    assert "chat-assistant" not in page(client, who="cura")
    assert "mi300x-single" not in page(client, action="workload.saved")
    assert "chat-assistant" in page(client, subject="CHAT")
    since = f"{timezone.now() - timedelta(days=3):%Y-%m-%d}"
    assert "long-ago" not in page(client, since=since)
    until = page(client, until=since)
    assert "long-ago" in until
    assert "chat-assistant" not in until


def test_a_senseless_filter_is_told_and_filters_nothing(cast: Cast, client_of: ClientOf) -> None:
    record(cast.member, "workload.saved", "chat-assistant")
    text = page(client_of(cast.administrator), since="yesterday-ish", page="none")
    assert "Nothing is filtered" in text
    assert "chat-assistant" in text


def test_pages_keep_the_filter(cast: Cast, client_of: ClientOf) -> None:
    for number in range(120):
        record(cast.member, "workload.saved", f"load-{number:03}")
    client = client_of(cast.administrator)
    first = page(client, subject="load")
    assert "1–50 of 120" in first
    assert "?subject=load&amp;page=2" in first
    last = page(client, subject="load", page="3")
    assert "101–120 of 120" in last
    assert "load-000" in last


def test_the_number_of_queries_does_not_grow(
    cast: Cast, client_of: ClientOf, django_assert_max_num_queries: Callable[..., object]
) -> None:
    for number in range(50):
        record(cast.member, "workload.saved", f"load-{number}")
    client = client_of(cast.architect)
    with django_assert_max_num_queries(8):  # type: ignore[attr-defined]
        page(client)
