"""Saying what a private image is, as a curator does it: from the finding to the preview and the saved row."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from portability.register.models import Row, Run
from portability.rules.models import VendorRow
from tests.browser.conftest import Opener
from tests.conftest import Cast
from tests.register.generate import make_target
from tests.register.registering import register_workload
from tests.rules.own import PRIVATE, work

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHOTS = os.environ.get("PORTABILITY_SHOTS")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("javascript", [True, False])
def test_from_the_finding_to_the_row(width: int, scheme: str, javascript: bool, cast: Cast, visit: Opener) -> None:
    make_target()
    workloads = [register_workload(cast.search, name, image=PRIVATE) for name in ("ranking", "scoring")]
    opened = visit(cast.curator, width=width, scheme=scheme, javascript=javascript)
    page = opened.page

    def looked_at(name: str) -> None:
        if SHOTS:
            page.screenshot(path=str(Path(SHOTS) / f"own-{name}-{width}-{scheme}.png"), full_page=True)
        assert opened.overflow() <= 0
        if javascript:
            assert opened.axe() == []

    opened.go(f"/workloads/{workloads[0].pk}/")
    page.get_by_role("link", name="say what this image is").click()
    expect(page.get_by_label("Pattern")).to_have_value("ml/scorer")
    page.get_by_label("Whose it is").select_option("NVIDIA")
    page.get_by_label("Effect").select_option("to change")
    page.get_by_label("Counterpart").fill("ml/scorer-rocm")
    page.get_by_label("Counterpart").press("Enter")
    expect(page.get_by_role("heading", name="What this would change")).to_be_in_viewport()
    expect(page.get_by_text("2 workloads are touched")).to_be_visible()
    looked_at("preview")
    page.get_by_label("Counterpart").press("Enter")
    expect(page.get_by_role("button", name="Save")).to_be_visible()
    assert not VendorRow.objects.exists(), "Enter in a field looks, and never saves"
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("images/ml/scorer was entered.")).to_be_visible()
    assert Run.objects.get().total == 2
    work()
    opened.go(f"/workloads/{workloads[1].pk}/")
    page.get_by_role("link", name="Organisation’s own row", exact=True).first.click()
    expect(page.get_by_role("heading", name="Images: ml/scorer")).to_be_visible()
    page.get_by_role("link", name="Remove").click()
    expect(page.get_by_role("button", name="Remove")).to_be_visible()
    looked_at("remove")
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("images/ml/scorer was removed.")).to_be_visible()
    opened.go("/rules/own/paste/")
    page.get_by_label("Lines").fill("ml/scorer, none\nml/*")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Line 2: say whose it is")).to_be_visible()
    page.get_by_label("Lines").fill("ml/scorer, none\nvllm/vllm-openai, none, –, built on ROCm")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("1 of 2 rows stands before a shipped row")).to_be_in_viewport()
    page.get_by_role("link", name="see which").click()
    expect(page.get_by_text("It stands before a shipped row that says otherwise")).to_be_in_viewport()
    looked_at("paste")
    page.get_by_role("button", name="Save 2 rows").click()
    expect(page.get_by_text("2 rows were entered.")).to_be_visible()
    looked_at("list")
    assert opened.problems == []
    work()
    assert {row.own_verdict for row in Row.objects.all()} == {"needs-change"}
