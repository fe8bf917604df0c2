"""The queue's page: what it shows, its filters, and the acts on an entry, with htmx and without."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.organisation.dates import Quarter
from portability.reviews.actions import close, open_review
from portability.reviews.models import Decision, Entry, Note, Review
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import NOTHING, PLAIN, TODAY, decided, entry_of, register, revise, seen

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
HTMX = {"HX-Request": "true", "HX-Target": "queue"}


def here(review: Review, query: str = "") -> str:
    return reverse("reviews:review", args=[review.quarter]) + query


def form(entry: Entry, **fields: Any) -> dict[str, Any]:
    """What a form of the page sends."""
    now = seen(entry, timezone.localdate())
    return {"version": now.version, "assessment": now.assessment or 0, **fields}


def act(name: str, entry: Entry, *kind: str) -> str:
    return reverse(f"reviews:{name}", args=[entry.pk, *kind])


def test_the_queue_shows_an_entry_with_all_that_decides_it(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    answer = client_of(cast.architect).get(here(review))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "0 of 1 decided" in page
    assert "nvidia.com/gpu" in page and "read 7 August 2026" in page
    for words in (
        "Agree",
        "Agree with a plan",
        "Stays, because",
        "Decide otherwise",
        "Waive a finding",
        "Ask the team",
    ):
        assert words in page
    assert "For other targets:" in page and "not decided before" in page


def test_who_only_reads_sees_the_same_without_the_acts(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    page = client_of(cast.viewer).get(here(review)).content.decode()
    assert "nvidia.com/gpu" in page and "0 of 1 decided" in page
    assert 'method="post"' not in page.split('id="queue"')[1] and 'name="entry"' not in page
    assert "Note" in client_of(cast.member).get(here(review)).content.decode()


def test_one_request_decides_and_answers_with_the_next_entry(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    register(cast.member, cast.search, "summaries")
    entry = entry_of(review, chat)
    answer = client_of(cast.architect).post(act("decide", entry, "agree") + "?team=search", form(entry), headers=HTMX)
    fragment = answer.content.decode()
    assert "chat: agreed, needs change." in fragment and '<h3 id="now" tabindex="-1">summaries</h3>' in fragment
    assert "<html" not in fragment and "1 of 2 decided" in fragment
    following = Entry.objects.get(workload__name="summaries").pk
    assert answer.headers["HX-Replace-Url"] == here(review, f"?team=search&at={following}")


def test_without_htmx_it_redirects_to_the_next_entry(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    register(cast.member, cast.search, "summaries")
    entry = entry_of(review, chat)
    answer = client_of(cast.architect).post(act("decide", entry, "agree"), form(entry))
    assert answer.headers["Location"] == here(review, f"?at={Entry.objects.get(workload__name='summaries').pk}")
    page = client_of(cast.architect).get(answer.headers["Location"])
    assert '<h3 id="now" tabindex="-1">summaries</h3>' in page.content.decode()


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("plan", {"plan_quarter": "", "plan_owner": "us", "plan_effort": "2 days"}, "This field is required"),
        ("stays", {"reason": " ", "link": ""}, "This field is required"),
        ("stays", {"reason": "Because.", "link": "GPU-12"}, "Give a whole address"),
        ("otherwise", {"verdict": "needs-change", "reason": "x", "evidence": "y"}, "That is the verdict already"),
        ("not-known", {"finds_out": "us", "by_day": "2099-01-01"}, "It is assessed"),
    ],
)
def test_what_is_wrong_is_said_where_it_is_and_what_was_typed_is_kept(
    kind: str, fields: dict[str, str], said: str, cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    entry = entry_of(review, chat)
    for headers in ({}, HTMX):
        answer = client_of(cast.architect).post(act("decide", entry, kind), form(entry, **fields), headers=headers)
        page = answer.content.decode()
        assert answer.status_code == 422
        assert kind == "not-known" or said in page
        for text in (fields.get("plan_owner"), fields.get("link")):
            assert not text or f'value="{text}"' in page
    assert not Decision.objects.exists()


def test_two_reviewers_see_each_other_and_the_second_loses_nothing(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    entry = entry_of(review, chat)
    typed = form(entry, reason="It goes with its hardware.", link="")
    decided(cast.architect, entry, timezone.localdate(), kind="stays", reason="The vendor promised an image.")
    second = Person.objects.create(username="second", architect=True)
    answer = client_of(second).post(act("decide", entry, "stays"), typed, headers=HTMX)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "architect decided chat in the meantime: stays where it is." in page
    assert "The vendor promised an image." in page and "It goes with its hardware." in page
    assert page.count('id="stays_reason"') == 1, "the form is shown once"
    assert Decision.objects.get().made_by == cast.architect
    on_top = form(entry_of(review, chat), reason="It goes with its hardware.", link="")
    assert f'name="version" value="{on_top["version"]}"' in page, "sent again, it decides on top"
    client_of(second).post(act("decide", entry, "stays"), on_top, headers=HTMX)
    assert [d.made_by_name for d in Decision.objects.order_by("pk")] == ["architect", "second"]


def test_a_verdict_that_changed_meanwhile_is_shown_before_anything_is_decided(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    entry = entry_of(review, chat)
    typed = form(entry)
    revise(cast.member, chat, PLAIN)
    page = client_of(cast.architect).post(act("decide", entry, "agree"), typed, headers=HTMX).content.decode()
    assert "chat was needs change and is movable now: look at it again." in page
    assert not Decision.objects.exists()


def test_an_entry_whose_answer_changed_asks_again_with_the_cause(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    decided(cast.architect, entry_of(review, chat), timezone.localdate())
    revise(cast.member, chat, PLAIN)
    page = client_of(cast.viewer).get(here(review)).content.decode()
    assert "Asks again:" in page and "The manifests changed" in page and "1 asks again" in page
    own = client_of(cast.architect).get(here(review)).content.decode()
    assert "Tick this one" in own and "The one of this list…" in own
    reviews = client_of(cast.viewer).get("/reviews/").content.decode()
    assert "1 asks again" in reviews


def test_last_quarters_decision_is_confirmed_by_one_button_while_nothing_speaks_against_it(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    decided(cast.architect, entry_of(review, chat), kind="stays", reason="It goes with its hardware.")
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    following = open_review(cast.architect, Quarter(2027, 1), TODAY + timedelta(days=70))
    client, entry = client_of(cast.architect), entry_of(following, chat)
    page = client.get(here(following)).content.decode()
    assert "Last decided, 2026-Q4" in page and "It goes with its hardware." in page
    assert page.count("Confirm the last decision") == 1 and act("decide", entry, "confirm") in page
    answer = client.post(act("decide", entry, "confirm"), form(entry), headers=HTMX)
    assert "chat: confirmed, needs change." in answer.content.decode()
    made = Decision.objects.get(entry=entry)
    assert (made.kind, made.reason, made.carried) == ("stays", "It goes with its hardware.", entry.before)

    revise(cast.member, chat, PLAIN)
    page = client.get(here(following, f"?at={entry.pk}")).content.decode()
    assert "Confirm the last decision" not in page
    assert "Cannot be confirmed as it is: The verdict was another one then." in page


def test_undo_takes_back_and_shows_what(cast: Cast, review: Review, chat: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    undo = reverse("reviews:undo", args=[review.quarter])
    assert "There is no decision of yours to undo" in client.post(undo, headers=HTMX).content.decode()
    decided(cast.architect, entry_of(review, chat), timezone.localdate())
    page = client.post(undo, headers=HTMX).content.decode()
    assert "Undone: the decision on chat." in page and "0 of 1 decided" in page
    assert '<h3 id="now" tabindex="-1">chat</h3>' in page


def test_not_assessed_is_decided_with_who_finds_out(cast: Cast, review: Review, client_of: ClientOf) -> None:
    register(cast.member, cast.search, "settings", NOTHING)
    entry = Entry.objects.select_related("review").get(workload__name="settings")
    page = client_of(cast.architect).get(here(review, f"?at={entry.pk}")).content.decode()
    assert "Not known: who finds out" in page and "Agree with a plan" not in page
    assert "Leave to the next review" in page, "it was registered after the opening"
    fields = form(entry, finds_out="the team", by_day="2099-01-01", reason="")
    client_of(cast.architect).post(act("decide", entry, "not-known"), fields)
    assert Decision.objects.get().finds_out == "the team"


def test_what_joined_later_can_be_left_to_the_next_review(cast: Cast, review: Review, client_of: ClientOf) -> None:
    register(cast.member, cast.search, "late")
    entry = Entry.objects.select_related("review").get(workload__name="late")
    client = client_of(cast.architect)
    page = client.post(act("defer", entry), {"version": entry.version, "reason": "Next time."}, headers=HTMX)
    assert "late: left to the next review." in page.content.decode()
    assert "1 left to the next review" in client.get(here(review)).content.decode()
    stale = client.post(act("defer", entry), {"version": 99, "reason": "Again."}, headers=HTMX)
    assert stale.status_code == 200, "sent twice, it counts once"


def test_notes_questions_and_answers(cast: Cast, review: Review, chat: Workload, client_of: ClientOf) -> None:
    entry = entry_of(review, chat)
    architect, member = client_of(cast.architect), client_of(cast.member)
    assert "chat: noted." in architect.post(act("note", entry), {"text": "See GPU-1."}, headers=HTMX).content.decode()
    architect.post(act("question", entry), {"text": "Who runs <it>?"})
    assert "1 with an open question" in architect.get(here(review)).content.decode()
    assert "1 question for your team" in member.get("/reviews/").content.decode()
    page = member.get(reverse("reviews:questions")).content.decode()
    assert "Who runs &lt;it&gt;?" in page
    asked = Note.objects.get(kind="question")
    where = reverse("reviews:answer", args=[asked.pk])
    assert client_of(cast.outsider).post(where, {"text": "We do."}).status_code == 403
    assert member.post(where, {"text": " "}).status_code == 422
    assert "your answer is with the reviewers" in member.post(where, {"text": "We do."}, follow=True).content.decode()
    assert "We do." in architect.get(here(review)).content.decode()
    assert "Nobody waits" in member.get(reverse("reviews:questions")).content.decode()
    assert member.post(act("note", entry), {"text": "From us."}).status_code == 302
    assert client_of(cast.outsider).post(act("note", entry), {"text": "Not ours."}).status_code == 403


def test_entries_are_assigned_and_found_by_that(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    client, entry = client_of(cast.architect), entry_of(review, chat)
    said = client.post(act("assign", entry), {"to": "architect"}, headers=HTMX).content.decode()
    assert "chat: assigned to architect." in said and "1 to decide by me" in said
    assert '<h3 id="now" tabindex="-1">chat</h3>' in client.get(here(review, "?assigned=me")).content.decode()
    assert "Nothing is left to decide here." in client.get(here(review, "?assigned=nobody")).content.decode()
    assert client.post(act("assign", entry), {"to": "viewer"}).status_code == 404
    client.post(act("assign", entry), {"to": ""})
    assert entry_of(review, chat).assigned is None


@pytest.mark.parametrize(
    "query", ["?team=search", "?verdict=needs-change", "?criticality=high", "?q=ha", "?order=name"]
)
def test_filters_are_in_the_address(
    query: str, cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    page = client_of(cast.viewer).get(here(review, query)).content.decode()
    assert '<h3 id="now" tabindex="-1">chat</h3>' in page


def test_addresses_of_entries_hold_nothing_that_is_empty(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    at = entry_of(review, register(cast.member, cast.search, "summaries")).pk
    client = client_of(cast.architect)
    page = client.get(here(review)).content.decode()
    assert f'href="/reviews/{review.quarter}/?at={at}"' in page and "?&amp;" not in page
    page = client.get(here(review, "?team=search")).content.decode()
    assert f'href="/reviews/{review.quarter}/?team=search&amp;at={at}"' in page


@pytest.mark.parametrize(
    "query", ["?team=nobody", "?verdict=maybe", "?state=odd", "?order=odd", "?assigned=x", "?at=x"]
)
def test_what_no_filter_knows_is_told_and_left_out(
    query: str, cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    answer = client_of(cast.viewer).get(here(review, query))
    assert answer.status_code == 200 and '<h3 id="now" tabindex="-1">chat</h3>' in answer.content.decode()
    assert query == "?at=x" or "shown without it" in answer.content.decode()


def test_an_entry_of_no_review_and_a_review_of_no_quarter(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    assert client.get("/reviews/1999-Q1/").status_code == 404
    assert client.get(here(review, "?at=999999")).status_code == 200
    assert client.post(reverse("reviews:decide", args=[999999, "agree"])).status_code == 404
    assert client.post(act("decide", entry_of(review, chat), "shrug")).status_code == 404


def test_as_many_queries_for_many_entries(cast: Cast, review: Review, client_of: ClientOf) -> None:
    client = client_of(cast.architect)

    def queries() -> int:
        client.get(here(review), headers=HTMX)
        with CaptureQueriesContext(connection) as asked:
            client.get(here(review), headers=HTMX)
        return len(asked)

    few = queries()
    for number in range(6):
        register(cast.member, cast.search, f"more-{number}")
    assert queries() <= few + 1 and few <= 32
