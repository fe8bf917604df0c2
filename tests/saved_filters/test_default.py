"""The filter that a page opens with: one for each person and page, in the address, said, and with a way past it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Membership, Person
from portability.reviews.actions import open_review
from portability.reviews.models import Review
from portability.saved_filters.models import SavedFilter
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.generate import generate
from tests.reviews.making import Q4, TODAY, choose_target, entry_of
from tests.reviews.making import seen as as_shown

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
SAID = "Shown by your default filter"
PAGES = {"register": "/register/", "queue": "/reviews/2026-Q4/"}


@pytest.fixture
def review(cast: Cast, shipped: None) -> Review:
    """A register of some workloads, and its open review."""
    generate(8, choose_target())
    return open_review(cast.architect, Q4, TODAY)


def save(client: Client, page: str, name: str = "Pinned ones", **more: Any) -> SavedFilter:
    url = reverse("saved_filters:new" if page == "register" else "saved_filters:new_of_queue")
    said = {"name": name, "query": "verdict=pinned", "shared": "private", **more}
    assert client.post(url, said).status_code == 302
    return SavedFilter.objects.get(name=name)


def choose(client: Client, saved: SavedFilter, **more: str) -> int:
    return client.post(reverse("saved_filters:default", args=[saved.pk]), more).status_code


@pytest.mark.parametrize("page", PAGES)
def test_the_page_alone_opens_with_it_and_says_so_with_a_way_to_see_all(
    page: str, cast: Cast, review: Review, client_of: ClientOf
) -> None:
    client, url = client_of(cast.architect), PAGES[page]
    assert client.get(url).status_code == 200 and SAID not in client.get(url).content.decode()
    assert choose(client, save(client, page)) == 302
    opened = client.get(url, follow=True)
    assert opened.redirect_chain == [(f"{url}?verdict=pinned", 302)]
    shown = opened.content.decode()
    assert f"{SAID} <b>Pinned ones</b>" in shown and f'href="{url}?filter=none">Show everything' in shown
    whole = client.get(f"{url}?filter=none")
    assert whole.status_code == 200 and SAID not in whole.content.decode()
    assert "workload-00000" in whole.content.decode(), "which is movable"
    assert "<b>your default</b>" in client.get("/register/filters/").content.decode()


@pytest.mark.parametrize("page", PAGES)
def test_an_address_that_asks_for_anything_is_left_as_it_is(
    page: str, cast: Cast, review: Review, client_of: ClientOf
) -> None:
    client, url = client_of(cast.architect), PAGES[page]
    choose(client, save(client, page))
    other = client.get(f"{url}?verdict=movable")
    assert other.status_code == 200 and SAID not in other.content.decode()
    swapped = client.get(url, headers={"HX-Request": "true", "HX-Trigger": "review-filters"})
    assert swapped.status_code == 200 and SAID not in swapped.content.decode()
    assert swapped.headers["HX-Push-Url"].startswith(f"{url}?filter=none"), "loaded again, it shows the same"


def test_after_an_act_the_queue_shows_what_it_showed_before(cast: Cast, review: Review, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    choose(client, save(client, "queue"))
    entry = entry_of(review, Workload.objects.get(name="workload-00004"))
    now = as_shown(entry)
    sent = {"version": now.version, "assessment": now.assessment or 0}
    answer = client.post(reverse("reviews:decide", args=[entry.pk, "agree"]) + "?filter=none", sent)
    assert answer.headers["Location"].startswith("/reviews/2026-Q4/?at=")
    undone = client.post(reverse("reviews:undo", args=["2026-Q4"]) + "?verdict=pinned", sent)
    assert undone.headers["Location"] == f"/reviews/2026-Q4/?verdict=pinned&at={entry.pk}"
    together = client.get("/reviews/2026-Q4/together/").content.decode()
    assert 'href="/reviews/2026-Q4/?filter=none">Back to the queue' in together


def test_each_person_has_one_for_each_page(cast: Cast, review: Review, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    first, of_queue = save(client, "register", "First"), save(client, "queue", "Of the queue")
    second = save(client, "register", "Second", query="verdict=movable", default="on")
    choose(client, of_queue)
    cast.architect.refresh_from_db()
    assert cast.architect.opens_with == {"register": second.pk, "queue": of_queue.pk}
    choose(client, first)
    assert client.get("/register/").headers["Location"] == "/register/?verdict=pinned"
    choose(client, second, end="yes")  # which is not the default any more
    assert client.get("/register/").status_code == 302
    choose(client, first, end="yes")
    assert client.get("/register/").status_code == 200
    assert client_of(cast.viewer).get("/reviews/2026-Q4/").status_code == 200, "nobody else's page is another"


def test_it_is_one_s_own_choice_among_what_one_may_see(cast: Cast, review: Review, client_of: ClientOf) -> None:
    saved = save(client_of(cast.member), "register", shared="team", team=cast.search.pk)
    outsider, teammate = client_of(cast.outsider), client_of(cast.teammate)
    assert choose(outsider, saved) == 404 and outsider.get("/register/").status_code == 200
    assert choose(teammate, saved) == 302
    assert teammate.get("/register/").status_code == 302
    Membership.objects.filter(person=cast.teammate).delete()
    assert teammate.get("/register/").status_code == 200, "what one may not see any more is not applied"
    assert choose(teammate, saved, end="yes") == 404
    Membership.objects.create(person=cast.teammate, team=cast.search)
    client_of(cast.member).post(reverse("saved_filters:delete", args=[saved.pk]))
    assert teammate.get("/register/").status_code == 200


def test_what_leaves_nothing_out_is_no_default(cast: Cast, review: Review, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    empty = {"name": "Empty", "query": "", "shared": "private", "default": "on"}
    answer = client.post(reverse("saved_filters:new"), empty)
    assert answer.status_code == 422 and "It leaves nothing out" in answer.content.decode()
    saved = save(client, "register", query="")
    told = client.post(reverse("saved_filters:default", args=[saved.pk]), follow=True).content.decode()
    assert "Nothing was changed. It leaves nothing out" in told
    assert client.get("/register/").status_code == 200


def test_a_filter_that_asks_for_nothing_shows_everything_all_the_same(
    cast: Cast, review: Review, client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    client.post(reverse("saved_filters:default", args=[save(client, "register", query="verdict=pinned").pk]))
    everything = {"name": "Everything", "query": "", "shared": "private"}
    answer = client.post(reverse("saved_filters:new"), everything, follow=True)
    assert answer.redirect_chain == [("/register/?filter=none", 302)]
    assert 'href="/register/?filter=none"' in client.get(reverse("saved_filters:all")).content.decode()


def test_what_of_it_became_unusable_is_told(cast: Cast, review: Review, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    choose(client, save(client, "register", query="team=media"))
    cast.media.slug = "pictures"
    cast.media.save()
    page = client.get("/register/", follow=True)
    assert page.status_code == 200 and "“media” is nothing the filter “team” knows" in page.content.decode()
