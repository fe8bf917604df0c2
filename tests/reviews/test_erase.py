"""A value that is erased: what people decided and wrote of it, and the records that keep it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from portability.accounts.models import Person
from portability.audit.models import Entry as AuditEntry
from portability.reviews.actions import add_addendum, close, write_note
from portability.reviews.models import Decision, Note, Record, Review, Waiver
from portability.workloads.actions import erase_value
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import SERVING, TODAY, decided, entry_of, revise, standing, waived

pytestmark = pytest.mark.database
LEAKED = "hunter-of-the-quiet-harbour"
OWN = {"kind": "otherwise", "verdict": "movable", "reason": f"It ran with {LEAKED}.", "evidence": "Rehearsed."}


@pytest.fixture
def leaky(cast: Cast, review: Review, chat: Workload) -> Workload:
    """A value in the name of an image that is waived, in a decision and in a note."""
    revise(cast.member, chat, SERVING.replace("vllm-openai:v0.23.0", f"vllm-openai:{LEAKED}"))
    entry = entry_of(review, chat)
    waived(cast.architect, entry, "IMG001")
    write_note(cast.member, entry.pk, f"The tag is {LEAKED}.")
    decided(cast.architect, entry, **OWN)
    return chat


def test_it_is_taken_out_of_what_people_said_and_what_they_decided_holds(
    cast: Cast, review: Review, leaky: Workload
) -> None:
    erase_value(cast.administrator, LEAKED)
    for model in (Decision, Note, Waiver):
        assert LEAKED not in str(list(model.objects.values())), model
    line = standing(entry_of(review, leaky))
    assert (line.decided_verdict, line.waived, line.asks_again) == ("movable", 1, False)
    revise(cast.member, leaky, "# moved\n" + leaky.revisions.order_by("-number")[0].files.get().text)
    line = standing(entry_of(review, leaky))
    assert (line.decided_verdict, line.waived, line.asks_again) == ("movable", 1, False)


def test_records_and_corrections_keep_it_and_who_erases_is_told(
    cast: Cast, review: Review, leaky: Workload, client_of: Callable[[Person | None], Client]
) -> None:
    record = close(cast.architect, review.pk, "Reviewed.", TODAY)
    add_addendum(cast.architect, review.pk, f"The tag is {LEAKED}.")
    page = client_of(cast.administrator).post("/workloads/erase/", {"value": LEAKED}).content.decode()
    assert "of 1 closed review, or signed corrections, holds it too: they never change" in " ".join(page.split())
    assert Record.objects.get().text == record.text
    assert LEAKED in record.text and LEAKED in review.addenda.get().text
    assert AuditEntry.objects.get(action="value.erased").details["records"] == 1
    assert erase_value(cast.administrator, "something else").records == 0
