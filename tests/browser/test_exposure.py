"""The first page in a browser: from the headline to the rows it counts, and a rehearsal recorded from a workload."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.test import override_settings
from playwright.sync_api import expect

from portability.register.models import Row
from portability.workloads.models import Workload
from tests.browser.conftest import Opener
from tests.conftest import Cast

pytestmark = pytest.mark.browser


@pytest.mark.django_db(transaction=True)
def test_the_headline_leads_to_the_rows_it_counts(cast: Cast, shipped: None, visit: Opener) -> None:
    with override_settings(SERVED=False):
        call_command("load_sample", verbosity=0)
    opened = visit(cast.viewer)
    opened.go("/")
    headline = opened.page.locator("h1 a").first
    said = re.match(r"(\d+) of", opened.page.locator("h1").inner_text())
    assert said
    assert opened.axe() == [] and opened.overflow() <= 0
    headline.click()
    expect(opened.page.locator("h1")).to_contain_text(f"{said[1]} of")
    opened.page.get_by_role("link", name="Portability register").click()
    expect(opened.page.locator("h1")).to_contain_text("would stop if NVIDIA supply slipped a quarter")
    opened.page.get_by_role("link", name="count what was decided").click()
    expect(opened.page.locator(".counts-what")).to_contain_text("what was decided")
    opened.page.get_by_role("link", name="If AMD supply slipped").click()
    expect(opened.page.locator("h1")).to_contain_text("would stop if AMD supply slipped a quarter")
    assert opened.problems == []


@pytest.mark.django_db(transaction=True)
def test_a_rehearsal_is_recorded_from_the_workload(cast: Cast, registered: Workload, visit: Opener) -> None:
    opened = visit(cast.member, width=390)
    opened.go(f"/workloads/{registered.pk}/?target=mi300x-single")
    opened.page.get_by_role("link", name="Record a rehearsal").click()
    expect(opened.page.locator("h1")).to_have_text("Record a rehearsal")
    opened.page.get_by_label("Day it ended").fill("2026-10-03")
    opened.page.get_by_label("What was observed").fill("It ran as it is.")
    opened.page.get_by_role("button", name="Record").click()
    expect(opened.page.get_by_role("alert")).to_contain_text("Traffic")
    assert opened.page.get_by_label("What was observed").input_value() == "It ran as it is."
    assert opened.axe() == [] and opened.overflow() <= 0
    opened.page.get_by_label("Traffic").fill("all of it")
    opened.page.get_by_label("It was left running there").check()
    opened.page.get_by_role("button", name="Record").click()
    expect(opened.page.locator("h1")).to_contain_text("3 October 2026: proven")
    assert Row.objects.get(workload=registered, target__name="mi300x-single").rehearsed == "kept"
    opened.go("/register/?target=mi300x-single&rehearsed=proven")
    expect(opened.page.locator("tbody tr")).to_contain_text("proven: kept there since 3 October 2026")
    assert opened.axe() == [] and opened.overflow() <= 0
    assert opened.problems == []
