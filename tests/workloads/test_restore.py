"""Taking a retired workload back: `/workloads/<pk>/restore/`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.register.models import Row
from portability.targets.models import Target
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast

ClientOf = Callable[[Person | None], Client]


@pytest.fixture
def retired(cast: Cast, saved: Workload) -> Workload:
    return retire(cast.member, saved.pk, "replaced")


def url(workload: Workload) -> str:
    return f"/workloads/{workload.pk}/restore/"


def test_works(cast: Cast, retired: Workload, client_of: ClientOf) -> None:
    Target.objects.filter(name="mi300x-single").update(version=5)
    client_of(cast.teammate).post(url(retired))
    retired.refresh_from_db()
    assert (retired.retired_at, retired.retired_reason) == (None, "")
    row = Row.objects.select_related("assessment").get(workload=retired, target__name="mi300x-single")
    assert row.assessment.target_version == 5, "judged on what is known now"
    assert Entry.objects.get(action="workload.restored").who == cast.teammate


def test_one_that_is_not_retired_stays_as_it_is(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    assert client_of(cast.member).post(url(saved)).status_code == 302
    assert not Entry.objects.filter(action="workload.restored").exists()


def test_who_may_not(cast: Cast, retired: Workload, client_of: ClientOf) -> None:
    for person in (cast.outsider, cast.viewer, cast.administrator):
        assert client_of(person).post(url(retired)).status_code == 403
    retired.refresh_from_db()
    assert retired.retired_at is not None


def test_wrong_method_and_bad_id(cast: Cast, retired: Workload, client_of: ClientOf) -> None:
    assert client_of(cast.member).get(url(retired)).status_code == 405
    assert client_of(cast.member).post("/workloads/999999/restore/").status_code == 404
