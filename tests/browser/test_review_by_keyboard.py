"""Forty entries are reviewed by keyboard alone: decided one by one and together, undone, signed off, printed."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from portability.accounts.models import Person
from portability.organisation.dates import Quarter
from portability.reviews.models import Decision, Entry, Review
from tests.browser.conftest import Opener, Visit
from tests.browser.reviewing import ENTRIES, decide_as, forty, not_assessed, second_architect
from tests.conftest import Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MOST_TABS = 120


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until it has the focus."""
    expect(wanted).to_be_visible()
    for _ in range(MOST_TABS):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} cannot be reached with the Tab key")


def said(page: Page, text: str) -> None:
    """The live region says it, the next entry has the focus, and the page was not loaded anew."""
    expect(page.locator("#said")).to_contain_text(text)
    expect(page.locator("#now")).to_be_focused()
    assert page.evaluate("window.keptWhileSwapping") is True, "only the queue was swapped"


def name(page: Page) -> str:
    """The workload that is open in the queue."""
    return page.locator("#now").inner_text()


def go(page: Page, key: str) -> str:
    """Move to another entry; its name."""
    before = name(page)
    page.keyboard.press(key)
    expect(page.locator("#now")).not_to_have_text(before)
    expect(page.locator("#now")).to_be_focused()
    return name(page)


def go_to(page: Page, workload: str) -> None:
    """Move on until an entry is open."""
    for _ in range(ENTRIES):
        if name(page) == workload:
            return
        go(page, "j")
    raise AssertionError(f"{workload} is not in the queue")


def settled_queue(page: Page, progress: str) -> None:
    """The queue has come as a page of its own."""
    expect(page.locator(".how-far")).to_contain_text(progress)
    page.wait_for_load_state("load")
    page.evaluate("window.keptWhileSwapping = true")


def test_forty_entries_by_keyboard_alone(cast: Cast, shipped: None, visit: Opener) -> None:
    forty(cast)
    second = second_architect()
    visited = visit(cast.architect)
    page = visited.page
    visited.go("/reviews/")
    quarter = open_by_keyboard(page)
    review = Review.objects.get(quarter=quarter)
    read_the_keys(visited)
    decide_not_known_together(visited, review)
    a_plan_in_conflict(visited, review, second)
    undo_one(page)
    agree_with_the_rest(page)
    sign_and_print(visited, quarter)
    assert Entry.objects.filter(review=review, state=Entry.State.DECIDED).count() == ENTRIES
    assert visited.problems == []


def open_by_keyboard(page: Page) -> str:
    """From the list of reviews to the queue of a new one."""
    expect(page.locator("main")).to_contain_text(f"It would hold {ENTRIES} entries")
    tab_to(page, page.get_by_role("button", name="Open the review"))
    page.keyboard.press("Enter")
    settled_queue(page, f"0 of {ENTRIES} decided")
    return str(Quarter.of(timezone.localdate()))


def read_the_keys(visited: Visit) -> None:
    """`?` shows what the keys do, and none of them acts meanwhile; nor in a field, nor with a modifier."""
    page = visited.page
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    assert visited.axe() == []
    listed = {key for text in dialog.locator("kbd").all_inner_texts() for key in text.split()}
    keys = page.locator("[aria-keyshortcuts]").evaluate_all("all => all.map(e => e.getAttribute('aria-keyshortcuts'))")
    assert set(keys) <= listed, "every key is listed"
    first = name(page)
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.keyboard.press("Control+j")
    page.keyboard.press("Alt+j")
    tab_to(page, page.locator("#filter_q"))
    page.keyboard.type("jj")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    expect(page.locator("#filter_q")).to_have_value("")
    expect(page.locator("#now")).to_have_text(first)


def decide_not_known_together(visited: Visit, review: Review) -> None:
    """Tick what is not assessed and decide it together, once the preview has said what that would do."""
    page = visited.page
    tab_to(page, page.locator("#filter_verdict"))
    page.keyboard.type("not assessed")
    expect(page.locator(".line .stands .open").first).to_be_visible()
    found = not_assessed(review)
    assert 5 < found < ENTRIES
    expect(page.locator(".pager")).to_contain_text(f"{found} entries")
    tab_to(page, page.locator("#figure-decided"))  # out of the field, where keys are letters
    for _ in range(found):
        page.keyboard.press("x")
        if page.locator("[aria-keyshortcuts=j]").count():
            go(page, "j")
    expect(page.locator("[data-ticked]")).to_have_text(f"{found} ticked")
    page.keyboard.press("t")
    expect(page.locator("h1")).to_contain_text(f"{found} entries")
    assert visited.axe() == []
    tab_to(page, page.get_by_label("Decide", exact=True))
    page.keyboard.type("not known")
    tab_to(page, page.get_by_label("Reason"))
    page.keyboard.type("The manifests are templates.")
    tab_to(page, page.get_by_label("Who finds out"))
    page.keyboard.type("the teams")
    tab_to(page, page.get_by_label("By which day"))
    page.keyboard.type("12312099")
    tab_to(page, page.get_by_role("button", name="Preview what it would do"))
    page.keyboard.press("Enter")
    confirm = page.get_by_role("button", name=f"Decide these {found}")
    expect(confirm).to_be_focused()
    assert visited.axe() == []
    page.keyboard.press("Enter")
    settled_queue(page, f"{found} of {ENTRIES} decided")
    expect(page.locator("#queue")).to_contain_text("Nothing is left to decide here.")
    page.keyboard.press("j")
    expect(page.locator("#now")).to_be_focused()
    expect(page.locator("#filter_verdict")).to_have_value("")
    assert Decision.objects.filter(kind="not-known").values("bulk").distinct().count() == 1


