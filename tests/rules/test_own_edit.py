"""Changing a row: what the old pattern touched is judged again too, and two people at once are told."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.register.models import Run
from portability.rules import actions
from portability.rules.models import VendorRow
from portability.targets.models import Target
from tests.conftest import Cast
from tests.rules.own import FIELDS, effects_of, enter, values, work

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]


def address(row: VendorRow) -> str:
    return f"/rules/own/{row.pk}/edit/"


def test_both_what_the_old_and_what_the_new_pattern_match_is_judged_again(
    cast: Cast, world: Target, client_of: ClientOf
) -> None:
    row = enter(cast.curator)
    work()
    page = client_of(cast.administrator).post(
        address(row), FIELDS | {"pattern": "vllm/vllm-openai", "vendor": "amd", "act": "save"}, follow=True
    )
    assert "images/vllm/vllm-openai was saved." in page.content.decode()
    assert Run.objects.order_by("-pk")[0].total == 3
    work()
    assert effects_of("private", "IMG003") == ["confirm"], "it is not known any more"
    assert effects_of("public", "IMG001") == []
    row.refresh_from_db()
    assert (row.version, row.entered_by, row.entered) == (2, cast.administrator, timezone.localdate())
    assert "entered by administrator" in page.content.decode() or "by administrator" in page.content.decode()


def test_the_preview_compares_with_the_row_as_it_is(cast: Cast, world: Target, client_of: ClientOf) -> None:
    row = enter(cast.curator)
    work()
    page = client_of(cast.curator).post(address(row), FIELDS | {"vendor": "amd", "act": "preview"})
    assert [t.workload.name for t in page.context["would"].touched] == ["claims", "private"]
    row.refresh_from_db()
    assert (row.vendor, row.version) == ("nvidia", 1)
    assert Run.objects.count() == 1


def test_saving_what_is_there_changes_and_starts_nothing(cast: Cast, world: Target, client_of: ClientOf) -> None:
    row = enter(cast.curator)
    assert actions.save_row(cast.curator, row.pk, 1, values()).run is None
    row.refresh_from_db()
    assert row.version == 1
    assert (Run.objects.count(), Entry.objects.filter(action="row.saved").count()) == (1, 0)


def test_two_at_once_are_told_and_nothing_typed_is_lost(cast: Cast, client_of: ClientOf) -> None:
    row = enter(cast.curator)
    actions.save_row(cast.administrator, row.pk, 1, values(vendor="amd"))
    answer = client_of(cast.curator).post(address(row), FIELDS | {"counterpart": "mine", "act": "save"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "administrator saved this row while you were editing" in page and 'value="mine"' in page
    assert 'name="version" value="2"' in page
    row.refresh_from_db()
    assert row.vendor == "amd"


def test_one_that_was_removed_meanwhile_is_not_brought_back(cast: Cast, client_of: ClientOf) -> None:
    row = enter(cast.curator)
    actions.remove_row(cast.administrator, row.pk, 1)
    with pytest.raises(actions.Conflict):
        actions.save_row(cast.curator, row.pk, 1, values(vendor="amd"))
    assert client_of(cast.curator).get(address(row)).status_code == 404


def test_a_pattern_that_another_row_has_is_refused(cast: Cast, client_of: ClientOf) -> None:
    enter(cast.curator, "ml/ranker")
    row = enter(cast.curator)
    answer = client_of(cast.curator).post(address(row), FIELDS | {"pattern": "ml/ranker", "act": "save"})
    assert answer.status_code == 422
    assert "There is already a row for ml/ranker" in answer.content.decode()
    with pytest.raises(actions.Refused):
        actions.save_row(cast.curator, row.pk, 1, values("ml/ranker"))


def test_the_history_keeps_what_it_was(cast: Cast) -> None:
    row = enter(cast.curator)
    actions.save_row(cast.administrator, row.pk, 1, values(vendor="amd", note="asked the team"))
    entry = Entry.objects.get(action="row.saved")
    assert entry.details["changed"] == {"vendor": ["nvidia", "amd"], "note": ["", "asked the team"]}


@pytest.mark.parametrize("name", ["viewer", "member", "architect"])
def test_others_are_refused(cast: Cast, client_of: ClientOf, name: str) -> None:
    row, person = enter(cast.curator), getattr(cast, name)
    assert client_of(person).post(address(row), FIELDS | {"act": "save"}).status_code == 403
    with pytest.raises(PermissionDenied):
        actions.save_row(person, row.pk, 1, values(vendor="amd"))
