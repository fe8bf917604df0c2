"""What a routine entry costs: one key, one request, and the next entry is there with the focus on it."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import Page, Request, expect

from portability.reviews.models import Entry, Review
from portability.reviews.queue import Wanted, queue
from tests.browser.conftest import Opener, Visit
from tests.browser.reviewing import forty, opened
from tests.conftest import Cast
from tests.reviews.making import TODAY

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SECONDS = 10.0  # of a person, for a routine entry: what the product takes of them is most of what is left


def requests_of(page: Page) -> list[str]:
    """What the page asks the server for from now on, but for files that a browser keeps, such as the icon."""
    asked: list[str] = []

    def heard(request: Request) -> None:
        path = urlsplit(request.url).path
        if not path.startswith(settings.STATIC_URL):
            asked.append(f"{request.method} {path}")

    page.on("request", heard)
    return asked


def in_order(review: Review) -> list[Entry]:
    """The assessed entries of the queue as a page lists them."""
    found = Entry.objects.select_related("workload").in_bulk()
    return [found[pk] for pk in queue(review, Wanted(verdict="needs-change"), TODAY).ids]


def test_a_routine_entry_is_one_key_and_one_request(cast: Cast, shipped: None, visit: Opener) -> None:
    forty(cast)
    review = opened(cast)
    routine = in_order(review)
    assert len(routine) > 9
    visited = visit(cast.architect)
    page = visited.page
    visited.go(f"/reviews/{review.quarter}/?verdict=needs-change")
    expect(page.locator("#now")).to_have_text(routine[0].workload.name)
    asked = requests_of(page)
    began = time.monotonic()
    for following in routine[1:]:
        page.keyboard.press("a")
        expect(page.locator("#now")).to_have_text(following.workload.name)
        expect(page.locator("#now")).to_be_focused()
        expect(page.locator("#now")).to_be_in_viewport()
    seconds = (time.monotonic() - began) / (len(routine) - 1)
    assert asked == [f"POST /reviews/entries/{entry.pk}/decide/agree/" for entry in routine[:-1]]
    assert Entry.objects.filter(state=Entry.State.DECIDED).count() == len(routine) - 1
    assert seconds < SECONDS, f"{seconds:.1f} seconds for an entry"
    page.keyboard.press("a")
    expect(page.locator("#queue .empty")).to_contain_text("Nothing is left to decide here.")
    expect(page.locator("#now")).to_be_focused()
    page.keyboard.press("u")
    expect(page.locator("#said")).to_contain_text(f"Undone: the decision on {routine[-1].workload.name}.")
    assert len(asked) == len(routine) + 1 and visited.problems == []


def test_fields_of_the_chosen_kind_alone_are_in_sight(cast: Cast, shipped: None, visit: Opener) -> None:
    forty(cast)
    review = opened(cast)
    for javascript in (True, False):
        visited = visit(cast.architect, javascript=javascript)
        visited.go(f"/reviews/{review.quarter}/together/?all=yes&verdict=needs-change")
        in_sight(visited, "agree", {"Reason", "Link"})
        in_sight(visited, "plan", {"Done by the end of", "Who does it", "How much work", "Reason", "Link"})
        in_sight(visited, "not-known", {"Who finds out", "By which day", "Reason", "Link"})
        if javascript:
            assert visited.axe() == []


def in_sight(visited: Visit, kind: str, labels: set[str]) -> None:
    """Once a kind is chosen, these fields are shown besides, and no others."""
    form = visited.page.locator("#decide-together")
    form.locator("[name=kind]").select_option(kind)
    shown = form.locator("label:visible").all_inner_texts()
    assert {text.removesuffix(" (optional)") for text in shown} == labels | {"Decide"}
