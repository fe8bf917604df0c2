"""The list of reviews: opening one with what it would hold; and two quarters beside each other."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from portability.accounts.models import Person
from portability.organisation.dates import Quarter
from portability.reviews.actions import close, open_review
from portability.reviews.models import Review
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import PINNED, PLAIN, SERVING, TODAY, choose_target, decided, entry_of, register, revise

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]


def test_the_form_proposes_the_present_quarter_and_says_what_it_would_hold(
    cast: Cast, chat: Workload, client_of: ClientOf
) -> None:
    register(cast.member, cast.search, "elsewhere", PLAIN, vendor="none")
    page = client_of(cast.architect).get("/reviews/").content.decode()
    now = Quarter.of(timezone.localdate())
    assert "It would hold 2 entries" in page and "1 has no default target" in page
    assert "<td>NVIDIA</td>" in page and 'href="/register/?vendor=nvidia">1</a>' in page
    assert page.index(f'<option value="{now}"') < page.index(f'<option value="{now.next}"')
    assert "Open the review" not in client_of(cast.viewer).get("/reviews/").content.decode()


def test_opening_leads_to_the_queue_and_twice_is_harmless(cast: Cast, chat: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    now = str(Quarter.of(timezone.localdate()))
    assert client.post("/reviews/open/", {"quarter": now}).headers["Location"] == f"/reviews/{now}/"
    again = client.post("/reviews/open/", {"quarter": now}, follow=True).content.decode()
    assert "It is open already." in again and Review.objects.count() == 1
    assert "0 of 1 decided" in again
    assert client_of(cast.member).post("/reviews/open/", {"quarter": now}).status_code == 403


def test_another_quarter_is_refused_where_it_was_chosen(cast: Cast, chat: Workload, client_of: ClientOf) -> None:
    answer = client_of(cast.architect).post("/reviews/open/", {"quarter": "1999-Q1"})
    assert answer.status_code == 422 and "Select a valid choice" in answer.content.decode()
    assert not Review.objects.exists()


@pytest.fixture
def two(cast: Cast, chat: Workload) -> Review:
    """2026-Q3, closed with a plan for `chat` and with `gone`; since then one moved, one came, one retired."""
    gone = register(cast.member, cast.search, "gone")
    before = open_review(cast.architect, Quarter(2026, 3), TODAY)
    plan = {"kind": "plan", "plan_quarter": "2026-Q4", "plan_owner": "platform", "plan_effort": "2 days"}
    decided(cast.architect, entry_of(before, chat), TODAY, **plan)
    decided(cast.architect, entry_of(before, gone))
    close(cast.architect, before.pk, "All was looked at.", TODAY)
    revise(cast.member, chat, PLAIN)
    register(cast.member, cast.search, "fresh")
    retire(cast.member, gone.pk, "nobody asks for it")
    return before


def test_a_quarter_against_now(two: Review, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    page = client.get("/reviews/comparison/").content.decode()
    for words in ("2026-Q3 and now", "1 moved", "1 new", "1 retired", "1 plan kept", "0 plans missed"):
        assert words in page, words
    assert "The manifests changed" in page and "nobody asks for it" in page
    assert "it could move as it is" in page and "platform, 2 days" in page
    link = "?a=2026-Q3&amp;b=now&amp;from=needs-change&amp;to=movable#list"
    assert link in page, "every figure leads to what it counts"
    listed = client.get("/reviews/comparison/?a=2026-Q3&b=now&from=needs-change&to=movable").content.decode()
    assert ">chat<" in listed and ">fresh<" not in listed and ">gone<" not in listed
    only = client.get("/reviews/comparison/?a=2026-Q3&b=now&show=new").content.decode()
    assert ">fresh<" in only and ">chat<" not in only
    for query, name in (("show=retired&from=needs-change", "gone"), ("show=new&to=needs-change", "fresh")):
        assert f'href="?a=2026-Q3&amp;b=now&amp;{query.replace("&", "&amp;")}#list">1</a>' in page
        assert f">{name}<" in client.get(f"/reviews/comparison/?a=2026-Q3&b=now&{query}").content.decode()
    other = client.get("/reviews/comparison/?a=2026-Q3&b=now&show=retired&from=pinned").content.decode()
    assert "0 retired</h2>" in other and ">gone<" not in other


def test_two_quarters(two: Review, cast: Cast, client_of: ClientOf) -> None:
    open_review(cast.architect, Quarter(2026, 4), TODAY)
    client = client_of(cast.viewer)
    page = client.get("/reviews/comparison/?a=2026-Q3&b=2026-Q4").content.decode()
    assert "2026-Q3 and 2026-Q4" in page and "1 moved" in page and "1 retired" in page
    swapped = client.get("/reviews/comparison/?a=2026-Q4&b=2026-Q3").content.decode()
    assert "The earlier quarter comes first" in swapped and "1 moved" in swapped
    assert "compared with another one" in client.get("/reviews/comparison/?a=2026-Q4&b=2026-Q4").content.decode()
    unknown = client.get("/reviews/comparison/?a=1999-Q1").content.decode()
    assert "There is no review “1999-Q1”." in unknown


def test_another_target_alone_is_told_apart_and_each_figure_lists_what_it_counts(
    cast: Cast, chat: Workload, client_of: ClientOf
) -> None:
    quiet = register(cast.member, cast.search, "quiet", criticality="low")
    before = open_review(cast.architect, Quarter(2026, 3), TODAY)
    own = {"kind": "otherwise", "verdict": "movable", "reason": "It ran.", "evidence": "A rehearsal."}
    decided(cast.architect, entry_of(before, quiet), **own)
    decided(cast.architect, entry_of(before, chat))
    close(cast.architect, before.pk, "All was looked at.", TODAY)
    revise(cast.member, chat, SERVING, **PINNED)
    choose_target(name="mi350p-jammy")
    client = client_of(cast.viewer)

    def words(query: str) -> str:
        page = client.get(f"/reviews/comparison/{query}").content.decode()
        return " ".join(re.sub(r"<[^>]+>", " ", page).split())

    page = client.get("/reviews/comparison/").content.decode()
    for figure in ("1 moved", "1 for another target only", "0 new", "0 retired"):
        assert f'#list">{figure}</a>' in page
    assert "Pinned → Pinned" not in words("") and "Needs change → Pinned" in words("?show=moved")
    moved = words("?a=2026-Q3&b=now&show=moved")
    assert "Another default target: mi300x-single before, mi350p-jammy after. For mi350p-jammy: Declared facts" in moved
    assert "quiet" not in moved
    target = words("?a=2026-Q3&b=now&show=target")
    assert "1 for another target only" in target and "Needs change decided: movable → Needs change Another" in target
    diagonal = "?a=2026-Q3&b=now&from=needs-change&to=needs-change"
    assert f'href="{diagonal.replace("&", "&amp;")}#list">1</a>' in page
    assert "1 stayed needs change" in words(diagonal) and "quiet" in words(diagonal)
    assert "Needs change → Pinned" not in words(diagonal)


def test_bars_are_told_apart_without_colour(two: Review, cast: Cast, client_of: ClientOf) -> None:
    page = client_of(cast.viewer).get("/reviews/comparison/").content.decode()
    for name in ("change", "movable"):
        assert f'<pattern id="pattern-{name}"' in page and f'fill="url(#pattern-{name})"' in page
    assert 'aria-label="2026-Q3: 0 pinned, 2 needs change, 0 not assessed, 0 movable"' in page


@pytest.mark.parametrize(
    ("query", "title", "said"),
    [
        ("?a=now&b=2026-Q3", "2026-Q3 and now", "Now comes last: shown the other way round."),
        ("?a=now", "2026-Q3 and now", "Now is compared with a review: choose which one."),
        ("?a=now&b=now", "2026-Q3 and now", "Now is compared with a review: choose which one."),
    ],
)
def test_now_is_the_second_side(
    two: Review, cast: Cast, client_of: ClientOf, query: str, title: str, said: str
) -> None:
    page = client_of(cast.viewer).get(f"/reviews/comparison/{query}").content.decode()
    assert said in page and f"<h1>{title}</h1>" in page and "There is no review" not in page


def test_nothing_to_compare_yet(cast: Cast, client_of: ClientOf) -> None:
    assert "There is no review yet." in client_of(cast.viewer).get("/reviews/comparison/").content.decode()


def test_the_workloads_page_says_how_its_review_went(
    two: Review, chat: Workload, cast: Cast, client_of: ClientOf
) -> None:
    page = client_of(cast.viewer).get(f"/workloads/{chat.pk}/").content.decode()
    assert "Review 2026-Q3: agreed, with a plan, needs change, by architect on" in page
    assert 'href="/reviews/2026-Q3/"' in page
    open_review(cast.architect, Quarter(2026, 4), TODAY)
    page = client_of(cast.viewer).get(f"/workloads/{chat.pk}/").content.decode()
    assert "Review 2026-Q4: not decided yet" in page and "?state=all&amp;at=" in page
