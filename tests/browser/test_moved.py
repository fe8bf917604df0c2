"""What moved, seen in a browser: in a run and over time, and who is told of it with what became of each message."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from portability.accounts.models import Person
from portability.notifications.models import Subscription
from portability.register.models import Run
from portability.targets.models import Target
from tests.addresses import delivery, endpoint
from tests.browser.conftest import Opener, Visit
from tests.conftest import Cast
from tests.matrices.conftest import authority, network
from tests.notifications.conftest import mail, public, web, world
from tests.notifications.mail import MailServer
from tests.notifications.telling import add, ask, pin, pin_others, tell
from tests.outbound.servers import FakeNetwork, said

__all__ = ["authority", "mail", "network", "public", "web", "world"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHOTS = os.environ.get("PORTABILITY_SHOTS")
WINDOWS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]


def looked_at(visited: Visit, name: str, path: str, width: int, scheme: str) -> None:
    """A page is accessible, fits, and says nothing on the console."""
    visited.go(path)
    if SHOTS:
        visited.page.screenshot(path=str(Path(SHOTS) / f"{name}-{width}-{scheme}.png"), full_page=True)
    assert visited.axe() == [], name
    assert visited.overflow() == 0, name
    assert visited.problems == [], name


@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_pages_of_what_moved(cast: Cast, world: Target, visit: Opener, width: int, scheme: str) -> None:
    pin(cast.curator)
    run = pin_others(cast.curator, "value < 4")
    visited = visit(cast.viewer, width=width, scheme=scheme)
    looked_at(visited, "run", f"/register/runs/{run.pk}/", width, scheme)
    looked_at(visited, "runs", "/register/runs/", width, scheme)
    looked_at(visited, "moved", "/register/moved/", width, scheme)
    looked_at(visited, "moved-wrong", "/register/moved/?move=up&team=media", width, scheme)
    Run.objects.filter(pk=run.pk).update(state="running", total=9)
    looked_at(visited, "run-under-way", f"/register/runs/{run.pk}/?team=search", width, scheme)


@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_pages_of_who_is_told(
    cast: Cast, world: Target, visit: Opener, mail: MailServer, web: FakeNetwork, width: int, scheme: str
) -> None:
    web.serve("hooks.example.com", lambda request: said("503 Busy"))
    ask(cast.administrator, whose="all")
    mail.answers["RCPT"] = "550 No such user here"
    chat = add(cast.administrator, cast.search, name="operations chat")
    pin(cast.curator)
    delivery()
    tell()
    visited = visit(cast.administrator, width=width, scheme=scheme)
    looked_at(visited, "notifications", "/notifications/", width, scheme)
    looked_at(visited, "webhooks", "/webhooks/", width, scheme)
    looked_at(visited, "webhook", f"/webhooks/{chat.pk}/", width, scheme)
    looked_at(visited, "webhook-failed", f"/webhooks/{endpoint().pk}/?state=failed", width, scheme)


def test_a_person_asks_for_a_digest_without_javascript(
    cast: Cast, world: Target, visit: Opener, mail: MailServer
) -> None:
    visited = visit(cast.member, javascript=False)
    visited.go("/register/")
    page = visited.page
    page.get_by_role("link", name="Notifications").click()
    expect(page.get_by_role("heading", name="Notifications")).to_be_visible()
    page.get_by_label("after each re-evaluation in which something moved").check()
    page.get_by_label("Mail address").fill("member@example.org")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#messages")).to_contain_text("Saved.")
    assert Subscription.objects.get().often == "run"
    pin(cast.curator)
    tell()
    assert len(mail.messages) == 1
    assert Person.objects.get(username="member").email == mail.messages[0]["To"]


def test_the_list_of_a_run_is_narrowed_to_a_team(cast: Cast, world: Target, visit: Opener) -> None:
    run = pin(cast.curator)
    visited = visit(cast.viewer)
    visited.go(f"/register/runs/{run.pk}/")
    page = visited.page
    page.get_by_role("link", name="Media: 1").click()
    expect(page.get_by_role("link", name="Show all")).to_be_visible()
    assert page.url.endswith("?team=media")
    expect(page.get_by_role("link", name="three")).to_be_visible()
    expect(page.get_by_role("link", name="four")).to_have_count(0)