def a_plan_in_conflict(visited: Visit, review: Review, second: Person) -> None:
    """Somebody decides what is being planned: both are shown beside each other, and nothing typed is lost."""
    page = visited.page
    go_to(page, "chat")
    page.keyboard.press("p")
    expect(page.locator("#plan_plan_quarter")).to_be_focused()
    assert visited.axe() == []
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.type("the platform team")
    page.keyboard.press("Escape")
    expect(page.locator("#plan_plan_owner")).to_be_hidden()
    page.keyboard.press("p")
    expect(page.locator("#plan_plan_owner")).to_have_value("the platform team")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("2 days")
    decide_as(second, review, "chat", kind="stays", reason="The vendor promised an image.")
    page.keyboard.press("Enter")
    clash = page.locator("#clash")
    expect(clash).to_be_focused()
    expect(clash).to_contain_text("second decided chat in the meantime: stays where it is")
    expect(clash).to_contain_text("The vendor promised an image.")
    expect(clash.locator("#plan_plan_owner")).to_have_value("the platform team")
    assert visited.axe() == []
    page.keyboard.press("y")
    said(page, "chat: agreed, with a plan, needs change.")
    kinds = Decision.objects.filter(entry__workload__name="chat").order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["stays", "plan"], "what was decided first is kept beneath"
    go_to(page, "summaries")
    page.keyboard.press("s")
    expect(page.locator("#stays_reason")).to_be_focused()
    page.keyboard.type("It is too small to matter.")
    decide_as(second, review, "summaries")
    tab_to(page, page.get_by_role("button", name="It stays where it is"))
    page.keyboard.press("Enter")
    expect(clash).to_be_focused()
    page.keyboard.press("z")
    expect(page.locator("#now")).to_be_focused()
    expect(page.locator("#now")).not_to_have_text("summaries")
    assert Decision.objects.filter(entry__workload__name="summaries").get().made_by == second


def undo_one(page: Page) -> None:
    """Decide otherwise, with evidence, and take it back."""
    go_to(page, "translate")
    page.keyboard.press("d")
    expect(page.locator("#otherwise_verdict")).to_be_focused()
    page.keyboard.type("movable")
    page.keyboard.press("Tab")
    page.keyboard.type("It ran for a week.")
    page.keyboard.press("Tab")
    page.keyboard.type("Load test of October.")
    tab_to(page, page.get_by_role("button", name="Decide otherwise"))
    page.keyboard.press("Enter")
    said(page, "translate: decided otherwise, movable.")
    page.keyboard.press("u")
    said(page, "Undone: the decision on translate.")
    expect(page.locator("#now")).to_have_text("translate")


def agree_with_the_rest(page: Page) -> None:
    """One key for each routine entry."""
    left = page.locator("#figure-to-do")
    for _ in range(ENTRIES):
        number = int(left.inner_text().split()[0])
        workload = name(page)
        page.keyboard.press("a")
        expect(page.locator("#said")).to_contain_text(f"{workload}: agreed")
        expect(left).to_have_text(f"{number - 1} to decide")
        if number == 1:
            return
        expect(page.locator("#now")).to_be_focused()


def sign_and_print(visited: Visit, quarter: str) -> None:
    """Sign with a statement; the closed review and its report bear the digest."""
    page = visited.page
    expect(page.locator("#queue")).to_contain_text("Every entry is decided.")
    tab_to(page, page.get_by_role("link", name="Sign-off", exact=True))
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(f"Sign-off of review {quarter}")
    assert visited.axe() == []
    tab_to(page, page.get_by_label("Statement"))
    page.keyboard.type("All forty were looked at.")
    tab_to(page, page.get_by_role("button", name="Sign and close the review"))
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("It is frozen")
    assert visited.axe() == []
    digest = Review.objects.get(quarter=quarter).record.digest
    tab_to(page, page.get_by_role("link", name="Report, to print"))
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(f"Portability review {quarter}")
    expect(page.locator(".cover")).to_contain_text(digest)
    expect(page.locator(".cover")).to_contain_text("All forty were looked at.")
    expect(page.locator("table.register tbody tr")).to_have_count(ENTRIES)
    expect(page.locator(".report .entry").first).to_be_attached()
    assert visited.axe() == []
