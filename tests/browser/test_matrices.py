"""A curator reads a page, enters a cell by hand, sees what publishing would move, publishes, and watches the run."""

from __future__ import annotations

import os
from pathlib import Path
from unittest import mock

import pytest
from django.core.management import call_command
from playwright.sync_api import expect

from portability.matrices.models import Release
from portability.register import actions, batches
from portability.register.models import Run
from portability.targets.models import Target
from tests.browser.conftest import Opener
from tests.conftest import Cast
from tests.matrices.keeping import LINUX, MIGRAPHX, PAGE, POD, ROCM, redraft, target, work
from tests.register.registering import register_workload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHOTS = os.environ.get("PORTABILITY_SHOTS")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("javascript", [True, False])
def test_from_the_page_to_its_publication(width: int, scheme: str, javascript: bool, cast: Cast, visit: Opener) -> None:
    call_command("load_shipped", verbosity=0)
    target("radeon", "rx-9070-xt", "7.14.0")
    register_workload(cast.search, "classifier", text=POD, declared=MIGRAPHX)
    published = Release.objects.get(source=ROCM, version="7.14.0")
    opened = visit(cast.curator, width=width, scheme=scheme, javascript=javascript)
    page = opened.page

    def looked_at(name: str) -> None:
        if SHOTS:
            page.screenshot(path=str(Path(SHOTS) / f"matrices-{name}-{width}-{scheme}.png"), full_page=True)
        assert opened.overflow() <= 0
        if javascript:
            assert opened.axe() == []

    opened.go("/matrices/")
    page.get_by_role("link", name="ROCm compatibility matrix", exact=True).click()
    expect(page.get_by_role("heading", name="ROCm compatibility matrix", level=1)).to_be_visible()
    looked_at("source")
    page.get_by_role("link", name="Read a document").click()
    page.get_by_label("Or paste it").fill("| nothing |\n| - |\n")
    page.get_by_role("button", name="Read").click()
    expect(page.get_by_text("Nothing was kept. pasted.txt")).to_be_visible()
    looked_at("refused")
    opened.problems.clear()  # the console names the answer's status

    opened.go(f"/matrices/releases/{published.pk}/")
    page.get_by_role("link", name="Enter a cell by hand").click()
    page.get_by_label("Key").fill("framework/MIGraphX/gfx1201/2.16")
    page.get_by_label("Value").fill(LINUX)
    page.get_by_label("Reason").fill("AMD's announcement lists it")
    page.get_by_label("Link").fill("https://docs.example.com/announcement")
    looked_at("cell")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_text("1 of them gets another verdict.")).to_be_visible()
    expect(page.get_by_role("link", name="classifier")).to_be_visible()
    expect(page.get_by_text("1 cell added")).to_be_visible()
    looked_at("draft")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("ROCm compatibility matrix 7.14.0 is published.")).to_be_visible()
    looked_at("published")
    assert Run.objects.get(cause="matrix").about.startswith("ROCm compatibility matrix 7.14.0, read ")
    work()

    newest = Release.objects.get(source=ROCM, version="10.0.0")
    other = redraft(newest, {"os/mi300x/debian/13": "6.99"}, without="os/mi325x/oracle-linux/9")
    opened.go(f"/matrices/releases/{other.pk}/")
    expect(page.get_by_text("1 cell removed")).to_be_visible()
    looked_at("draft-of-systems")
    page.get_by_role("button", name="Discard the draft").click()
    expect(page.get_by_text("The draft of ROCm compatibility matrix 10.0.0 was discarded.")).to_be_visible()
    assert opened.problems == []


@pytest.mark.parametrize("javascript", [True, False])
def test_from_an_upload_to_the_finished_bar(javascript: bool, cast: Cast, visit: Opener) -> None:
    call_command("load_shipped", verbosity=0)
    Target.objects.update(active=False)
    target("next-year", "mi300x", "9.9.0")
    for name in ("chat", "summaries"):
        register_workload(cast.search, name)
    opened = visit(cast.curator, javascript=javascript)
    page = opened.page
    opened.go("/matrices/read/")
    page.get_by_label("Source").select_option(label="ROCm compatibility matrix")
    page.locator("[name=documents]").set_input_files({"name": "9.9.0.html", "mimeType": "text/html", "buffer": PAGE})
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.get_by_text("ROCm compatibility matrix 9.9.0 was read. It is a draft")).to_be_visible()
    with mock.patch.object(actions, "wake"), mock.patch.object(actions, "BATCH_SIZE", 1):
        page.get_by_role("button", name="Publish").click()
        expect(page.get_by_text("2 assessments are assessed again")).to_be_visible()
    run = Run.objects.get()
    page.get_by_role("link", name="see how far it is").click()
    bar = page.get_by_role("progressbar")
    expect(bar).to_have_attribute("max", "2")
    expect(bar).to_have_attribute("value", "0")
    for done, batch in enumerate(run.batches.order_by("pk"), start=1):
        assert batches.do_batch(batch.pk)
        if not javascript:
            page.get_by_role("link", name="Refresh").click()
        expect(bar).to_have_attribute("value", str(done))
    expect(page.locator("#run")).to_contain_text("Done · started")
    expect(page.locator("#run")).to_contain_text("2 done · 0 left")
    assert opened.problems == []
