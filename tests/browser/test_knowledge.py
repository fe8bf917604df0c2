"""A curator looks at what the verdicts rest on, sets a day, takes a cell out, and follows evidence to its cell."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import expect

from portability.matrices.models import Look, Release
from portability.workloads.models import Workload
from tests.browser.conftest import Opener
from tests.conftest import Cast
from tests.matrices.keeping import draft, redraft, target
from tests.register.registering import register_workload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHOTS = os.environ.get("PORTABILITY_SHOTS")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("javascript", [True, False])
def test_from_what_is_known_to_a_cell(width: int, scheme: str, javascript: bool, cast: Cast, visit: Opener) -> None:
    call_command("load_shipped", verbosity=0)
    target("ahead", "mi300x", "8.8.0")
    chat = register_workload(cast.search, "chat", declared={"model_kind": "decoder-only"})
    Workload.objects.update(engine="vllm")
    now = timezone.now()
    moved = {"looked_at": now, "since": now, "found": "moved", "said": "It redirects to https://docs.example.com/new."}
    Look.objects.create(source_id="vllm-quantization", **moved)
    opened = visit(cast.curator, width=width, scheme=scheme, javascript=javascript)
    page = opened.page

    def looked_at(name: str) -> None:
        if SHOTS:
            page.screenshot(path=str(Path(SHOTS) / f"knowledge-{name}-{width}-{scheme}.png"), full_page=True)
        assert opened.overflow() <= 0
        if javascript:
            assert opened.axe() == []

    opened.go("/matrices/")
    page.get_by_role("link", name="What is due, disputed, and rested on").click()
    expect(page.get_by_role("heading", name="What the verdicts rest on", level=1)).to_be_visible()
    expect(page.get_by_text("8.8.0").first).to_be_visible()
    looked_at("page")
    page.get_by_role("link", name="1 workload for mi210-single").first.click()
    expect(page.get_by_role("link", name="chat", exact=True)).to_be_visible()

    opened.go("/matrices/sources/vllm-features/")
    page.get_by_role("link", name="Edit the source").click()
    page.get_by_label("Due on").fill("2027-01-15")
    page.get_by_label("Address").fill("https://mirror.example.com/features/")
    looked_at("edit")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("vLLM features was saved.")).to_be_visible()
    expect(page.get_by_text("on 15 January 2027, unless it was read on that day or later")).to_be_visible()
    looked_at("source")
    opened.go("/matrices/add/")
    looked_at("add")

    features = Release.objects.get(source="vllm-features", state="published")
    begun = redraft(features, {"hardware/multimodal/AMD": "partial", "pair/lora/lora": "unknown"})
    opened.go(f"/matrices/releases/{begun.pk}/")
    page.get_by_role("link", name="Take a cell out").click()
    page.get_by_label("Key").fill("hardware/encoder-decoder/AMD")
    page.get_by_label("Reason").fill("The row has a note that takes it back.")
    looked_at("remove")
    page.get_by_role("button", name="Take out").click()
    expect(page.get_by_text("was taken out of a draft")).to_be_visible()
    looked_at("draft-features")

    operator = Release.objects.get(source="gpu-operator-platforms", state="published")
    cells = {c.key: c.value for c in operator.cells.all()} | {"platform/ubuntu/24.04/kubernetes": "1.30-1.37"}
    other = draft("1.6.0", cells | {"gpu/mi455x": "supported", "platform/talos-linux/1.11/kubernetes": "1.33-1.37"},
                  source=operator.source_id)  # fmt: skip
    opened.go(f"/matrices/releases/{other.pk}/")
    expect(page.get_by_text("3 cells").or_(page.get_by_text("2 cells added"))).to_be_visible()
    looked_at("draft-operator")

    opened.go(f"/workloads/{chat.pk}/?target=mi300x-single")
    page.locator('.evidence a[href*="#cell-"]').first.click()
    expect(page.locator("td:target")).to_be_in_viewport()
    looked_at("cell")
    assert opened.problems == []
