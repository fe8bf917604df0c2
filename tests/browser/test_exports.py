"""Taking the register away in a browser: by a saved filter, in the background, under columns of one's own."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from portability.exports import jobs
from portability.exports.models import ColumnMapping, Export
from portability.saved_filters.models import SavedFilter
from portability.workloads.models import Workload
from tests.browser.conftest import Opener, Visit
from tests.conftest import Cast
from tests.register.generate import generate

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("PORTABILITY_SHOTS")  # a folder: pictures are left there, to be looked at


def looked_at(opened: Visit, name: str) -> None:
    """The page is accessible and nothing runs off its side, wide and narrow."""
    for width in (1280, 390):
        opened.page.set_viewport_size({"width": width, "height": 900})
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            opened.page.screenshot(path=str(Path(SHOTS) / f"{name}-{width}.png"), full_page=True)
        assert opened.axe() == [], f"{name} {width}"
        assert opened.overflow() <= 0, f"{name} {width}"
    opened.page.set_viewport_size({"width": 1280, "height": 900})
    assert opened.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.django_db(transaction=True)
def test_a_file_is_prepared_and_downloaded(cast: Cast, visit: Opener, scheme: str) -> None:
    generate(60)
    opened = visit(cast.member, scheme=scheme)
    page = opened.page
    opened.go("/register/?verdict=pinned")
    page.get_by_role("link", name="More formats").click()
    expect(page.get_by_role("heading", name="Take 15 workloads for mi300x-single away")).to_be_visible()
    expect(page.get_by_text("Verdict: pinned")).to_be_visible()
    page.get_by_label("Format").select_option("csv")
    expect(page.get_by_role("link", name="Download CSV")).to_be_visible()
    page.get_by_label("Columns").select_option("risk-register")
    expect(page.get_by_role("columnheader", name="Risk owner")).to_be_visible()
    looked_at(opened, f"export-new-{scheme}")
    page.get_by_role("button", name="Prepare it in the background").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    looked_at(opened, f"export-waiting-{scheme}")
    jobs.make(Export.objects.get().pk)
    expect(page.get_by_text("is ready: 15 rows")).to_be_visible()  # the page asks by itself
    looked_at(opened, f"export-done-{scheme}")
    with page.expect_download() as started:
        page.get_by_role("link", name="Download").click()
    text = Path(started.value.path()).read_text(encoding="utf-8-sig")
    assert started.value.suggested_filename.endswith("-risk-register.csv")
    assert len(list(csv.reader(io.StringIO(text, newline="")))) == 16
    page.get_by_role("link", name="Your exports").click()
    expect(page.get_by_role("heading", name="Your exports")).to_be_visible()
    looked_at(opened, f"exports-{scheme}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.django_db(transaction=True)
def test_a_mapping_is_copied_its_columns_moved_previewed_and_saved(cast: Cast, visit: Opener, scheme: str) -> None:
    generate(6)
    opened = visit(cast.architect, scheme=scheme)
    page = opened.page
    opened.go(reverse("exports:mapping", args=["short-list"]))
    looked_at(opened, f"mapping-{scheme}")
    page.get_by_role("link", name="Copy").click()
    expect(page.get_by_role("heading", name="Add a mapping")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("For the board")
    second = page.get_by_role("group", name="Column 2", exact=True)
    second.get_by_role("button", name="Move up").click()
    expect(page.get_by_text("Team is number 1 now.")).to_be_attached()
    looked_at(opened, f"mapping-edit-{scheme}")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("region", name="The first rows")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("For the board is saved.")).to_be_visible()
    assert [c["heading"] for c in ColumnMapping.objects.get().columns][:3] == ["Team", "Workload", "Criticality"]
    page.get_by_role("link", name="Column mappings").click()
    expect(page.get_by_role("heading", name="Column mappings")).to_be_visible()
    looked_at(opened, f"mappings-{scheme}")


@pytest.mark.django_db(transaction=True)
def test_a_mapping_is_edited_without_script(cast: Cast, visit: Opener) -> None:
    generate(2)
    opened = visit(cast.architect, javascript=False)
    page = opened.page
    opened.go(reverse("exports:new_mapping"))
    page.get_by_label("Name", exact=True).fill("Plain")
    for number, (order, heading, source) in enumerate([("2", "Who", "owner"), ("1", "What", "workload")], start=1):
        row = page.get_by_role("group", name=f"Column {number}", exact=True)
        row.get_by_label("Order").fill(order)
        row.get_by_label("Heading").fill(heading)
        row.get_by_label("Column of the register").select_option(source)
    page.get_by_role("button", name="More columns").click()
    expect(page.get_by_role("group", name="Column 8", exact=True)).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Plain is saved.")).to_be_visible()
    assert [c["heading"] for c in ColumnMapping.objects.get().columns] == ["What", "Who"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.django_db(transaction=True)
def test_a_filter_is_saved_and_found_again_on_the_register(cast: Cast, visit: Opener, scheme: str) -> None:
    generate(8)
    opened = visit(cast.member, scheme=scheme)
    page = opened.page
    opened.go("/register/")
    page.locator("#count-pinned").click()
    expect(page.get_by_role("link", name="clear filters")).to_be_visible()
    page.get_by_text("Saved filters", exact=True).click()
    page.get_by_role("link", name="Save what is shown").click()
    expect(page.get_by_role("heading", name="Save a filter")).to_be_visible()
    page.get_by_label("Name").fill("No way out")
    looked_at(opened, f"saved-filter-new-{scheme}")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("No way out is saved.")).to_be_visible()
    assert SavedFilter.objects.get().query == "verdict=pinned"
    opened.go("/register/")
    page.get_by_text("Saved filters", exact=True).click()
    expect(page.get_by_role("link", name="No way out")).to_be_visible()
    looked_at(opened, f"saved-filters-menu-{scheme}")
    page.get_by_role("link", name="All saved filters").click()
    expect(page.get_by_role("heading", name="Saved filters")).to_be_visible()
    looked_at(opened, f"saved-filters-{scheme}")
    page.get_by_role("link", name="No way out", exact=True).click()
    expect(page.get_by_role("heading", name="2 of 8 workloads")).to_be_visible()
    assert Workload.objects.count() == 8


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.django_db(transaction=True)
def test_the_history_is_filtered_and_taken_away(cast: Cast, registered: Workload, visit: Opener, scheme: str) -> None:
    opened = visit(cast.architect, scheme=scheme)
    page = opened.page
    opened.go("/history/")
    page.get_by_label("About").select_option("matrix")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_role("link", name="Show everything")).to_be_visible()
    looked_at(opened, f"history-{scheme}")
    with page.expect_download() as started:
        page.get_by_role("link", name="CSV").click()
    text = Path(started.value.path()).read_text(encoding="utf-8-sig")
    assert {row["action"] for row in csv.DictReader(io.StringIO(text, newline=""))} == {"matrix.published"}
    opened.go(reverse("workloads:history", args=[registered.pk]))
    expect(page.get_by_role("heading", name="What was done")).to_be_visible()
    looked_at(opened, f"workload-history-{scheme}")
