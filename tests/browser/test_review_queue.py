"""The queue in a browser: ticks over pages, keys that are switched off, filters that hold with the back button."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.reviewing import opened
from tests.conftest import Cast
from tests.register.generate import generate
from tests.reviews.making import choose_target, target

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_ticks_are_kept_over_pages_and_swaps(cast: Cast, shipped: None, visit: Opener) -> None:
    choose_target()
    generate(60, target())
    review = opened(cast)
    visited = visit(cast.architect)
    page = visited.page
    visited.go(f"/reviews/{review.quarter}/?group=none&order=name")
    expect(page.locator("#now")).to_have_text("workload-00000")
    page.keyboard.press("x")
    page.keyboard.press("j")
    expect(page.locator("#now")).to_have_text("workload-00001")
    page.get_by_role("link", name="Next page").click()
    expect(page.locator("#now")).to_have_text("workload-00050")
    expect(page.locator("[data-ticked]")).to_have_text("1 ticked")
    page.keyboard.press("x")
    expect(page.locator("[data-ticked]")).to_have_text("2 ticked")
    page.keyboard.press("k")
    expect(page.locator("#now")).to_have_text("workload-00049")
    assert page.locator("input[name=entry]:visible").first.is_checked()
    page.keyboard.press("t")
    expect(page.locator("h1")).to_contain_text("2 entries")
    expect(page.locator("main")).to_contain_text("workload-00000")
    expect(page.locator("main")).to_contain_text("workload-00050")
    assert visited.problems == []


def test_single_keys_can_be_switched_off(cast: Cast, shipped: None, visit: Opener) -> None:
    choose_target()
    generate(6, target())
    review = opened(cast)
    visited = visit(cast.architect)
    page = visited.page
    visited.go(f"/reviews/{review.quarter}/?group=none&order=name")
    page.keyboard.press("?")
    page.get_by_label("Switch single keys off").check()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator("#now")).to_have_text("workload-00000")
    page.get_by_label("Switch single keys off").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("j")
    expect(page.locator("#now")).to_have_text("workload-00001")


def test_figures_and_fields_say_the_same_and_back_restores_them(cast: Cast, shipped: None, visit: Opener) -> None:
    choose_target()
    generate(12, target())
    review = opened(cast)
    visited = visit(cast.architect)
    page = visited.page
    visited.go(f"/reviews/{review.quarter}/")
    page.locator("#filter_verdict").select_option("pinned")
    expect(page.locator(".pager")).to_contain_text("entr")
    expect(page).to_have_url(f"{visited.address}/reviews/{review.quarter}/?verdict=pinned")
    page.locator("#figure-decided").click()
    expect(page.locator("#filter_state")).to_have_value("decided")
    expect(page.locator("#filter_verdict")).to_have_value("pinned")
    page.go_back()
    expect(page.locator("#filter_state")).to_have_value("to-do")
    expect(page.locator("#filter_verdict")).to_have_value("pinned")
    page.keyboard.press("g")
    expect(page.locator("h2.team")).to_have_count(0)
    expect(page.locator("#filter_group")).to_have_value("none")
    assert visited.problems == []


@pytest.mark.parametrize("javascript", [True, False])
def test_a_filter_is_saved_and_the_queue_opens_with_it(
    cast: Cast, shipped: None, visit: Opener, javascript: bool
) -> None:
    choose_target()
    generate(12, target())
    review = opened(cast)
    visited = visit(cast.architect, javascript=javascript)
    page, queue = visited.page, f"{visited.address}/reviews/{review.quarter}/"
    visited.go(f"/reviews/{review.quarter}/?verdict=pinned")
    page.locator("summary", has_text="Saved filters").click()
    page.get_by_role("link", name="Save what is shown").click()
    expect(page.get_by_role("heading", name="Save a filter of the review’s queue")).to_be_visible()
    page.get_by_label("Name").fill("Stuck")
    page.get_by_label("Make it my default").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Stuck is saved.")).to_be_visible()
    expect(page).to_have_url(f"{queue}?verdict=pinned")
    visited.go(f"/reviews/{review.quarter}/")
    expect(page.locator("#default-filter")).to_contain_text("Shown by your default filter Stuck")
    expect(page).to_have_url(f"{queue}?verdict=pinned")
    if javascript:
        page.locator("summary", has_text="Saved filters").click()
        expect(page.get_by_role("link", name="Stuck", exact=True)).to_be_visible()
        assert visited.axe() == [] and visited.overflow() <= 0
    page.get_by_role("link", name="Show everything").click()
    expect(page.locator("#default-filter")).to_have_count(0)
    expect(page.locator(".pager")).to_contain_text("12 entries")
    if javascript:
        page.locator("#filter_verdict").select_option("pinned")
        expect(page.locator("#default-filter")).to_be_visible()
        page.locator("#filter_verdict").select_option("")
        expect(page).to_have_url(f"{queue}?filter=none")
    assert visited.problems == []
