"""Giving application material, as people do it: pasted, chosen and dropped, with JavaScript and without."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import FilePayload, Page, expect

from portability.workloads.actions import Entry, save_workload
from portability.workloads.contents import content
from portability.workloads.models import Revision
from tests.browser.conftest import Opener
from tests.conftest import Cast
from tests.workloads.texts import SERVING

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CODE = "import torch\n\nif torch.version.cuda:\n    fast()\n"
REQUIREMENTS = "torch==2.11.0\ntensorrt==10.9\n"
NOTEBOOK = json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "outputs": [], "source": ["!nvidia-smi"]}]})


def payload(name: str, text: str) -> FilePayload:
    """A file to choose."""
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def paste(page: Page, text: str, name: str = "") -> None:
    """Into the text of the application material that is still empty: the last one."""
    sheet = page.locator("#material .sheet").last
    sheet.get_by_label("File", exact=True).fill(name)
    sheet.locator("textarea").fill(text)


def stored() -> dict[str, str]:
    """What the newest revision holds."""
    return {f.name: f.text for f in Revision.objects.order_by("-pk")[0].material.all()}


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without-javascript"])
def test_pasted_chosen_and_revised(javascript: bool, cast: Cast, shipped: None, visit: Opener) -> None:
    opened = visit(cast.member, javascript=javascript)
    page = opened.page
    opened.go("/workloads/new/")
    page.get_by_label("Name", exact=False).first.fill("chat")
    page.locator("textarea[name=file_text]").first.fill(SERVING)
    paste(page, CODE, "serve.py")
    page.locator("#source-uploads").set_input_files([payload("requirements.txt", REQUIREMENTS)])
    page.get_by_role("button", name="Check").click()
    finding = page.locator("#preview .finding").filter(has_text="APP001")
    expect(finding).to_contain_text("serve.py:3")
    expect(page.locator("#preview")).to_contain_text("requirements.txt:2")
    assert not Revision.objects.exists(), "nothing is saved before Save"
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("chat")
    assert stored() == {"serve.py": CODE, "requirements.txt": REQUIREMENTS}
    page.locator(".finding").filter(has_text="APP001").get_by_role("link", name="serve.py:3").click()
    expect(page.locator("#L3")).to_contain_text("if torch.version.cuda:")
    page.go_back()
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Text of requirements.txt").fill("")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("saved as a new revision")
    assert stored() == {"serve.py": CODE}
    assert opened.problems == []


def test_what_is_chosen_among_manifests_goes_to_its_place(cast: Cast, shipped: None, visit: Opener) -> None:
    opened = visit(cast.member)
    page = opened.page
    opened.go("/workloads/new/")
    files = [payload("serving.yaml", SERVING), payload("serve.py", CODE), payload("train.ipynb", NOTEBOOK)]
    page.locator("#uploads").set_input_files(files)
    expect(page.locator("#sheets input[name=file_name]")).to_have_value("serving.yaml")
    names = page.locator("#material input[name=source_name]")
    expect(names).to_have_count(3)
    assert [name.input_value() for name in names.all()] == ["serve.py", "train.ipynb.py", ""]
    link = page.locator("#preview .finding a.where", has_text="serve.py:3")
    link.click()
    chosen = (
        "document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)"
    )
    assert page.evaluate(chosen) == "if torch.version.cuda:"
    assert opened.problems == []


def test_a_text_that_was_made_taller_is_replaced_without_complaint(cast: Cast, shipped: None, visit: Opener) -> None:
    """Its height is a style, which the page may not copy: styles within the page are forbidden."""
    opened = visit(cast.member)
    page = opened.page
    opened.go("/workloads/new/")
    page.locator("#source-uploads").set_input_files([payload("requirements.txt", REQUIREMENTS), payload("a.py", CODE)])
    expect(page.locator("#material .sheet")).to_have_count(3)
    page.evaluate("document.querySelectorAll('#material textarea').forEach((text) => { text.style.height = '20rem'; })")
    page.locator("#source-uploads").set_input_files([payload("train.ipynb", NOTEBOOK)])
    page.get_by_role("button", name="Check").click()
    names = page.locator("#material input[name=source_name]")
    expect(names.nth(2)).to_have_value("train.ipynb.py")
    assert opened.problems == []


def test_there_is_always_room_for_the_next_text(cast: Cast, shipped: None, visit: Opener) -> None:
    opened = visit(cast.member)
    opened.go("/workloads/new/")
    for number, name in enumerate(("a.py", "b.py"), start=1):
        paste(opened.page, "import pynvml\n", name)
        expect(opened.page.locator("#material .sheet")).to_have_count(number + 1)
    expect(opened.page.locator("#preview .finding a.where")).to_have_text(["a.py:1", "b.py:1"])
    assert opened.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_accessible_and_no_wider_than_the_window(
    width: int, scheme: str, cast: Cast, shipped: None, visit: Opener
) -> None:
    files = {"serve.py": CODE + "x" * 300 + "\n", "requirements.txt": REQUIREMENTS}
    entry = Entry(content([("serving.yaml", SERVING)], {"source_files": files}))
    workload = save_workload(cast.member, entry, team=cast.search, name="chat").workload
    opened = visit(cast.member, width=width, scheme=scheme)
    for path in ("new/", f"{workload.pk}/", f"{workload.pk}/edit/", f"{workload.pk}/history/"):
        opened.go(f"/workloads/{path}")
        assert opened.axe() == [], path
        assert opened.overflow() <= 0, path
    opened.go(f"/workloads/{workload.pk}/revisions/1/material/1/")
    assert opened.axe() == []
    assert opened.overflow() <= 0
    assert opened.problems == []
