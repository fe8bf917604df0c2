"""Saved filters: private, a team's, or everyone's; each sees what is theirs, and what no longer works is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from portability.accounts.models import Membership, Person
from portability.audit.models import Entry
from portability.saved_filters import actions
from portability.saved_filters.models import SavedFilter
from tests.conftest import Cast
from tests.register.generate import generate

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
ALL = "/register/filters/"


def save(client: Client, name: str = "Pinned ones", query: str = "verdict=pinned", **more: Any) -> Any:
    said = {"name": name, "query": query, "shared": "private", **more}
    return client.post(reverse("saved_filters:new"), said)


def seen(client: Client) -> str:
    whole = client.get(ALL).content.decode()
    short = client.get(reverse("saved_filters:menu"), headers={"HX-Request": "true"}).content.decode()
    assert all(name in whole for name in ("Saved filters",))
    assert ("Pinned ones" in whole) == ("Pinned ones" in short)
    return whole


def test_what_the_register_shows_is_saved_under_a_name(cast: Cast, client_of: ClientOf) -> None:
    generate(8)
    client = client_of(cast.member)
    page = client.get("/register/?verdict=pinned&sort=-gpus&page=2").content.decode()
    assert "/register/filters/new/?verdict=pinned&amp;sort=-gpus" in page
    form = client.get(reverse("saved_filters:new"), {"verdict": "pinned", "sort": "-gpus"}).content.decode()
    assert "Verdict: pinned" in form
    answer = save(client, query="verdict=pinned&sort=-gpus&page=2")
    assert answer.headers["Location"] == "/register/?verdict=pinned&sort=-gpus"
    assert "Verdict: pinned" in seen(client)
    assert 'href="/register/?verdict=pinned&amp;sort=-gpus"' in seen(client)


@pytest.mark.parametrize("who", ["viewer", "teammate", "outsider", "architect", "administrator"])
def test_a_private_one_is_nobody_else_s(cast: Cast, client_of: ClientOf, who: str) -> None:
    generate(1)
    save(client_of(cast.member))
    pk = SavedFilter.objects.get().pk
    other = client_of(getattr(cast, who))
    assert "Pinned ones" not in seen(other)
    assert other.get(reverse("saved_filters:edit", args=[pk])).status_code == 404
    assert (
        other.post(reverse("saved_filters:edit", args=[pk]), {"name": "Mine", "shared": "everyone"}).status_code == 404
    )
    assert other.post(reverse("saved_filters:delete", args=[pk])).status_code == 404
    assert SavedFilter.objects.get().name == "Pinned ones"


def test_the_history_tells_what_is_shared_and_of_private_ones_only_that_they_are_there(
    cast: Cast, client_of: ClientOf
) -> None:
    generate(1)
    client = client_of(cast.member)
    save(client, query="verdict=pinned&sort=-gpus")
    url = reverse("saved_filters:edit", args=[SavedFilter.objects.get().pk])
    client.post(url, {"name": "Also mine", "shared": "private"})
    client.post(reverse("saved_filters:delete", args=[SavedFilter.objects.get().pk]))
    said = list(Entry.objects.filter(action__startswith="filter.").order_by("pk").values_list("subject", "details"))
    assert said == [
        ("a private filter", {"shared": "private"}),
        ("a private filter", {"shared": "private", "before": "a private filter"}),
        ("a private filter", {"owner": "member"}),
    ]
    save(client, query="verdict=pinned&sort=-gpus", shared="everyone")
    shared = Entry.objects.filter(action="filter.saved").latest("pk")
    assert (shared.subject, shared.details["filter"]) == ("Pinned ones", "verdict=pinned&sort=-gpus")


def test_one_shared_with_a_team_is_seen_by_its_members(cast: Cast, client_of: ClientOf) -> None:
    generate(1)
    save(client_of(cast.member), shared="team", team=cast.search.pk)
    assert "member’s, shared with Search" in seen(client_of(cast.teammate))
    assert "Pinned ones" not in seen(client_of(cast.outsider))
    assert "Pinned ones" not in seen(client_of(cast.architect))
    Membership.objects.create(person=cast.outsider, team=cast.search)
    assert "Pinned ones" in seen(client_of(cast.outsider))
    cast.search.active = False
    cast.search.save()
    assert "Pinned ones" not in seen(client_of(cast.teammate))
    assert "Pinned ones" in seen(client_of(cast.member))


@pytest.mark.parametrize("team", ["media", ""])
def test_it_is_shared_with_ones_own_teams_only(cast: Cast, client_of: ClientOf, team: str) -> None:
    generate(1)
    answer = save(client_of(cast.member), shared="team", team=getattr(cast, team).pk if team else "")
    assert answer.status_code == 422 and "Pinned ones" in answer.content.decode()
    assert not SavedFilter.objects.exists()
    viewer = save(client_of(cast.viewer), shared="team")  # belongs to no team
    assert viewer.status_code == 422


def test_everyone_s_is_seen_by_everyone_and_an_administrator_deletes_it(cast: Cast, client_of: ClientOf) -> None:
    generate(1)
    save(client_of(cast.member), shared="everyone")
    pk = SavedFilter.objects.get().pk
    assert "shared with everyone" in seen(client_of(cast.viewer))
    assert "Delete" not in seen(client_of(cast.viewer))
    assert client_of(cast.viewer).post(reverse("saved_filters:delete", args=[pk])).status_code == 404
    administrator = client_of(cast.administrator)
    assert "Delete" in seen(administrator)
    assert administrator.post(reverse("saved_filters:delete", args=[pk])).status_code == 302
    assert not SavedFilter.objects.exists()
    assert Entry.objects.get(action="filter.deleted").details["owner"] == "member"


def test_it_is_renamed_shared_and_deleted(cast: Cast, client_of: ClientOf) -> None:
    generate(1)
    client = client_of(cast.member)
    save(client)
    pk = SavedFilter.objects.get().pk
    url = reverse("saved_filters:edit", args=[pk])
    assert "Pinned ones" in client.get(url).content.decode()
    client.post(url, {"name": "Stuck", "shared": "everyone"})
    client.post(url, {"name": "Stuck", "shared": "everyone"})
    saved = SavedFilter.objects.get()
    assert (saved.name, saved.shared, saved.query) == ("Stuck", "everyone", "verdict=pinned")
    assert Entry.objects.filter(action="filter.changed").count() == 1
    client.post(reverse("saved_filters:delete", args=[pk]))
    assert not SavedFilter.objects.exists()


def test_a_name_is_used_once_by_one_person(cast: Cast, client_of: ClientOf) -> None:
    generate(1)
    client = client_of(cast.member)
    save(client)
    answer = save(client, query="verdict=movable")
    assert answer.status_code == 422 and "called Pinned ones already" in answer.content.decode()
    save(client_of(cast.viewer))
    save(client, "Others")
    url = reverse("saved_filters:edit", args=[SavedFilter.objects.get(name="Others").pk])
    answer = client.post(url, {"name": "Pinned ones", "shared": "private"})
    assert answer.status_code == 422 and "called Pinned ones already" in answer.content.decode()
    assert SavedFilter.objects.count() == 3


def test_one_whose_values_are_gone_says_so(cast: Cast, client_of: ClientOf) -> None:
    generate(8)
    client = client_of(cast.member)
    save(client, query="team=team-1&verdict=pinned")
    save(client, "Of a target", "target=mi300x-single")
    assert "No longer usable" not in seen(client)
    SavedFilter.objects.filter(name="Pinned ones").update(query="team=dissolved&verdict=pinned")
    SavedFilter.objects.filter(name="Of a target").update(query="target=gone")
    text = seen(client)
    assert "“dissolved” is nothing the filter “team” knows" in text
    assert "There is no target “gone”" in text
    assert text.count("No longer usable") == 2
    assert "“dissolved” is nothing" in client.get("/register/?team=dissolved&verdict=pinned").content.decode()


def test_what_cannot_be_used_is_not_saved(cast: Cast, client_of: ClientOf) -> None:
    generate(1)
    save(client_of(cast.member), query="team=nobody&verdict=pinned&foo=bar")
    assert SavedFilter.objects.get().query == "verdict=pinned"


def test_there_is_a_limit(cast: Cast, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch) -> None:
    generate(1)
    monkeypatch.setattr(actions, "MOST", 1)
    save(client_of(cast.member))
    answer = save(client_of(cast.member), "Another")
    assert answer.status_code == 422 and "1 of your filters are saved already" in answer.content.decode()


def test_their_number_costs_no_queries(cast: Cast, client_of: ClientOf) -> None:
    generate(4)
    client = client_of(cast.member)
    save(client, "f", shared="team", team=cast.search.pk)
    client.get(ALL)
    with CaptureQueriesContext(connection) as few:
        client.get(ALL)
    for n in range(20):
        save(client, f"f{n}", shared="team", team=cast.search.pk)
    client.get(ALL)
    with CaptureQueriesContext(connection) as many:
        client.get(ALL)
    assert len(many) <= len(few) + 1  # the settings are asked for again every few seconds
