"""Entering one cell by hand: into a draft, or into one that differs from a published reading in that cell."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.matrices import actions
from portability.matrices.actions import CellValues, enter_cell, load_shipped
from portability.matrices.drafts import Refused
from portability.matrices.models import Cell, Release
from tests.conftest import Cast
from tests.matrices.keeping import ROCM, draft, publish, redraft

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("shipped")]
ClientOf = Callable[[Person | None], Client]
FIELDS = {
    "key": "driver/mi300x",
    "value": "31.50.0",
    "note": "",
    "reason": "the page was corrected by a bulletin",
    "link": "https://docs.example.com/bulletin",
}


def published() -> Release:
    return Release.objects.get(source=ROCM, version="7.14.0", state="published")


def values(**changes: str) -> CellValues:
    return CellValues(**(FIELDS | changes))


def test_a_cell_for_a_published_reading_makes_a_draft_of_the_same_day(cast: Cast) -> None:
    before = list(Cell.objects.filter(release=published()).values())
    made = enter_cell(cast.curator, published().pk, values())
    assert (made.state, made.version, made.read) == ("draft", "7.14.0", published().read)
    assert made.read_by == "shipped with the product; cells by hand: curator"
    cell = made.cells.get(key="driver/mi300x")
    assert (cell.value, cell.reason, cell.link) == ("31.50.0", FIELDS["reason"], FIELDS["link"])
    assert (cell.entered, cell.entered_by) == (timezone.localdate(), "curator")
    assert made.cells.count() == len(before)
    assert list(Cell.objects.filter(release=published()).values()) == before, "what is published never changes"
    assert [e.action for e in Entry.objects.filter(who=cast.curator).order_by("pk")] == ["matrix.draft", "matrix.cell"]
    details = Entry.objects.get(action="matrix.cell").details
    assert details["key"] == "driver/mi300x"
    assert (details["before"], details["value"], details["reason"]) == (
        published().cells.get(key="driver/mi300x").value,
        "31.50.0",
        FIELDS["reason"],
    )


def test_cells_entered_one_after_the_other_go_into_one_draft(cast: Cast) -> None:
    first = enter_cell(cast.curator, published().pk, values())
    assert enter_cell(cast.curator, published().pk, values(key="driver/mi210")) == first
    assert enter_cell(cast.administrator, published().pk, values()) != first
    assert first.cells.exclude(entered_by="").count() == 2


def test_a_published_reading_with_cells_by_hand_says_who_entered_the_last(cast: Cast) -> None:
    publish(cast.curator, enter_cell(cast.curator, published().pk, values()))
    assert load_shipped().published == [], "it is no longer only what shipped"
    made = enter_cell(cast.administrator, published().pk, values(key="driver/mi210"))
    assert made.read_by == "shipped with the product; cells by hand: administrator"
    assert set(made.cells.exclude(entered_by="").values_list("entered_by", flat=True)) == {"curator", "administrator"}


def test_a_removed_cell_is_kept_by_hand_from_what_is_published(cast: Cast, client_of: ClientOf) -> None:
    made = redraft(published(), without="driver/mi210")
    address = f"{reverse('matrices:cell', args=[made.pk])}?key=driver/mi210"
    client = client_of(cast.curator)
    assert address in client.get(reverse("matrices:release", args=[made.pk])).content.decode()
    assert published().cells.get(key="driver/mi210").value in client.get(address).content.decode()


def test_a_new_cell_comes_after_all_others_and_the_digest_follows(cast: Cast) -> None:
    made = draft("7.14.0", {"driver/mi300x": "1", "driver/mi210": "2"})
    then = made.digest
    enter_cell(cast.curator, made.pk, values(key="driver/mi999x"))
    made.refresh_from_db()
    assert list(made.cells.values_list("key", flat=True)) == ["driver/mi300x", "driver/mi210", "driver/mi999x"]
    assert made.digest != then


def test_a_key_that_is_like_none_of_the_source_is_refused(cast: Cast) -> None:
    with pytest.raises(Refused, match="No key of this source is like drivers/mi300x"):
        enter_cell(cast.curator, published().pk, values(key="drivers/mi300x"))
    assert not Release.objects.filter(state="draft").exists()


def test_a_superseded_reading_takes_no_cell(cast: Cast) -> None:
    old = published()
    publish(cast.curator, redraft(old))
    with pytest.raises(Refused, match="superseded"):
        enter_cell(cast.curator, old.pk, values())


def test_only_curators_and_administrators_enter(cast: Cast, client_of: ClientOf) -> None:
    for person in (cast.viewer, cast.member, cast.architect):
        with pytest.raises(PermissionDenied):
            enter_cell(person, published().pk, values())
        assert client_of(person).post(reverse("matrices:cell", args=[published().pk]), FIELDS).status_code == 403
    assert enter_cell(cast.administrator, published().pk, values()).pk


def test_the_form_begins_with_what_is_there_and_asks_for_reason_and_link(cast: Cast, client_of: ClientOf) -> None:
    client, url = client_of(cast.curator), reverse("matrices:cell", args=[published().pk])
    page = client.get(f"{url}?key=driver/mi300x").content.decode()
    assert published().cells.get(key="driver/mi300x").value in page
    assert "Keys of this source are such as driver/" in page
    for field in ("key", "value", "reason", "link"):
        answer = client.post(url, FIELDS | {field: ""})
        assert answer.status_code == 422, field
    assert client.post(url, FIELDS | {"link": "javascript:alert(1)"}).status_code == 422
    assert client.post(url, FIELDS | {"value": "a\nb"}).status_code == 422
    assert "No key of this source is like os/x." in client.post(url, FIELDS | {"key": "os/x"}).content.decode()
    assert not Release.objects.filter(state="draft").exists()
    answer = client.post(url, FIELDS, follow=True)
    text = answer.content.decode()
    assert "was entered into a draft of ROCm compatibility matrix 7.14.0" in text
    assert FIELDS["reason"] in text
    assert "1 cell changed" in text


def test_a_draft_that_is_gone_is_told(cast: Cast, client_of: ClientOf) -> None:
    made = draft("7.14.0", {"driver/mi300x": "1"})
    actions.discard(cast.administrator, made.pk)
    with pytest.raises(actions.Conflict, match="discarded in the meantime"):
        enter_cell(cast.curator, made.pk, values())
    assert client_of(cast.curator).post(reverse("matrices:cell", args=[made.pk]), FIELDS).status_code == 404
