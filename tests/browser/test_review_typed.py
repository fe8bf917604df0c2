"""What is typed for an entry comes back with the entry while the page is open, and is kept nowhere but in the page."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Request, expect

from portability.accounts.models import Person
from portability.register.models import Row
from portability.reviews.models import Decision, Note, Review
from tests.browser.conftest import Opener, Visit
from tests.browser.reviewing import decide_as, opened, second_architect
from tests.conftest import PASSWORD, Cast
from tests.reviews.making import choose_target, register

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = ("alpha", "beta", "gamma")
TYPED = "It goes with its hardware, until 2028."


@pytest.fixture
def review(cast: Cast, shipped: None) -> Review:
    """Three entries of one team."""
    choose_target()
    for name in NAMES:
        register(cast.member, cast.search, name)
    return opened(cast)


@pytest.fixture
def visited(cast: Cast, review: Review, visit: Opener) -> Visit:
    """The queue at the first of them."""
    found = visit(cast.architect)
    found.go(f"/reviews/{review.quarter}/?group=none&order=name")
    expect(found.page.locator("#now")).to_have_text("alpha")
    return found


def typed(page: Page, key: str, field: str, text: str) -> None:
    """Open an act by its key, type, and close it."""
    page.keyboard.press(key)
    expect(page.locator(field)).to_be_focused()
    page.keyboard.type(text)
    page.keyboard.press("Escape")


def go(page: Page, key: str, name: str) -> None:
    page.keyboard.press(key)
    expect(page.locator("#now")).to_have_text(name)


def test_it_comes_back_with_the_entry_until_it_is_sent(visited: Visit, review: Review) -> None:
    page = visited.page
    typed(page, "s", "#stays_reason", TYPED)
    typed(page, "n", "#note_text", "Ask again in May.")
    go(page, "j", "beta")
    expect(page.locator("#stays_reason")).to_have_value("")
    expect(page.locator(".unsent")).to_have_count(0)
    typed(page, "s", "#stays_reason", "Of beta.")
    go(page, "j", "gamma")
    go(page, "k", "beta")
    expect(page.locator("#stays_reason")).to_have_value("Of beta.")
    go(page, "k", "alpha")
    expect(page.locator("#stays_reason")).to_have_value(TYPED)
    expect(page.locator("#note_text")).to_have_value("Ask again in May.")
    expect(page.locator(".unsent")).to_have_count(2)
    assert visited.axe() == []
    page.keyboard.press("s")
    page.get_by_role("button", name="It stays where it is").click()
    expect(page.locator("#said")).to_contain_text("alpha: stays where it is")
    assert Decision.objects.get().reason == TYPED
    page.locator("#figure-decided").click()
    expect(page.locator("#now")).to_have_text("alpha")
    expect(page.locator("#note_text")).to_have_value("Ask again in May.")
    expect(page.locator("#stays_reason")).to_have_value("")
    page.go_back()
    expect(page.locator("#now")).to_have_text("beta")
    expect(page.locator("#stays_reason")).to_have_value("Of beta.")
    page.keyboard.press("s")
    page.locator("#stays_reason").fill("")
    go(page, "Escape", "beta")
    go(page, "j", "gamma")
    go(page, "k", "beta")
    expect(page.locator(".unsent")).to_have_count(0)
    assert not Note.objects.exists() and visited.problems == []


def test_what_is_dropped_in_a_conflict_stays_dropped(visited: Visit, review: Review) -> None:
    page = visited.page
    page.keyboard.press("s")
    page.keyboard.type(TYPED)
    decide_as(second_architect(), review, "alpha")
    page.get_by_role("button", name="It stays where it is").click()
    expect(page.locator("#clash #stays_reason")).to_have_value(TYPED)
    page.locator("#figure-decided").click()
    expect(page.locator("#clash")).to_have_count(0)
    expect(page.locator("#stays_reason")).to_have_value(TYPED)
    page.keyboard.press("s")
    page.get_by_role("button", name="It stays where it is").click()
    expect(page.locator("#said")).to_contain_text("alpha: stays where it is")
    expect(page.locator("#now")).to_have_text("beta")
    page.keyboard.press("p")
    expect(page.locator("#plan_plan_quarter")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.type("us")
    page.keyboard.press("Tab")
    page.keyboard.type("2 days")
    decide_as(Person.objects.get(username="second"), review, "beta")
    page.keyboard.press("Enter")
    expect(page.locator("#clash")).to_be_focused()
    page.keyboard.press("z")
    expect(page.locator("#now")).to_have_text("gamma")
    page.locator("#figure-decided").click()
    expect(page.locator("#now")).to_have_text("alpha")
    go(page, "j", "beta")
    expect(page.locator("#plan_plan_owner")).to_have_value("")
    assert visited.problems == []


def test_it_is_nowhere_but_in_the_page(visited: Visit) -> None:
    page = visited.page
    sent: list[str] = []

    def note(request: Request) -> None:
        sent.append(f"{request.url} {request.post_data or ''}")

    page.on("request", note)
    typed(page, "s", "#stays_reason", "hardware")
    go(page, "j", "beta")
    go(page, "k", "alpha")
    expect(page.locator("#stays_reason")).to_have_value("hardware")
    assert len(sent) >= 2 and not any("hardware" in one for one in sent)
    stored = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert "hardware" not in stored
    page.once("dialog", lambda asked: asked.accept())
    page.reload()
    expect(page.locator("#now")).to_have_text("alpha")
    expect(page.locator("#stays_reason")).to_have_value("")


def test_leaving_the_page_with_something_typed_is_asked_about(visited: Visit) -> None:
    page = visited.page
    asked: list[str] = []

    def stay(dialog: object) -> None:
        asked.append(dialog.type)  # type: ignore[attr-defined]
        dialog.dismiss()  # type: ignore[attr-defined]

    page.on("dialog", stay)
    typed(page, "s", "#stays_reason", TYPED)
    go(page, "j", "beta")
    page.get_by_role("link", name="Register", exact=True).click()
    expect(page.locator("#now")).to_have_text("beta")
    page.wait_for_timeout(300)
    assert asked == ["beforeunload"]
    go(page, "k", "alpha")
    expect(page.locator("#stays_reason")).to_have_value(TYPED)
    page.keyboard.press("a")  # decided in another way: what is left of it keeps nobody
    expect(page.locator("#said")).to_contain_text("alpha: agreed")
    page.keyboard.press("u")
    expect(page.locator("#now")).to_have_text("alpha")
    expect(page.locator("#stays_reason")).to_have_value(TYPED)
    page.get_by_role("link", name="Register", exact=True).click()
    page.wait_for_url("**/register/")
    assert asked == ["beforeunload"]


def test_nobody_else_gets_it(cast: Cast, visited: Visit) -> None:
    """Neither who signs in on the same machine afterwards, nor who does in another window meanwhile."""
    page = visited.page
    second = second_architect()
    second.set_password(PASSWORD)
    second.save()
    typed(page, "s", "#stays_reason", TYPED)
    go(page, "j", "beta")
    other = page.context.new_page()
    other.goto(visited.address + "/")
    other.get_by_role("button", name="Sign out").click()
    sign_in(other, "second")
    go(page, "k", "alpha")
    expect(page.locator("#stays_reason")).to_have_value("")
    typed(page, "s", "#stays_reason", "Of the second.")
    page.once("dialog", lambda asked: asked.accept())
    page.get_by_role("button", name="Sign out").click()
    sign_in(page, "architect")
    for _ in range(3):
        page.go_back()
        page.wait_for_load_state()
        assert "Of the second." not in page.locator("body").inner_text()
        assert all(field.input_value() != "Of the second." for field in page.locator("textarea").all())


def sign_in(page: Page, name: str) -> None:
    page.wait_for_load_state()
    page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/")[2] + reverse("accounts:login"))
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "login" not in url)


@pytest.mark.parametrize("width", [1280, 390])
def test_many_together_fit_the_window(width: int, cast: Cast, shipped: None, visit: Opener) -> None:
    choose_target()
    register(cast.member, cast.search, "a-workload-with-a-name-that-is-as-long-as-names-are")
    image = "registry.example.internal/inference/platform/serving-runtime-with-a-long-name:2026.11.30-nightly-build"
    Row.objects.update(why=f"{image}; nvidia.com/gpu")
    review = opened(cast)
    visited = visit(cast.architect, width=width)
    visited.go(f"/reviews/{review.quarter}/together/?all=yes")
    expect(visited.page.locator("td.why")).to_contain_text("serving-runtime-with-a-long-name")
    assert visited.overflow() <= 0
