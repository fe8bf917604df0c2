"""A rule without code, from the form to a finding: tried, enabled, seen on a workload, switched off."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from portability.rules.models import CustomRule
from portability.workloads.models import Workload
from tests.browser.conftest import Opener, Visit
from tests.conftest import Cast
from tests.rules.custom import BOMB, work

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("PORTABILITY_SHOTS")
WINDOWS = [(1280, "light", True), (390, "dark", False)]


def fine(opened: Visit, name: str) -> None:
    """What is on the screen is accessible, without errors, and no wider than the window."""
    if SHOTS:
        opened.page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=True)
    assert opened.axe() == []
    assert opened.overflow() <= 0
    assert opened.problems == []


@pytest.mark.parametrize(("width", "scheme", "javascript"), WINDOWS)
@pytest.mark.django_db(transaction=True)
def test_a_rule_from_form_to_finding(
    width: int, scheme: str, javascript: bool, cast: Cast, registered: Workload, visit: Opener
) -> None:
    opened = visit(cast.curator, width=width, scheme=scheme, javascript=javascript)
    page, name = opened.page, f"custom-{width}-{scheme}"
    opened.go("/rules/")
    page.get_by_role("link", name="Write a rule").click()
    page.get_by_label("Name").fill("Images come from our registry")
    page.get_by_label("JSON path").fill("$..containers[*].image")
    page.get_by_label("Condition").fill("!value.startsWith(")
    page.get_by_label("Reason").fill("Clusters pull from our registry only.")
    page.get_by_role("button", name="Try it over the register").click()
    expect(page.locator("main")).to_contain_text("Ends too early")
    if javascript:
        fine(opened, f"{name}-refused")
    page.get_by_label("Condition").fill("!value.startsWith('registry.bank.example/')")
    page.get_by_role("button", name="Try it over the register").click()
    expect(page.locator("main")).to_contain_text("1 would be hit")
    if javascript:
        fine(opened, f"{name}-tried")
    page.get_by_role("button", name="Save and enable").click()
    page.get_by_role("heading", name="ORG001").wait_for()
    work()
    page.reload()
    expect(page.get_by_role("link", name="chat-assistant")).to_have_count(1)
    if javascript:
        fine(opened, f"{name}-rule")
    page.get_by_role("link", name="chat-assistant").click()
    expect(page.get_by_role("heading", name="chat-assistant", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="ORG001")).to_have_count(1)
    if javascript:
        fine(opened, f"{name}-workload")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
@pytest.mark.django_db(transaction=True)
def test_a_rule_at_fault(width: int, scheme: str, cast: Cast, registered: Workload, visit: Opener) -> None:
    opened = visit(cast.curator, width=width, scheme=scheme)
    page, name = opened.page, f"custom-{width}-{scheme}"
    opened.go("/rules/custom/new/")
    page.get_by_label("Name").fill("Too much")
    page.get_by_label("JSON path").fill("$")
    page.get_by_label("Condition").fill(BOMB)
    page.get_by_label("Reason").fill("It asks for more than it may.")
    page.get_by_role("button", name="Try it over the register").click()
    expect(page.locator("main")).to_contain_text("It cannot be enabled")
    fine(opened, f"{name}-fault")
    page.get_by_role("button", name="Keep as a draft").click()
    expect(page.get_by_role("heading", name="ORG001")).to_be_visible()
    CustomRule.objects.update(state="off", state_by=None, state_reason="it takes more than 100,000 steps (on a)")
    opened.go("/rules/ORG001/")
    assert "The product switched this rule off" in page.content()
    fine(opened, f"{name}-off")
    opened.go("/rules/")
    assert page.get_by_role("alert").get_by_role("link", name="ORG001").count() == 1
    fine(opened, f"{name}-list")
