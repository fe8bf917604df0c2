"""Forty entries are reviewed by mouse alone; and the same acts without JavaScript, on a phone, in the dark."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from portability.reviews.models import Entry, Review, Waiver
from tests.browser.conftest import Opener
from tests.browser.reviewing import ENTRIES, decide_as, forty, not_assessed, opened, second_architect
from tests.conftest import Cast
from tests.reviews.making import PLAIN, choose_target, register, revise

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def click(page: Page, label: str) -> None:
    """Press a button of the entry that is open."""
    page.locator(".now").get_by_role("button", name=label, exact=True).click()


def open_act(page: Page, label: str) -> None:
    """Open one of its forms."""
    page.locator(".now summary", has_text=label).click()


def choose(page: Page, workload: str) -> None:
    """Open an entry from the list."""
    page.locator(".line a.name", has_text=workload).first.click()
    expect(page.locator("#now")).to_have_text(workload)


def test_forty_entries_by_mouse_alone(cast: Cast, shipped: None, visit: Opener) -> None:
    forty(cast)
    second = second_architect()
    visited = visit(cast.architect)
    page = visited.page
    visited.go("/reviews/")
    page.get_by_role("button", name="Open the review").click()
    expect(page.locator(".how-far")).to_contain_text(f"0 of {ENTRIES} decided")
    review = Review.objects.get()
    choose(page, "chat")
    open_act(page, "Stays, because")
    page.locator("#stays_reason").fill("It goes with its hardware.")
    decide_as(second, review, "chat")
    click(page, "It stays where it is")
    expect(page.locator("#clash")).to_contain_text("second decided chat in the meantime: agreed")
    expect(page.locator("#clash #stays_reason")).to_have_value("It goes with its hardware.")
    page.locator("#clash").get_by_role("button", name="Decide on top").click()
    expect(page.locator("#said")).to_contain_text("chat: stays where it is, needs change.")
    page.get_by_role("button", name="Undo chat").click()
    expect(page.locator("#said")).to_contain_text("Undone: the decision on chat.")
    expect(page.locator(".now")).to_contain_text("agreed")
    assert visited.axe() == []
    together(page, review)
    decide_the_rest(page)
    page.get_by_role("link", name="Go to the sign-off").click()
    page.get_by_label("Statement").fill("By mouse.")
    page.get_by_role("button", name="Sign and close the review").click()
    expect(page.locator("main")).to_contain_text("It is frozen")
    assert visited.axe() == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Record, JSON").click()
    assert download.value.path().read_text() == Review.objects.get().record.text
    page.get_by_role("link", name="Report, to print").click()
    expect(page.locator(".cover")).to_contain_text("By mouse.")
    assert visited.axe() == [] and visited.problems == []


def together(page: Page, review: Review) -> None:
    """All that is not assessed at once: the others of the list are left out, and the preview says why."""
    page.locator("#tick-all").check()
    expect(page.locator("[data-ticked]")).to_contain_text("ticked")
    page.get_by_role("button", name="of this list…").click()
    expect(page.locator("h1")).to_contain_text("together")
    page.get_by_label("Decide", exact=True).select_option("not-known")
    page.get_by_label("Reason").fill("Templates.")
    page.get_by_label("Who finds out").fill("the teams")
    page.get_by_label("By which day").fill("2099-12-31")
    page.get_by_role("button", name="Preview what it would do").click()
    number = not_assessed(review)
    expect(page.locator("#preview")).to_have_text(f"This would decide {number} entries")
    expect(page.locator(".left-out")).to_contain_text("It is assessed: agree with the verdict")
    page.get_by_role("button", name=f"Decide these {number}").click()
    expect(page.locator("#messages")).to_contain_text(f"{number} decided together")


def decide_the_rest(page: Page) -> None:
    """Agree until nothing is left."""
    left = page.locator("#figure-to-do")
    for _ in range(ENTRIES):
        number = int(left.inner_text().split()[0])
        if not number:
            return
        click(page, "Agree")
        expect(left).to_have_text(f"{number - 1} to decide")


def test_without_javascript_the_same_buttons_do_it(cast: Cast, shipped: None, visit: Opener) -> None:
    choose_target()
    chat = register(cast.member, cast.search, "chat")
    register(cast.member, cast.search, "summaries")
    review = opened(cast)
    visited = visit(cast.architect, javascript=False)
    page = visited.page
    visited.go(f"/reviews/{review.quarter}/")
    expect(page.locator("#now")).to_have_text("chat")
    open_act(page, "Agree with a plan")
    page.locator("#plan_plan_quarter").select_option(index=2)
    page.locator("#plan_plan_owner").fill("the platform team")
    page.locator("#plan_plan_effort").fill("2 days")
    page.locator("#plan_link").fill("GPU-12")
    click(page, "Agree with this plan")
    expect(page.locator("#plan_link-errors")).to_contain_text("Give a whole address")
    expect(page.locator("#plan_plan_owner")).to_have_value("the platform team")
    page.locator("#plan_link").fill("")
    click(page, "Agree with this plan")
    expect(page.locator("#messages")).to_contain_text("chat: agreed, with a plan, needs change.")
    expect(page.locator("#now")).to_have_text("summaries")
    page.get_by_role("button", name="Undo chat").click()
    expect(page.locator("#messages")).to_contain_text("Undone: the decision on chat.")
    page.locator("input[name=entry]").first.check()
    page.get_by_role("button", name="Decide the ticked together…").click()
    expect(page.locator("h1")).to_contain_text("1 entry")
    visited.go(f"/reviews/{review.quarter}/?state=all&at={Entry.objects.get(workload=chat).pk}")
    open_act(page, "Waive a finding")
    page.locator(".now details[open] a").first.click()
    page.get_by_label("Why it is accepted").fill("The image is being built.")
    page.get_by_label("Where that was decided").fill("https://tickets.example/GPU-1")
    page.get_by_label("Last day").fill("2027-03-31" if timezone.localdate().year < 2027 else "2099-01-01")
    page.get_by_role("button", name="Waive it").click()
    expect(page.locator("#messages")).to_contain_text("is waived until")
    expect(page.locator(".now")).to_contain_text("Waived until")
    assert Waiver.objects.count() == 1
    visited.go("/reviews/keys/")
    expect(page.locator(".keys")).to_contain_text("agree with the verdict")
    assert visited.problems == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light"), (390, "dark")])
def test_every_state_is_accessible_and_fits(width: int, scheme: str, cast: Cast, shipped: None, visit: Opener) -> None:
    forty(cast)
    review = opened(cast)
    second = second_architect()
    decide_as(second, review, "search-tier", kind="plan", plan_quarter="2099-Q1", plan_owner="x", plan_effort="1 day")
    revise(cast.member, Entry.objects.get(workload__name="search-tier").workload, PLAIN)
    visited = visit(cast.architect, width=width, scheme=scheme)
    page = visited.page
    wrong: list[str] = []

    def look(name: str) -> None:
        wrong.extend(f"{name}: {what}" for what in visited.axe())
        if (over := visited.overflow()) > 0:
            wrong.append(f"{name}: {over} pixels wider than the window")

    at = Entry.objects.get(workload__name="chat").pk
    visited.go(f"/reviews/{review.quarter}/?at={at}")
    for label in (
        "Agree with a plan",
        "Stays, because",
        "Decide otherwise",
        "Waive a finding",
        "Note",
        "Ask the team",
        "Assign",
    ):
        open_act(page, label)
        look(label)
    open_act(page, "Stays, because")
    page.locator("#stays_reason").fill("because")
    decide_as(second, review, "chat")
    click(page, "It stays where it is")
    expect(page.locator("#clash")).to_be_visible()
    look("conflict")
    visited.go(f"/reviews/{review.quarter}/?state=again")
    expect(page.locator(".now")).to_contain_text("Asks again")
    look("asks again")
    visited.go(f"/reviews/{review.quarter}/?state=all&group=none")
    page.get_by_role("link", name="Keys").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    look("keys")
    assert wrong == [] and visited.problems == []
