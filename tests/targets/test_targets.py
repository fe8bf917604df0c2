"""The list of targets."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from portability.accounts.models import Person
from portability.engine.targets import shipped_targets
from portability.targets.models import Target
from tests.conftest import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]


def test_without_targets_it_says_what_to_do(cast: Cast, client_of: ClientOf) -> None:
    text = client_of(cast.curator).get(reverse("targets:targets")).content.decode()
    assert "No target yet" in text
    assert reverse("targets:new") in text


@pytest.mark.usefixtures("shipped")
def test_every_target_stands_with_its_default_and_state(cast: Cast, client_of: ClientOf) -> None:
    Target.objects.filter(name="h100").update(active=False)
    response = client_of(cast.viewer).get(reverse("targets:targets"))
    names = [line.target.name for line in response.context["lines"]]
    assert set(names) == set(shipped_targets())
    assert (names[0], names[-1]) == ("mi300x-single", "h100")
    text = response.content.decode()
    assert "not active" in text
    assert "Add a target" not in text


@pytest.mark.usefixtures("shipped")
def test_it_counts_what_is_found_about_each(cast: Cast, client_of: ClientOf) -> None:
    lines = client_of(cast.viewer).get(reverse("targets:targets")).context["lines"]
    found = {line.target.name: {effect.value: n for effect, n in line.known.effects} for line in lines}
    assert found["mi350p-jammy"].get("change", 0) >= 1
    assert not found["mi300x-single"].get("change")
    assert found["h100"] == {}


@pytest.mark.usefixtures("shipped")
def test_more_targets_take_no_more_queries(
    cast: Cast, client_of: ClientOf, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = client_of(cast.viewer)
    client.get(reverse("targets:targets"))
    spec = Target.objects.get(name="mi300x-single").spec
    for number in range(20):
        name = f"more-{number}"
        Target.objects.create(name=name, vendor="amd", spec=spec | {"name": name})
    with django_assert_max_num_queries(7):
        client.get(reverse("targets:targets"))
