"""Saved filters of the review's queue: for whatever review is open, and for whoever looks where they say “me”."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from portability.accounts.models import Person
from portability.reviews.actions import assign, close, open_review
from portability.reviews.models import Review
from portability.saved_filters.models import SavedFilter
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.generate import generate
from tests.reviews.making import PINNED, Q4, TODAY, choose_target, decided, entry_of, register

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
ALL, NEW, MENU = "/register/filters/", "/register/filters/new/queue/", "/register/filters/menu/queue/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def review(cast: Cast, shipped: None) -> Review:
    """The review of 2026-Q4 over `chat` (needs change) and `stuck` (pinned) of the search team."""
    choose_target()
    register(cast.member, cast.search, "chat")
    register(cast.member, cast.search, "stuck", **PINNED)
    return open_review(cast.architect, Q4, TODAY)


def save(client: Client, name: str = "Stuck ones", query: str = "verdict=pinned&at=1", **more: Any) -> Any:
    return client.post(NEW, {"name": name, "query": query, "shared": "private", **more})


def open_entry(page: str) -> str:
    """The workload that the queue has open; nothing where none is."""
    return page.split('<h3 id="now" tabindex="-1">')[1].split("<")[0] if 'id="now"' in page else ""


def test_what_the_queue_shows_is_saved_and_leads_back_to_it(cast: Cast, review: Review, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    shown = client.get("/reviews/2026-Q4/?verdict=pinned&group=none").content.decode()
    assert f'href="{NEW}?verdict=pinned&amp;group=none"' in shown
    form = client.get(NEW + "?verdict=pinned&group=none").content.decode()
    assert "Save a filter of the review’s queue" in form and "Verdict: pinned" in form and "Group: no groups" in form
    answer = save(client, query="verdict=pinned&group=none&at=7", follow=True)
    assert answer.headers["Location"] == "/reviews/queue/?verdict=pinned&group=none"
    landed = client.get(answer.headers["Location"], follow=True)
    assert landed.redirect_chain == [("/reviews/2026-Q4/?verdict=pinned&group=none", 302)]
    assert open_entry(landed.content.decode()) == "stuck"


def test_each_page_s_menu_has_its_own_and_the_list_says_of_which_page_each_is(
    cast: Cast, review: Review, client_of: ClientOf
) -> None:
    client = client_of(cast.viewer)
    save(client)
    client.post(reverse("saved_filters:new"), {"name": "Of rows", "query": "team=search", "shared": "private"})
    of_queue, of_register = (client.get(url, headers=HTMX).content.decode() for url in (MENU, MENU[: -len("queue/")]))
    assert "Stuck ones" in of_queue and "Of rows" not in of_queue
    assert "Of rows" in of_register and "Stuck ones" not in of_register
    whole = client.get(ALL).content.decode()
    assert 'href="/reviews/queue/?verdict=pinned">Stuck ones</a><br><span class="sub">review’s queue</span>' in whole
    assert 'href="/register/?team=search">Of rows</a><br><span class="sub">register</span>' in whole
    assert client.get(MENU).headers["Location"] == ALL, "without JavaScript the menu is the list"


def test_where_no_review_is_open_that_is_said_and_it_applies_to_the_next(
    cast: Cast, review: Review, client_of: ClientOf
) -> None:
    for name in ("chat", "stuck"):
        decided(cast.architect, entry_of(review, Workload.objects.get(name=name)))
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    client = client_of(cast.architect)
    assert save(client, query="team=search&verdict=pinned").headers["Location"].startswith("/reviews/queue/?")
    assert SavedFilter.objects.get().query == "team=search&verdict=pinned"
    whole = client.get(ALL).content.decode()
    assert "No review is open: filters of the queue apply to the next one" in whole and "No longer usable" not in whole
    landed = client.get("/reviews/queue/?verdict=pinned", follow=True)
    assert landed.redirect_chain[-1][0] == "/reviews/" and "No review is open." in landed.content.decode()
    open_review(cast.architect, Q4.next, TODAY)
    page = client.get("/reviews/queue/?verdict=pinned", follow=True)
    assert page.redirect_chain == [("/reviews/2027-Q1/?verdict=pinned", 302)]
    assert open_entry(page.content.decode()) == "stuck"


def test_me_is_whoever_looks_and_a_name_stays_that_person(cast: Cast, review: Review, client_of: ClientOf) -> None:
    second = Person.objects.create(username="second", architect=True)
    stuck = entry_of(review, Workload.objects.get(name="stuck"))
    assign(cast.architect, [stuck.pk], second)
    save(client_of(cast.architect), "Mine", "assigned=me", shared="everyone")
    save(client_of(cast.architect), "Theirs", "assigned=second", shared="everyone")
    for person, mine in ((cast.architect, ""), (second, "stuck"), (cast.viewer, "")):
        client = client_of(person)
        whole = client.get(ALL).content.decode()
        assert 'Assigned to: me <span class="sub">(“me”: whoever looks)</span>' in whole
        assert "Assigned to: second<" in whole.replace("second\n", "second<") and "No longer usable" not in whole
        assert open_entry(client.get("/reviews/queue/?assigned=me", follow=True).content.decode()) == mine
        assert open_entry(client.get("/reviews/queue/?assigned=second", follow=True).content.decode()) == "stuck"


@pytest.mark.parametrize("shared", ["private", "team", "everyone"])
def test_who_sees_it(shared: str, cast: Cast, review: Review, client_of: ClientOf) -> None:
    save(client_of(cast.member), shared=shared, team=cast.search.pk)
    sees = {"private": set(), "team": {"teammate"}, "everyone": {"teammate", "outsider", "architect"}}[shared]
    for name in ("teammate", "outsider", "architect"):
        client = client_of(getattr(cast, name))
        for page in (client.get(ALL), client.get(MENU, headers=HTMX)):
            assert ("Stuck ones" in page.content.decode()) == (name in sees)


def test_a_team_without_entries_is_no_reason_to_show_all_the_others(
    cast: Cast, review: Review, client_of: ClientOf
) -> None:
    client = client_of(cast.viewer)
    save(client, query="team=media")
    page = client.get("/reviews/queue/?team=media", follow=True).content.decode()
    assert "Nothing is left to decide here." in page and "shown without it" not in page
    assert "No longer usable" not in client.get(ALL).content.decode()
    assert "“gone” is nothing the filter “Team” knows" in client.get(NEW + "?team=gone").content.decode()


def test_their_number_costs_no_queries(cast: Cast, review: Review, client_of: ClientOf) -> None:
    generate(1)
    client = client_of(cast.member)

    def queries() -> int:
        client.get(ALL)
        with CaptureQueriesContext(connection) as asked:
            client.get(ALL)
        return len(asked)

    save(client, "f")
    few = queries()
    for number in range(8):
        save(client, f"f{number}", f"assigned=me&q={number}")
    assert queries() == few
