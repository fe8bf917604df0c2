"""Signing in and out, lockout, the own password, and what becomes of sessions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portability.accounts import actions
from portability.accounts.models import Person
from portability.audit.models import Entry
from tests.conftest import PASSWORD, Cast

ClientOf = Callable[[Person | None], Client]
OWN_PAGE = "accounts:password"  # a page that everyone signed in may see


def sign_in(client: Client, name: str, password: str, back: str = "") -> int:
    return client.post(reverse("accounts:login"), {"username": name, "password": password, "next": back}).status_code


def test_signing_in_leads_back_to_where_one_wanted_to_go(cast: Cast) -> None:
    client = Client()
    wanted = reverse(OWN_PAGE)
    asked = client.get(wanted)
    assert asked.status_code == 302
    assert asked["Location"] == f"{reverse('accounts:login')}?next={wanted}"
    answer = client.post(asked["Location"], {"username": "viewer", "password": PASSWORD, "next": wanted})
    assert answer.status_code == 302
    assert answer["Location"] == wanted


def test_another_site_is_not_led_to(cast: Cast) -> None:
    data = {"username": "viewer", "password": PASSWORD, "next": "https://elsewhere.example/"}
    answer = Client().post(reverse("accounts:login"), data)
    assert answer.status_code == 302
    assert "elsewhere" not in answer["Location"]


def test_wrong_name_wrong_password_and_deactivated_are_told_alike(cast: Cast) -> None:
    actions.deactivate_person(cast.administrator, cast.viewer)
    texts = set()
    for name, password in (("nobody", PASSWORD), ("member", "wrong"), ("viewer", PASSWORD)):
        answer = Client().post(reverse("accounts:login"), {"username": name, "password": password})
        assert answer.status_code == 200
        text = answer.content.decode()
        assert "do not belong together" in text
        texts.add(text[text.index('role="alert"') :].split("</div>")[0])
    assert len(texts) == 1


def test_eight_failures_lock_the_name_for_a_quarter_of_an_hour(cast: Cast) -> None:
    client = Client()
    statuses = [sign_in(client, "member", "wrong") for _ in range(settings.AXES_FAILURE_LIMIT)]
    assert statuses[:-1] == [200] * 7
    assert statuses[-1] == 429
    refused = client.post(reverse("accounts:login"), {"username": "member", "password": PASSWORD})
    assert refused.status_code == 429, "the right password does not help while locked"
    text = refused.content.decode()
    assert "Try again after" in text
    until = datetime.fromisoformat(text.split('datetime="')[1].split('"')[0])
    assert abs(until - timezone.now() - timedelta(minutes=15)) < timedelta(minutes=1)
    assert sign_in(Client(), "viewer", PASSWORD) == 302, "others are not locked"
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))
    assert sign_in(client, "member", PASSWORD) == 302


def test_success_forgets_earlier_failures(cast: Cast) -> None:
    client = Client()
    for _ in range(2):
        for _ in range(5):
            assert sign_in(client, "member", "wrong") == 200
        assert sign_in(client, "member", PASSWORD) == 302
        client.post(reverse("accounts:logout"))


def test_logging_out_ends_the_session(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.member)
    assert client.get(reverse("accounts:logout")).status_code == 405, "a link or an image must not log anyone out"
    assert client.post(reverse("accounts:logout"))["Location"] == reverse("accounts:login")
    assert client.get(reverse(OWN_PAGE)).status_code == 302


def test_changing_the_password_ends_other_sessions_and_keeps_this_one(cast: Cast, client_of: ClientOf) -> None:
    here, elsewhere = client_of(cast.member), client_of(cast.member)
    new = "another quiet harbour 8"
    data = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert here.post(reverse("accounts:password"), data).status_code == 302
    assert here.get(reverse(OWN_PAGE)).status_code == 200
    assert elsewhere.get(reverse(OWN_PAGE)).status_code == 302
    assert Person.objects.get(username="member").check_password(new)
    assert Entry.objects.get(action="person.password-changed").who == cast.member


@pytest.mark.parametrize(
    ("old", "new", "again", "said"),
    [
        ("wrong", "another quiet harbour 8", "another quiet harbour 8", "incorrectly"),
        (PASSWORD, "short7", "short7", "too short"),
        (PASSWORD, "another quiet harbour 8", "another quiet harbour 9", "match"),
    ],
)
def test_a_bad_new_password_is_refused_with_the_reason(
    cast: Cast, client_of: ClientOf, old: str, new: str, again: str, said: str
) -> None:
    data = {"old_password": old, "new_password1": new, "new_password2": again}
    answer = client_of(cast.member).post(reverse("accounts:password"), data)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert said in text
    assert 'aria-invalid="true"' in text
    assert Person.objects.get(username="member").check_password(PASSWORD)


def test_a_one_time_password_leads_to_the_own_password_first(cast: Cast, client_of: ClientOf) -> None:
    told = actions.reset_password(cast.administrator, cast.member)
    client = Client()
    assert sign_in(client, "member", told) == 302
    for address in (reverse("audit:entries"), reverse("accounts:people")):
        assert client.get(address)["Location"] == reverse("accounts:password")
        assert client.post(address)["Location"] == reverse("accounts:password")
    new = "another quiet harbour 8"
    client.post(reverse("accounts:password"), {"old_password": told, "new_password1": new, "new_password2": new})
    assert client.get(reverse("audit:entries")).status_code == 403


def test_deactivation_ends_open_sessions_and_reactivation_does_not_revive_them(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.member)
    assert client.get(reverse(OWN_PAGE)).status_code == 200
    actions.deactivate_person(cast.administrator, cast.member)
    assert client.get(reverse(OWN_PAGE)).status_code == 302
    cast.member.refresh_from_db()
    told = actions.reactivate_person(cast.administrator, cast.member)
    assert client.get(reverse(OWN_PAGE)).status_code == 302
    assert sign_in(Client(), "member", told) == 302
