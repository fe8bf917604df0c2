"""Describing a new target."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.targets.models import Target
from tests.conftest import Cast
from tests.targets.test_edit import FIELDS

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]


def test_a_curator_adds_a_target(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.curator)
    assert client.get(reverse("targets:new")).status_code == 200
    response = client.post(reverse("targets:new"), FIELDS | {"name": "mi300x-lab"})
    assert response["Location"] == reverse("targets:target", args=["mi300x-lab"])
    added = Target.objects.get()
    assert (added.vendor, added.active, added.default, added.version) == ("amd", True, False, 1)
    assert Entry.objects.get().action == "target.created"


def test_least_of_all_a_name_a_vendor_and_a_part_are_needed(cast: Cast, client_of: ClientOf) -> None:
    fields = {"name": "bare", "vendor": "nvidia", "part": "H100", "resource_naming": "single", "allocation": "dra"}
    assert client_of(cast.curator).post(reverse("targets:new"), fields).status_code == 302
    assert Target.objects.get().spec["part"] == "h100"


@pytest.mark.parametrize("name", ["", "two words", "new", "x" * 61])
def test_a_name_that_cannot_be_an_address_is_refused(cast: Cast, client_of: ClientOf, name: str) -> None:
    page = client_of(cast.curator).post(reverse("targets:new"), FIELDS | {"name": name})
    assert (page.status_code, list(page.context["form"].errors)) == (422, ["name"])
    assert not Target.objects.exists()


def test_a_name_that_is_taken_is_said(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.curator)
    client.post(reverse("targets:new"), FIELDS | {"name": "mi300x-lab"})
    page = client.post(reverse("targets:new"), FIELDS | {"name": "mi300x-lab", "part": "mi210"})
    assert page.status_code == 422
    assert b"already a target named mi300x-lab" in page.content
    assert Target.objects.get().spec["part"] == "mi300x"


def test_only_curators_add(cast: Cast, client_of: ClientOf) -> None:
    for person in (cast.viewer, cast.member, cast.architect, cast.administrator):
        response = client_of(person).post(reverse("targets:new"), FIELDS | {"name": "mi300x-lab"})
        assert response.status_code == 403
    assert not Target.objects.exists()
