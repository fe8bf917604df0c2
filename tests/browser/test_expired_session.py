"""A session that ends in the middle of an edit: nothing is saved, and the text can be sent again."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse
from playwright.sync_api import expect

from portability.accounts.models import Team
from portability.workloads.models import Workload
from tests.browser.conftest import Opener
from tests.conftest import PASSWORD, SERVING, Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("javascript", [True, False])
def test_the_text_is_given_back_after_the_session_ended(cast: Cast, visit: Opener, javascript: bool) -> None:
    opened = visit(cast.administrator, javascript=javascript)
    opened.go(reverse("accounts:teams"))
    opened.page.get_by_label("Name of the team").fill("Risk")
    Session.objects.all().delete()
    opened.page.get_by_role("button", name="Add").click()
    expect(opened.page.get_by_role("heading", level=1)).to_contain_text("nothing was saved")
    assert opened.page.get_by_role("definition").all_text_contents() == ["Risk"]
    assert opened.axe() == [] if javascript else True
    assert not Team.objects.filter(name="Risk").exists()


def test_after_signing_in_again_in_another_tab_the_same_form_is_accepted(cast: Cast, visit: Opener) -> None:
    opened = visit(cast.administrator)
    opened.go(reverse("accounts:teams"))
    opened.page.get_by_label("Name of the team").fill("Risk")
    Session.objects.all().delete()
    other = opened.page.context.new_page()
    other.goto(opened.address + reverse("accounts:login"))
    other.get_by_label("Name").fill("administrator")
    other.get_by_label("Password").fill(PASSWORD)
    other.get_by_role("button", name="Sign in").click()
    other.wait_for_url(lambda url: "login" not in url)
    opened.page.get_by_role("button", name="Add").click()
    opened.page.get_by_role("status").get_by_text("The team Risk is added.").wait_for()
    assert Team.objects.filter(name="Risk").count() == 1


def test_a_double_click_sends_a_form_once(cast: Cast, visit: Opener) -> None:
    opened = visit(cast.administrator)
    opened.go(reverse("accounts:teams"))
    opened.page.get_by_label("Name of the team").fill("Risk")
    opened.page.get_by_role("button", name="Add").dblclick()
    opened.page.get_by_role("status").get_by_text("The team Risk is added.").wait_for()
    assert Team.objects.filter(name="Risk").count() == 1


def test_typing_a_manifest_on_after_the_session_ended_keeps_it_and_says_so(
    cast: Cast, shipped: None, visit: Opener
) -> None:
    opened = visit(cast.member)
    opened.go(reverse("workloads:new"))
    text = opened.page.locator("textarea[name=file_text]").first
    text.fill(SERVING)
    opened.page.get_by_role("heading", name="What was detected").wait_for()
    Session.objects.all().delete()
    text.fill(SERVING + "# and more")
    said = opened.page.locator("#messages")
    said.get_by_text("You were signed out; nothing was saved.").wait_for()
    assert opened.page.url.endswith(reverse("workloads:new"))
    assert "and more" in text.input_value()
    opened.page.get_by_role("heading", name="What was detected").wait_for()
    other = opened.page.context.new_page()
    other.goto(opened.address + reverse("accounts:login"))
    other.get_by_label("Name").fill("member")
    other.get_by_label("Password").fill(PASSWORD)
    other.get_by_role("button", name="Sign in").click()
    other.wait_for_url(lambda url: "login" not in url)
    text.fill(SERVING + "# and still more")
    said.get_by_text("You were signed out").wait_for(state="detached")
    opened.page.get_by_label("Name", exact=False).first.fill("chat-assistant")
    opened.page.get_by_role("button", name="Save").click()
    opened.page.wait_for_url("**/workloads/*/**")
    assert Workload.objects.get().name == "chat-assistant"


def test_filtering_the_register_after_the_session_ended_leads_to_the_login_page(
    cast: Cast, registered: Workload, visit: Opener
) -> None:
    opened = visit(cast.viewer)
    opened.go(reverse("register:register"))
    Session.objects.all().delete()
    opened.page.locator("#count-pinned").click()
    opened.page.wait_for_url("**/login/?next=*")
    assert opened.page.get_by_role("heading", level=1).text_content() == "Sign in"
