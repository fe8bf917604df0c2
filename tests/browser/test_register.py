"""The register in a browser: a filter swaps only the table and says so; the address and the back button hold."""

from __future__ import annotations

from unittest import mock

import pytest
from playwright.sync_api import Page, expect

from portability.register import actions, batches
from portability.register.queries import pairs_of_target
from tests.browser.conftest import Opener
from tests.conftest import Cast
from tests.register.generate import generate

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


NAMES = "table.rows tbody tr td:first-child a"


def names(page: Page) -> list[str]:
    """The workloads shown."""
    return page.locator(NAMES).all_text_contents()


def test_typing_filters_and_only_the_table_is_swapped(cast: Cast, visit: Opener) -> None:
    generate(60)
    visited = visit(cast.viewer)
    visited.go("/register/")
    page = visited.page
    page.evaluate("document.getElementById('register-filters').dataset.kept = 'yes'")
    search = page.locator("#id_q")
    search.press_sequentially("workload-0000")
    expect(page.locator("#register-live")).to_contain_text("10 of 60 workloads shown, ")
    expect(search).to_be_focused()
    assert search.input_value() == "workload-0000"
    assert page.locator("#register-filters").get_attribute("data-kept") == "yes", "the form itself was left alone"
    assert page.url.endswith("/register/?target=mi300x-single&q=workload-0000")
    assert len(names(page)) == 10
    expect(page.locator("h1")).to_have_text("10 of 60 workloads for mi300x-single")
    page.locator("#id_verdict").select_option("pinned")
    expect(page.locator("#register-live")).to_contain_text("2 of 60 workloads shown, ")
    assert names(page) == ["workload-00002", "workload-00006"]
    href = page.get_by_role("link", name="CSV", exact=True).get_attribute("href")
    assert href is not None and "verdict=pinned" in href and "q=workload-0000" in href
    assert visited.problems == []


def test_back_restores_the_table_and_the_fields(cast: Cast, visit: Opener) -> None:
    generate(12)
    visited = visit(cast.viewer)
    visited.go("/register/")
    page = visited.page
    page.get_by_role("link", name="3 pinned").click()
    expect(page.locator("#register-live")).to_contain_text("3 of 12 workloads shown, ")
    expect(page.locator("#id_verdict")).to_have_value("pinned")
    expect(page.get_by_role("link", name="3 pinned")).to_be_focused()
    page.locator("#id_team").select_option("team-1")
    expect(page.locator(".empty")).to_contain_text("No workload matches")
    page.go_back()
    expect(page.locator("table.rows tbody tr")).to_have_count(3)
    expect(page.locator("#id_team")).to_have_value("")
    expect(page.locator("#id_verdict")).to_have_value("pinned")
    page.go_back()
    expect(page.locator("table.rows tbody tr")).to_have_count(12)
    expect(page.locator("#id_verdict")).to_have_value("")
    page.locator("#id_team").select_option("team-2")
    expect(page.locator("#register-live")).to_contain_text("3 of 12 workloads shown, ")
    assert visited.problems == []


def test_the_keyboard_alone_sorts_filters_and_opens(cast: Cast, visit: Opener) -> None:
    generate(12)
    visited = visit(cast.viewer)
    visited.go("/register/")
    page = visited.page
    page.get_by_role("link", name="GPUs").focus()
    page.keyboard.press("Enter")
    heading = page.locator("th", has=page.locator("#sort-gpus"))
    expect(heading).to_have_attribute("aria-sort", "descending")
    expect(page.locator("#sort-gpus")).to_be_focused()
    page.keyboard.press("Enter")
    expect(heading).to_have_attribute("aria-sort", "ascending")
    page.locator("#id_q").focus()
    page.keyboard.type("00007")
    expect(page.locator("#register-live")).to_contain_text("1 of 12 workloads shown, ")
    expect(heading).to_have_attribute("aria-sort", "ascending")
    page.locator("table.rows tbody a").first.focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert "/workloads/" in page.url and page.url.endswith("?target=mi300x-single")


def test_without_javascript_the_form_links_and_pages_do_the_same(cast: Cast, visit: Opener) -> None:
    generate(120)
    visited = visit(cast.viewer, javascript=False)
    visited.go("/register/")
    page = visited.page
    page.get_by_role("link", name="Next").click()
    expect(page.locator("main")).to_contain_text("rows 51–100 of 120")
    page.locator("#id_q").fill("workload-0001")
    page.locator("#id_criticality").select_option("low")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(NAMES)).to_have_text(["workload-00011", "workload-00015", "workload-00019"])
    for _ in range(2):
        with page.expect_navigation():
            page.get_by_role("link", name="Workload", exact=True).click()
    expect(page.locator(NAMES)).to_have_text(["workload-00019", "workload-00015", "workload-00011"])
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV", exact=True).click()
    lines = download.value.path().read_text("utf-8-sig").splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == names(page)


def test_a_run_is_watched_without_touching_the_page(cast: Cast, visit: Opener) -> None:
    target = generate(12)
    with mock.patch.object(actions, "wake"), mock.patch.object(actions, "BATCH_SIZE", 6):
        run = actions.start_run(cause="target", about="a test", pairs=pairs_of_target(target), who=cast.curator)
    assert run is not None
    first, second = run.batches.order_by("pk")
    visited = visit(cast.curator)
    visited.go(f"/register/runs/{run.pk}/")
    page = visited.page
    expect(page.locator("#run")).to_contain_text("0 done · 12 left")
    assert visited.axe() == []
    batches.do_batch(first.pk)
    expect(page.locator("#run")).to_contain_text("6 done · 6 left")
    batches.do_batch(second.pk)
    expect(page.locator("#run")).to_contain_text("12 done · 0 left")
    expect(page.locator("#run")).to_contain_text("Done · started")
    assert page.locator("#run").get_attribute("hx-get") is None, "and it asks no more"
    assert visited.axe() == [] and visited.problems == []


def test_the_page_is_accessible_and_fits_a_phone(cast: Cast, visit: Opener) -> None:
    generate(60)
    for width, scheme in ((1280, "light"), (390, "dark")):
        visited = visit(cast.viewer, width=width, scheme=scheme)
        visited.go("/register/?verdict=pinned&q=workload")
        assert visited.axe() == []
        assert visited.overflow() == 0
        assert visited.problems == []
