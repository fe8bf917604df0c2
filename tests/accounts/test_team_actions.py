"""Keeping teams."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from portability.accounts import actions, team_actions
from portability.accounts.access import is_member, may_edit
from portability.accounts.actions import Refused, Roles
from portability.accounts.models import Person, Team
from portability.audit.models import Entry
from portability.workloads.models import Workload
from tests.conftest import Cast

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]


@pytest.mark.parametrize("name", ["日本", "ﬃ" * 80, "Ὀδυσσεύς"])
def test_names_in_any_script(cast: Cast, name: str) -> None:
    team = team_actions.create_team(cast.administrator, name)
    team.refresh_from_db()
    assert team.name == name and 0 < len(team.slug) <= 80


def test_a_team_is_made_renamed_and_recorded(cast: Cast) -> None:
    team = team_actions.create_team(cast.administrator, "Risk & Fraud")
    assert team.slug == "risk-fraud"
    team_actions.rename_team(cast.administrator, team, "Risk")
    assert Team.objects.get(pk=team.pk).name == "Risk"
    assert [e.action for e in Entry.objects.order_by("id")] == ["team.created", "team.renamed"]


def test_nobody_but_administrators_keeps_teams(cast: Cast) -> None:
    for who in (cast.member, cast.architect, cast.curator):
        with pytest.raises(PermissionDenied):
            team_actions.create_team(who, "Risk")
        with pytest.raises(PermissionDenied):
            team_actions.rename_team(who, cast.search, "Risk")
        with pytest.raises(PermissionDenied):
            team_actions.set_team_active(who, cast.search, False)
        with pytest.raises(PermissionDenied):
            team_actions.delete_team(who, cast.search)


@pytest.mark.parametrize("name", ["Search", "search", "---"])
def test_a_name_must_be_new_and_a_name(cast: Cast, name: str) -> None:
    with pytest.raises(Refused):
        team_actions.create_team(cast.administrator, name)


def test_members_of_a_deactivated_team_edit_nothing(cast: Cast) -> None:
    assert may_edit(cast.member, cast.search)
    team_actions.set_team_active(cast.administrator, cast.search, False)
    assert not may_edit(cast.member, cast.search)
    assert not is_member(cast.member)
    team_actions.set_team_active(cast.administrator, cast.search, True)
    assert may_edit(cast.member, cast.search)


def test_only_a_team_that_nothing_ever_belonged_to_is_deleted(cast: Cast) -> None:
    unused = team_actions.create_team(cast.administrator, "Unused")
    joined = team_actions.create_team(cast.administrator, "Joined once")
    owning = team_actions.create_team(cast.administrator, "Owning")
    Workload.objects.create(team=owning, name="kept")
    actions.change_person(cast.administrator, cast.viewer, Roles(), [joined])
    actions.change_person(cast.administrator, cast.viewer, Roles(), [])
    for team in (joined, owning, cast.search):
        with pytest.raises(Refused, match="Deactivate it instead"):
            team_actions.delete_team(cast.administrator, team)
    team_actions.delete_team(cast.administrator, unused)
    assert set(Team.objects.values_list("name", flat=True)) == {"Joined once", "Owning", "Search", "Media"}


def test_the_pages_do_the_same(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.administrator)
    assert client.post(reverse("accounts:teams"), {"name": "Risk"}).status_code == 302
    again = client.post(reverse("accounts:teams"), {"name": "Risk"})
    assert again.status_code == 422
    assert "already a team called Risk" in again.content.decode()
    team = Team.objects.get(name="Risk")
    page = reverse("accounts:team", args=[team.pk])
    assert "Delete Risk" in client.get(page).content.decode()
    assert client.post(page, {"name": "Search"}).status_code == 422
    assert client.post(page, {"name": "Risk desk"}).status_code == 302
    client.post(reverse("accounts:deactivate-team", args=[team.pk]))
    assert "Reactivate Risk desk" in client.get(page).content.decode()
    client.post(reverse("accounts:reactivate-team", args=[team.pk]))
    assert client.post(reverse("accounts:delete-team", args=[cast.search.pk])).status_code == 302
    assert Team.objects.filter(pk=cast.search.pk).exists()
    client.post(reverse("accounts:delete-team", args=[team.pk]))
    assert not Team.objects.filter(pk=team.pk).exists()
