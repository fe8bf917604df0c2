"""Every page, wide and narrow, light and dark: accessible, without errors, and nothing runs off the side."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.models import Count
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.matrices.models import Release
from portability.workloads.models import Workload
from tests.addresses import Address, custom_rule, filled, walk
from tests.browser.conftest import Opener, Visit
from tests.conftest import Cast

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("PORTABILITY_SHOTS")  # a folder: pictures of every page are left there, to be looked at
NOT_PAGES = frozenset({"register:csv", "health:live", "health:ready", "accounts:logout"})
WINDOWS = [(width, scheme) for width in (1280, 390) for scheme in ("light", "dark")]


def pages(person: Person) -> Iterator[tuple[str, str]]:
    """Name and path of every page that answers a GET, as the walk of addresses finds them, and of error pages."""
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    for address in walk():
        if address.name not in NOT_PAGES and is_page(address, client):
            yield address.name, filled(address)
    for release in Release.objects.annotate(size=Count("cells")).order_by("-size")[:1]:
        yield f"matrices:{release.source_id}", reverse("matrices:release", args=[release.pk])
    yield "rules:custom", reverse("rules:rule", args=[custom_rule().label])
    yield "error:404", "/there-is-nothing-here/"
    yield "register:no-match", reverse("register:register") + "?q=nothing-is-called-like-this"


def is_page(address: Address, client: Client) -> bool:
    """Whether the address answers a GET with a page of its own."""
    answer = client.get(filled(address))
    return answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html")


def judged(opened: Visit, name: str, path: str, width: int, scheme: str) -> list[str]:
    """What is wrong with one page in one window."""
    opened.go(path)
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        file = f"{name.replace(':', '-')}-{width}-{scheme}.png"
        opened.page.screenshot(path=str(Path(SHOTS) / file), full_page=True)
    wrong = opened.axe()
    if (over := opened.overflow()) > 0:
        wrong.append(f"{over} pixels wider than the window")
    wrong += opened.problems
    opened.problems.clear()
    return [f"{name} {width} {scheme}: {what}" for what in wrong]


@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
@pytest.mark.django_db(transaction=True)
def test_every_page_of_someone_with_all_roles(
    width: int, scheme: str, cast: Cast, registered: Workload, visit: Opener
) -> None:
    everyone = cast.member
    everyone.architect = everyone.curator = everyone.administrator = True
    everyone.save()
    record(everyone, "workload.saved", "chat-assistant", revision=1)
    found = list(pages(everyone))
    assert len(found) >= 12, "the walk finds the pages"
    opened = visit(everyone, width=width, scheme=scheme)
    wrong = [w for name, path in found for w in judged(opened, name, path, width, scheme)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
@pytest.mark.django_db(transaction=True)
def test_the_pages_of_the_signed_out_and_of_those_who_may_not(
    width: int, scheme: str, cast: Cast, visit: Opener
) -> None:
    opened = visit(None, width=width, scheme=scheme)
    wrong = judged(opened, "accounts:login", reverse("accounts:login"), width, scheme)
    opened = visit(cast.viewer, width=width, scheme=scheme)
    wrong += judged(opened, "error:403", reverse("audit:entries"), width, scheme)
    cast.member.must_change_password = True
    cast.member.save()
    opened = visit(cast.member, width=width, scheme=scheme)
    wrong += judged(opened, "accounts:must-change", reverse("accounts:people"), width, scheme)
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_every_workload_of_the_sample_on_a_phone(cast: Cast, shipped: None, visit: Opener) -> None:
    call_command("load_sample", verbosity=0)
    opened = visit(cast.architect, width=390, scheme="dark")
    workloads = list(Workload.objects.values_list("name", "pk"))
    assert len(workloads) >= 14
    found = [(f"sample:{name}", reverse("workloads:workload", args=[pk])) for name, pk in workloads]
    found += [("sample:exposure", reverse("exposure:exposure")), ("sample:decided", "/?counts=decided")]
    found += [("sample:register", reverse("register:register")), ("sample:targets", reverse("targets:targets"))]
    wrong = [w for name, path in found for w in judged(opened, name, path, 390, "dark")]
    assert not wrong, "\n".join(wrong)


@pytest.mark.django_db(transaction=True)
def test_a_mistake_in_a_form_is_marked_and_read_out(cast: Cast, visit: Opener) -> None:
    opened = visit(cast.administrator)
    opened.go(reverse("accounts:teams"))
    opened.page.get_by_label("Name of the team").fill("Search")
    opened.page.get_by_role("button", name="Add").click()
    field = opened.page.get_by_label("Name of the team")
    expect(field).to_have_attribute("aria-invalid", "true")
    described = field.get_attribute("aria-describedby") or ""
    assert "already a team called Search" in (opened.page.locator(f"#{described}").text_content() or "")
    assert opened.axe() == []


@pytest.mark.django_db(transaction=True)
def test_the_keyboard_reaches_the_content_first(cast: Cast, visit: Opener) -> None:
    opened = visit(cast.viewer)
    opened.go(reverse("targets:targets"))
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.className") == "skip"
    opened.page.keyboard.press("Enter")
    assert opened.page.evaluate("document.activeElement.id") == "main"
