"""Keeping people: who may, what is recorded, and what is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from portability.accounts import actions
from portability.accounts.actions import Refused, Roles
from portability.accounts.models import Person
from portability.audit.models import Entry
from tests.conftest import PASSWORD, Cast

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]


def test_a_new_person_has_roles_teams_and_a_password_told_once(cast: Cast) -> None:
    person, told = actions.create_person(cast.administrator, "ada", Roles(curator=True), [cast.media])
    assert person.check_password(told)
    assert person.must_change_password
    assert (person.architect, person.curator, person.administrator) == (False, True, False)
    assert [team.name for team in person.teams.all()] == ["Media"]
    acts = list(Entry.objects.order_by("id").values_list("who_name", "action", "subject"))
    assert acts == [("administrator", "person.created", "ada"), ("administrator", "team.joined", "Media")]
    assert not any(told in str(entry.details) for entry in Entry.objects.all())


def test_one_time_passwords_differ(cast: Cast) -> None:
    assert len({actions.one_time_password() for _ in range(50)}) == 50


def test_the_product_itself_may_create_the_first_administrator(db: None) -> None:
    person, _ = actions.create_person(None, "first", Roles(administrator=True), password=PASSWORD)
    assert not person.must_change_password
    assert Entry.objects.get(action="person.created").who_name == "system"


def test_nobody_but_administrators_keeps_people(cast: Cast) -> None:
    for who in (cast.viewer, cast.member, cast.architect, cast.curator):
        with pytest.raises(PermissionDenied):
            actions.create_person(who, "ada")
        with pytest.raises(PermissionDenied):
            actions.change_person(who, who, Roles(administrator=True), [])
        with pytest.raises(PermissionDenied):
            actions.reset_password(who, cast.administrator)
        with pytest.raises(PermissionDenied):
            actions.deactivate_person(who, cast.administrator)
        with pytest.raises(PermissionDenied):
            actions.reactivate_person(who, cast.viewer)
    assert not Entry.objects.exists()


def test_names_differ_in_more_than_capitals(cast: Cast) -> None:
    with pytest.raises(Refused, match="other capital letters"):
        actions.create_person(cast.administrator, "MEMBER")


def test_a_name_is_given_once(cast: Cast) -> None:
    with pytest.raises(Refused, match="already a person called member"):
        actions.create_person(cast.administrator, "member")


def test_the_last_administrator_stays(cast: Cast) -> None:
    with pytest.raises(Refused, match="last active administrator"):
        actions.change_person(cast.administrator, cast.administrator, Roles(), [])
    with pytest.raises(Refused, match="last active administrator"):
        actions.deactivate_person(cast.administrator, cast.administrator)
    second, _ = actions.create_person(cast.administrator, "second", Roles(administrator=True))
    actions.deactivate_person(second, cast.administrator)
    with pytest.raises(Refused):
        actions.deactivate_person(second, second)
    assert Person.objects.get(pk=second.pk).is_active


def test_changes_of_teams_are_recorded_one_by_one_and_only_if_there_are_any(cast: Cast) -> None:
    actions.change_person(cast.administrator, cast.member, Roles(), [cast.media])
    acts = sorted(Entry.objects.values_list("action", "subject"))
    assert acts == [("team.joined", "Media"), ("team.left", "Search")]
    actions.change_person(cast.administrator, cast.member, Roles(), [cast.media])
    assert Entry.objects.count() == 2


def test_creating_by_the_page_shows_the_password_once(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.administrator)
    data = {"username": "ada", "email": "", "architect": "on", "teams": [cast.search.pk]}
    answer = client.post(reverse("accounts:new-person"), data)
    person = Person.objects.get(username="ada")
    assert person.architect
    assert answer["Location"] == reverse("accounts:person", args=[person.pk])
    first, second = (client.get(answer["Location"]).content.decode() for _ in range(2))
    told = first.split('class="secret">')[1].split("<")[0]
    assert person.check_password(told)
    assert told not in second


def test_the_same_form_sent_twice_makes_one_person(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.administrator)
    answers = [client.post(reverse("accounts:new-person"), {"username": "ada"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 422]
    assert "already a person called ada" in answers[1].content.decode()
    assert Person.objects.filter(username="ada").count() == 1
    assert Entry.objects.filter(action="person.created").count() == 1


def test_markup_in_a_name_is_refused(cast: Cast, client_of: ClientOf) -> None:
    answer = client_of(cast.administrator).post(reverse("accounts:new-person"), {"username": "<script>x</script>"})
    assert answer.status_code == 422
    assert "<script>x" not in answer.content.decode()


def test_a_page_of_administration_changes_and_ends_access(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.administrator)
    page = reverse("accounts:person", args=[cast.member.pk])
    assert client.post(page, {"curator": "on", "teams": [cast.media.pk]}).status_code == 302
    person = Person.objects.get(pk=cast.member.pk)
    assert person.curator
    assert list(person.teams.all()) == [cast.media]
    assert client.post(reverse("accounts:deactivate", args=[person.pk])).status_code == 302
    assert "cannot sign in" in client.get(page).content.decode()
    assert client.post(reverse("accounts:reactivate", args=[person.pk])).status_code == 302
    assert "One-time password" in client.get(page).content.decode()
    assert client.post(reverse("accounts:reset-password", args=[person.pk])).status_code == 302


def test_removing_the_own_last_administrator_role_by_the_page_says_why_not(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.administrator)
    page = reverse("accounts:person", args=[cast.administrator.pk])
    answer = client.post(page, {})
    assert answer.status_code == 422
    assert "last active administrator" in answer.content.decode()
    client.post(reverse("accounts:deactivate", args=[cast.administrator.pk]))
    assert "last active administrator" in client.get(page).content.decode()
