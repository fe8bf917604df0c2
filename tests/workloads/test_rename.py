"""Another name for a workload: `/workloads/<pk>/rename/`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.engine.model import Resource
from portability.engine.output.json import identity
from portability.register.models import Row
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.workloads.texts import SERVING

ClientOf = Callable[[Person | None], Client]


def url(workload: Workload) -> str:
    return f"/workloads/{workload.pk}/rename/"


@pytest.mark.database
def test_works(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    client_of(cast.teammate).post(url(saved), {"name": "  assistant\n"})
    saved.refresh_from_db()
    assert (saved.name, saved.version) == ("assistant", 2)
    entry = Entry.objects.get(action="workload.renamed")
    assert (entry.who, entry.subject, entry.details) == (cast.teammate, "assistant", {"before": "chat"})


def test_findings_are_known_by_the_new_name(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    client_of(cast.member).post(url(saved), {"name": "assistant"})
    row = Row.objects.select_related("assessment").get(workload=saved, target__name="mi300x-single")
    finding = next(f for f in row.assessment.findings if f["rule"] == "IMG001")
    place = Resource(**finding["resource"])
    assert finding["identity"] == identity("assistant", "mi300x-single", "IMG001", place, finding["path"])
    assert row.moved_at is None, "the verdict is the same"


def test_a_name_that_is_taken_or_none(cast: Cast, saved: Workload, register_as: Any, client_of: ClientOf) -> None:
    register_as(cast.member, cast.search, "other", ("a.yaml", SERVING))
    for name, why in (
        ("other", "already has a workload named other"),
        (" ", "Give the workload a name"),
        ("x" * 121, "121"),
    ):
        answer = client_of(cast.member).post(url(saved), {"name": name}, follow=True)
        assert why in answer.content.decode()
    saved.refresh_from_db()
    assert saved.name == "chat"
    assert not Entry.objects.filter(action="workload.renamed").exists()


def test_who_may_not(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    for person in (cast.outsider, cast.viewer, cast.administrator):
        assert client_of(person).post(url(saved), {"name": "mine"}).status_code == 403
    saved.refresh_from_db()
    assert saved.name == "chat"


def test_wrong_method_and_bad_id(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    assert client_of(cast.member).get(url(saved)).status_code == 405
    assert client_of(cast.member).post("/workloads/999999/rename/", {"name": "x"}).status_code == 404
