"""A closed review with its corrections, and the next one with what was decided last, at every width and in the dark."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portability.organisation.dates import Quarter
from portability.reviews.actions import add_addendum, ask, close, open_review
from portability.reviews.models import Entry
from tests.browser.conftest import Opener
from tests.browser.reviewing import opened
from tests.conftest import Cast
from tests.reviews.making import SERVING, choose_target, decided, entry_of, register, revise

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHOTS = os.environ.get("PORTABILITY_SHOTS")  # a folder: pictures are left there, to be looked at


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "light"), (390, "dark")])
def test_what_was_signed_is_accessible_and_confirmed_in_the_next_quarter(
    width: int, scheme: str, cast: Cast, shipped: None, visit: Opener
) -> None:
    choose_target()
    today = timezone.localdate()
    chat, other = (register(cast.member, cast.search, name) for name in ("chat", "summaries"))
    first = opened(cast)
    for workload in (chat, other):
        said = {"kind": "stays", "reason": "It goes with its hardware.", "link": "https://tickets.example.org/7"}
        decided(cast.architect, entry_of(first, workload), today, **said)
    close(cast.architect, first.pk, "All was looked at.", today)
    add_addendum(cast.architect, first.pk, "The owner of chat is Lena.")
    revise(cast.member, other, SERVING.replace("v0.23.0", "v0.24.0"))
    following = open_review(cast.architect, Quarter.parse(first.quarter).next, today)
    ask(cast.architect, entry_of(following, chat).pk, "Which tag will it be?")
    visited = visit(cast.architect, width=width, scheme=scheme)
    page = visited.page

    def look(name: str) -> None:
        if SHOTS:
            page.screenshot(path=str(Path(SHOTS) / f"review-{name}-{width}-{scheme}.png"), full_page=True)
        assert visited.axe() == [] and visited.overflow() <= 0, name

    visited.go(f"/reviews/{first.quarter}/")
    expect(page.locator("main")).to_contain_text("The owner of chat is Lena.")
    look("closed")
    visited.go(f"/reviews/{first.quarter}/report/")
    expect(page.locator(".cover")).to_contain_text("All was looked at.")
    tall = page.locator(".entry p > a").evaluate_all("all => all.map(a => a.getBoundingClientRect().height)")
    assert len(tall) == 2 and min(tall) >= 24, "a link that stands alone is touched, and has others close below it"
    look("report")
    visited.go(f"/reviews/{following.quarter}/?at={entry_of(following, other).pk}")
    expect(page.locator(".now")).to_contain_text("The manifests changed")
    expect(page.locator(".now .changes")).to_contain_text("; changed: IMG001")
    look("changed")
    visited.go(f"/reviews/{following.quarter}/?at={entry_of(following, chat).pk}")
    expect(page.locator(".now")).to_contain_text("It goes with its hardware.")
    look("next")
    page.keyboard.press("c")
    expect(page.locator("#said")).to_contain_text("chat: confirmed, needs change.")
    assert Entry.objects.get(review=following, workload=chat).state == Entry.State.DECIDED
    assert visited.problems == []
