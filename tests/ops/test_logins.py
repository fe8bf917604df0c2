"""Logins that a start makes, and new passwords from a terminal."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.test import RequestFactory
from pytest_django import Settings

from portability.accounts.actions import Refused
from portability.accounts.models import Person, Team
from portability.audit.models import Entry
from portability.ops import logins

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def sample(settings: Settings) -> None:
    """As if the sample register were being started."""
    settings.REGISTER, settings.SERVED = "sample", False


def _can_log_in(login: logins.Login) -> bool:
    request = RequestFactory().post("/login/")
    return authenticate(request, username=login.username, password=login.password) is not None


def test_the_first_administrator_is_made_once_and_must_change_the_password() -> None:
    login = logins.first_administrator()
    assert login
    assert _can_log_in(login)
    person = Person.objects.get()
    assert person.administrator
    assert person.must_change_password
    assert login.password not in person.password
    assert logins.first_administrator() is None
    assert Entry.objects.filter(action="person.created", subject="administrator").exists()


@pytest.mark.usefixtures("sample")
def test_sample_logins_are_one_for_each_role() -> None:
    team = Team.objects.create(name="Search", slug="search")
    made = logins.sample_logins()
    assert all(_can_log_in(login) for login in made)
    roles = {p.username: (p.architect, p.curator, p.administrator, list(p.teams.all())) for p in Person.objects.all()}
    assert roles == {
        "viewer": (False, False, False, []),
        "member": (False, False, False, [team]),
        "architect": (True, False, False, []),
        "curator": (False, True, False, []),
        "administrator": (False, False, True, []),
    }
    assert logins.sample_logins() == []


@pytest.mark.parametrize(("register", "served"), [("sample", True), ("mine", False)])
def test_sample_logins_exist_nowhere_else(settings: Settings, register: str, served: bool) -> None:
    settings.REGISTER, settings.SERVED = register, served
    with pytest.raises(Refused, match="never where DATABASE_URL is set"):
        logins.sample_logins()
    assert not Person.objects.exists()


def test_a_new_password_ends_the_old_one() -> None:
    first = logins.first_administrator()
    assert first
    out = StringIO()
    call_command("passwords", "administrator", stdout=out)
    password = out.getvalue().split("administrator")[1].split()[0]
    assert _can_log_in(logins.Login("administrator", password, ""))
    assert not _can_log_in(first)


def test_an_unknown_login_is_named_with_those_there_are() -> None:
    logins.first_administrator()
    with pytest.raises(CommandError, match=r"no login ann\. There are: administrator"):
        call_command("passwords", "ann")
    with pytest.raises(CommandError, match="Say whose password"):
        call_command("passwords")
