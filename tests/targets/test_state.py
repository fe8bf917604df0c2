"""Default, deactivated, active again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.targets import actions
from portability.targets.models import Target
from portability.targets.queries import active_targets
from tests.conftest import Cast
from tests.targets.test_edit import SPEC

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]


@pytest.fixture
def lab(cast: Cast) -> Target:
    """One target."""
    return actions.create_target(cast.curator, SPEC)[0]


@pytest.fixture
def other(cast: Cast, lab: Target) -> Target:
    """Another one, the default."""
    target, _ = actions.create_target(cast.curator, SPEC | {"name": "a-other"})
    return actions.set_default(cast.curator, target.name)


def post(client: Client, what: str, name: str = "mi300x-lab") -> int:
    """Press a button of a target's page."""
    return client.post(reverse(f"targets:{what}", args=[name])).status_code


def test_there_is_one_default_at_a_time(cast: Cast, client_of: ClientOf, lab: Target, other: Target) -> None:
    assert active_targets() == [other, lab]
    assert post(client_of(cast.curator), "default") == 302
    assert active_targets() == [lab, other]
    assert list(Target.objects.filter(default=True)) == [lab]


def test_without_a_chosen_default_the_first_active_one_serves(cast: Cast, lab: Target) -> None:
    first, _ = actions.create_target(cast.curator, SPEC | {"name": "a-first"})
    assert active_targets() == [first, lab]


def test_a_deactivated_target_is_not_assessed_for_and_comes_back(
    cast: Cast, client_of: ClientOf, lab: Target, other: Target
) -> None:
    client = client_of(cast.curator)
    post(client, "deactivate")
    assert active_targets() == [other]
    post(client, "activate")
    assert active_targets() == [other, lab]
    assert list(Entry.objects.order_by("id").values_list("action", flat=True)[3:]) == [
        "target.deactivated",
        "target.activated",
    ]


def test_the_default_cannot_be_deactivated(cast: Cast, client_of: ClientOf, other: Target) -> None:
    response = client_of(cast.curator).post(reverse("targets:deactivate", args=[other.name]), follow=True)
    assert b"Make another target the default first." in response.content
    assert other in active_targets()


def test_an_inactive_target_cannot_become_the_default(
    cast: Cast, client_of: ClientOf, lab: Target, other: Target
) -> None:
    actions.deactivate(cast.curator, lab.name)
    post(client_of(cast.curator), "default")
    assert active_targets() == [other]


def test_pressing_twice_changes_nothing_more(cast: Cast, client_of: ClientOf, lab: Target, other: Target) -> None:
    client = client_of(cast.curator)
    for what in ("deactivate", "deactivate", "activate", "activate", "default", "default"):
        post(client, what)
    actions_done = list(Entry.objects.order_by("id").values_list("action", flat=True)[3:])
    assert actions_done == ["target.deactivated", "target.activated", "target.default"]


@pytest.mark.parametrize("what", ["default", "deactivate", "activate"])
def test_only_curators_and_only_by_a_button(
    cast: Cast, client_of: ClientOf, lab: Target, other: Target, what: str
) -> None:
    for person in (cast.viewer, cast.member, cast.architect, cast.administrator):
        assert post(client_of(person), what) == 403
    assert client_of(cast.curator).get(reverse(f"targets:{what}", args=[lab.name])).status_code == 405
    assert post(client_of(cast.curator), what, "nowhere") == 404
    assert active_targets() == [other, lab]
