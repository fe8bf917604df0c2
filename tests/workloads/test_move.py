"""Giving a workload to another team: `/workloads/<pk>/move/`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client

from portability.accounts.models import Membership, Person
from portability.audit.models import Entry
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.workloads.texts import SERVING

ClientOf = Callable[[Person | None], Client]


def url(workload: Workload) -> str:
    return f"/workloads/{workload.pk}/move/"


def test_a_member_of_both_teams_may(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    Membership.objects.create(person=cast.member, team=cast.media)
    client_of(cast.member).post(url(saved), {"team": cast.media.pk})
    saved.refresh_from_db()
    assert saved.team == cast.media
    entry = Entry.objects.get(action="workload.moved")
    assert (entry.who, entry.details) == (cast.member, {"before": "Search", "after": "Media"})


def test_an_administrator_may(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    client_of(cast.administrator).post(url(saved), {"team": cast.media.pk})
    saved.refresh_from_db()
    assert saved.team == cast.media
    assert client_of(cast.teammate).get(f"/workloads/{saved.pk}/edit/").status_code == 403
    assert client_of(cast.outsider).get(f"/workloads/{saved.pk}/edit/").status_code == 200


def test_a_member_of_one_team_may_not(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    for person in (cast.teammate, cast.outsider, cast.viewer, cast.architect):
        assert client_of(person).post(url(saved), {"team": cast.media.pk}).status_code == 403
    saved.refresh_from_db()
    assert saved.team == cast.search


def test_a_team_that_is_not_there_or_not_active(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    cast.media.active = False
    cast.media.save()
    for team in (cast.media.pk, 999_999, "x", ""):
        answer = client_of(cast.administrator).post(url(saved), {"team": team}, follow=True)
        assert "Choose a team that is active" in answer.content.decode()


def test_a_name_that_the_other_team_has(cast: Cast, saved: Workload, register_as: Any, client_of: ClientOf) -> None:
    register_as(cast.outsider, cast.media, "chat", ("a.yaml", SERVING))
    answer = client_of(cast.administrator).post(url(saved), {"team": cast.media.pk}, follow=True)
    assert "Media already has a workload named chat" in answer.content.decode()
    saved.refresh_from_db()
    assert saved.team == cast.search


def test_wrong_method_and_bad_id(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    assert client_of(cast.member).get(url(saved)).status_code == 405
    assert client_of(cast.administrator).post("/workloads/999999/move/", {"team": 1}).status_code == 404
