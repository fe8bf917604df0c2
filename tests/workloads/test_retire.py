"""Retiring a workload, with the reason: `/workloads/<pk>/retire/`."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.workloads.models import Workload
from tests.conftest import Cast

ClientOf = Callable[[Person | None], Client]
REASON = {"reason": "replaced by  the new assistant"}


def url(workload: Workload) -> str:
    return f"/workloads/{workload.pk}/retire/"


def test_works(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    answer = client_of(cast.member).post(url(saved), REASON, follow=True)
    saved.refresh_from_db()
    assert saved.retired_at is not None
    assert saved.retired_reason == "replaced by the new assistant"
    assert "Retired on" in answer.content.decode()
    entry = Entry.objects.get(action="workload.retired")
    assert (entry.who, entry.subject, entry.details["reason"]) == (cast.member, "chat", "replaced by the new assistant")


def test_a_teammate_may(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    client_of(cast.teammate).post(url(saved), REASON)
    saved.refresh_from_db()
    assert saved.retired_at


def test_without_a_reason_nothing_happens(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    for reason in ("", "  ", "\0", "x" * 301):
        answer = client_of(cast.member).post(url(saved), {"reason": reason}, follow=True)
        assert "Nothing was changed." in answer.content.decode()
    saved.refresh_from_db()
    assert saved.retired_at is None


def test_twice_is_once(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    for reason in ("first", "second"):
        client_of(cast.member).post(url(saved), {"reason": reason})
    saved.refresh_from_db()
    assert saved.retired_reason == "first"
    assert Entry.objects.filter(action="workload.retired").count() == 1


def test_who_may_not(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    for person in (cast.outsider, cast.viewer, cast.architect, cast.administrator):
        assert client_of(person).post(url(saved), REASON).status_code == 403
    saved.refresh_from_db()
    assert saved.retired_at is None


def test_wrong_method_and_bad_id(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    assert client_of(cast.member).get(url(saved)).status_code == 405
    assert client_of(cast.member).post("/workloads/999999/retire/", REASON).status_code == 404
