"""Taking a cell out by hand: with a reason, shown in the comparison, and put back by entering it again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.matrices import actions
from portability.matrices.actions import CellValues
from portability.matrices.drafts import Refused, cells_digest
from portability.matrices.models import Release
from tests.conftest import Cast
from tests.matrices.keeping import DAY, ROCM, draft, publish, redraft

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("shipped")]
ClientOf = Callable[[Person | None], Client]
KEY = "driver/mi210"
WHY = "The note below the table takes it back."
CELLS = {"part/mi210/gfx": "gfx90a", KEY: "31.50.0", "driver/mi300x": "31.50.0"}


@pytest.fixture
def published(cast: Cast) -> Release:
    """A small published reading of a version of its own."""
    return publish(cast.curator, draft("9.9.0", CELLS)).release


def keys(release: Release) -> list[str]:
    """What a reading holds."""
    return list(release.cells.values_list("key", flat=True))


def test_a_draft_loses_the_cell_and_says_who_took_it_out_and_why(
    cast: Cast, published: Release, client_of: ClientOf
) -> None:
    begun = redraft(published, read=DAY + timedelta(days=1))
    client = client_of(cast.curator)
    form = {"key": KEY, "reason": WHY, "link": "https://docs.example.com/note"}
    text = client.post(reverse("matrices:remove", args=[begun.pk]), form, follow=True).content.decode()
    begun.refresh_from_db()
    assert keys(begun) == [key for key in CELLS if key != KEY]
    assert begun.digest == cells_digest(begun.cells.all())
    assert "1 cell removed" in text
    assert f"by curator: {WHY}" in text
    assert "Taken out by hand" in text and "https://docs.example.com/note" in text
    entry = Entry.objects.get(action="matrix.cell-removed")
    assert (entry.who, entry.details["key"], entry.details["before"]) == (cast.curator, KEY, "31.50.0")
    assert entry.details["reason"] == WHY
    done = publish(cast.curator, begun)
    assert WHY in client.get(reverse("matrices:release", args=[done.release.pk])).content.decode()


def test_a_published_reading_is_left_alone_and_a_draft_begun(cast: Cast, published: Release) -> None:
    begun = actions.remove_cell(cast.curator, published.pk, KEY, reason=WHY)
    assert (begun.state, begun.read, KEY in keys(begun)) == ("draft", published.read, False)
    assert KEY in keys(published)
    same = actions.remove_cell(cast.curator, published.pk, "driver/mi300x", reason=WHY)
    assert same == begun and keys(begun) == ["part/mi210/gfx"]
    done = publish(cast.curator, same)
    another = actions.remove_cell(cast.administrator, done.release.pk, "part/mi210/gfx", reason="mistaken")
    assert [r.removed_by for r in another.removals.all()] == ["curator", "curator", "administrator"]


def test_entering_it_again_puts_it_back(cast: Cast, published: Release) -> None:
    begun = actions.remove_cell(cast.curator, published.pk, KEY, reason=WHY)
    values = CellValues(KEY, "31.50.0", "it does hold", "https://docs.example.com/note")
    assert actions.enter_cell(cast.curator, begun.pk, values) == begun
    assert KEY in keys(begun) and not begun.removals.exists()


def test_what_is_not_there_cannot_be_taken_out(cast: Cast, published: Release, client_of: ClientOf) -> None:
    begun = redraft(published, read=DAY + timedelta(days=1))
    with pytest.raises(Refused, match="There is no cell driver/mi999x in it"):
        actions.remove_cell(cast.curator, begun.pk, "driver/mi999x", reason=WHY)
    client = client_of(cast.curator)
    answer = client.post(reverse("matrices:remove", args=[begun.pk]), {"key": "driver/mi999x", "reason": WHY})
    assert answer.status_code == 422 and "There is no cell driver/mi999x" in answer.content.decode()
    answer = client.post(reverse("matrices:remove", args=[begun.pk]), {"key": KEY, "reason": ""})
    assert answer.status_code == 422 and KEY in keys(begun), "not without a reason"
    assert KEY in client.get(reverse("matrices:remove", args=[begun.pk]) + f"?key={KEY}").content.decode()


def test_a_superseded_reading_stays_as_it_was(cast: Cast, published: Release) -> None:
    publish(cast.curator, redraft(published, {KEY: "31.60.0"}, read=DAY + timedelta(days=1)))
    with pytest.raises(Refused, match="superseded"):
        actions.remove_cell(cast.curator, published.pk, KEY, reason=WHY)
    assert Release.objects.filter(source=ROCM, state="draft").count() == 0


def test_only_who_keeps_the_matrices_may(cast: Cast, published: Release) -> None:
    for person in (cast.viewer, cast.member, cast.architect):
        with pytest.raises(PermissionDenied):
            actions.remove_cell(person, published.pk, KEY, reason=WHY)
