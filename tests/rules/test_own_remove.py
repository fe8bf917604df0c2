"""Removing a row: the shipped rows answer again, and what rested on it can still be looked up."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.register import queries as register
from portability.register.models import Run
from portability.rules import actions
from portability.rules.models import VendorRow
from portability.targets.models import Target
from tests.conftest import Cast
from tests.rules.own import effects_of, enter, values, work

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]


def address(row: VendorRow) -> str:
    return f"/rules/own/{row.pk}/remove/"


def test_what_it_touched_is_judged_again_by_what_is_left(cast: Cast, world: Target, client_of: ClientOf) -> None:
    row = enter(cast.curator)
    work()
    client = client_of(cast.curator)
    page = client.post(address(row), {"version": "1"}, follow=True).content.decode()
    assert "images/ml/scorer was removed." in page
    assert Run.objects.order_by("-pk")[0].total == 2
    work()
    assert effects_of("private", "IMG003") == ["confirm"]
    assert register.outdated_pairs() == []
    assert "This row was removed on" in client.get(f"/rules/own/{row.pk}/").content.decode()


def test_the_page_before_says_what_would_change(cast: Cast, world: Target, client_of: ClientOf) -> None:
    row = enter(cast.curator)
    work()
    page = client_of(cast.curator).get(address(row))
    assert [t.workload.name for t in page.context["would"].touched] == ["claims", "private"]
    row.refresh_from_db()
    assert row.removed_at is None


def test_removing_it_twice_and_after_an_edit(cast: Cast, client_of: ClientOf) -> None:
    row = enter(cast.curator)
    actions.save_row(cast.administrator, row.pk, 1, values(vendor="amd"))
    page = client_of(cast.curator).post(address(row), {"version": "1"}, follow=True).content.decode()
    assert "This row was saved by administrator in the meantime" in page
    actions.remove_row(cast.curator, row.pk, 2)
    assert actions.remove_row(cast.curator, row.pk, 2).run is None
    assert Entry.objects.filter(action="row.removed").count() == 1
    assert client_of(cast.curator).post(address(row), {"version": "3"}).status_code == 404


@pytest.mark.parametrize("version", ["", "x", "9" * 40])
def test_a_version_that_is_none_removes_nothing(cast: Cast, client_of: ClientOf, version: str) -> None:
    row = enter(cast.curator)
    client_of(cast.curator).post(address(row), {"version": version})
    row.refresh_from_db()
    assert row.removed_at is None


@pytest.mark.parametrize("name", ["viewer", "member", "architect"])
def test_others_are_refused(cast: Cast, client_of: ClientOf, name: str) -> None:
    row, person = enter(cast.curator), getattr(cast, name)
    assert client_of(person).post(address(row), {"version": "1"}).status_code == 403
    with pytest.raises(PermissionDenied):
        actions.remove_row(person, row.pk, 1)
