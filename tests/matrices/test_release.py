"""A release as a page: its grids, its day, its state."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import date
from urllib.parse import unquote

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from portability.accounts.models import Person
from portability.matrices.models import Release
from portability.matrices.names import anchor
from portability.targets.models import Target
from tests.conftest import Cast
from tests.register.registering import register_workload

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("shipped")]
ClientOf = Callable[[Person | None], Client]


def address(source: str, version: str = "") -> str:
    """The page of a shipped reading."""
    return reverse("matrices:release", args=[Release.objects.get(source=source, version=version).pk])


def test_the_matrix_is_a_picture_with_its_day_and_link(cast: Cast, client_of: ClientOf) -> None:
    text = client_of(cast.viewer).get(address("rocm-compatibility-matrix", "7.14.0")).content.decode()
    for words in ("Operating systems by part", "MI350P", "Ubuntu 22.04.5", "5.15", "not listed for MI350P"):
        assert words in text
    assert "read 7 August 2026" in text
    assert "https://rocm.docs.amd.com/" in text
    assert 'class="scroll" tabindex="0" role="region"' in text


def test_other_versions_are_one_step_away(cast: Cast, client_of: ClientOf) -> None:
    text = client_of(cast.viewer).get(address("rocm-compatibility-matrix", "7.14.0")).content.decode()
    assert address("rocm-compatibility-matrix", "10.0.0") in text
    assert address("rocm-compatibility-matrix", "7.12.0") in text


def test_every_shipped_reading_has_a_page_for_everyone(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    for release in Release.objects.all():
        response = client.get(reverse("matrices:release", args=[release.pk]))
        assert response.status_code == 200
        assert response.context["grids"], release


def test_a_page_that_moved_and_a_superseded_reading_say_so(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    assert "This page moved" in client.get(address("user-kernel-space-matrix")).content.decode()
    old = Release.objects.create(
        source_id="vllm-features", version="", state="superseded", read=date(2026, 5, 1), digest="old"
    )
    text = client.get(reverse("matrices:release", args=[old.pk])).content.decode()
    assert "Superseded" in text


def test_an_unknown_reading_is_not_found(cast: Cast, client_of: ClientOf) -> None:
    assert client_of(cast.viewer).get(reverse("matrices:release", args=[999999])).status_code == 404


def test_it_takes_few_queries(
    cast: Cast, client_of: ClientOf, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client, page = client_of(cast.viewer), address("rocm-compatibility-matrix", "7.14.0")
    client.get(page)
    with django_assert_max_num_queries(10):
        client.get(page)


def test_every_cell_has_one_place_that_an_address_can_name(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    for release in Release.objects.all():
        text = client.get(reverse("matrices:release", args=[release.pk])).content.decode()
        named = re.findall(r' id="(cell-[^"]*)"', text)
        assert len(set(named)) == len(named), release
        assert not [name for name in named if " " in name], release
        missing = {html.escape(anchor(key)) for key in release.cells.values_list("key", flat=True)} - set(named)
        assert not missing, (release, sorted(missing)[:5])


def test_evidence_of_findings_leads_to_its_cell(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    workload = register_workload(cast.search, "chat")
    links: set[str] = set()
    for target in Target.objects.filter(active=True):
        page = reverse("workloads:workload", args=[workload.pk]) + f"?target={target.name}"
        links |= set(re.findall(r'<a href="(/matrices/releases/[^"]+)">as read', client.get(page).content.decode()))
    places = {link: link.partition("#") for link in links}
    assert sum(bool(fragment) for _, _, fragment in places.values()) > 10
    texts = {page: client.get(page).content.decode() for page, _, _ in places.values()}
    for page, _, fragment in places.values():
        held = {
            anchor(key) for key in Release.objects.get(pk=int(page.split("/")[3])).cells.values_list("key", flat=True)
        }
        if unquote(fragment) in held:  # what is not listed may have no place
            assert f' id="{html.escape(unquote(fragment))}"' in texts[page]
