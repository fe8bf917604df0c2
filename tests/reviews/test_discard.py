"""Discarding a review that was opened by mistake."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from portability.accounts.models import Person
from portability.audit.models import Entry as AuditEntry
from portability.reviews.actions import ask, close, defer, discard, open_review, undo_last, write_note
from portability.reviews.errors import Refused
from portability.reviews.models import Entry, Review
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import Q4, TODAY, body, decided, entry_of, register

pytestmark = pytest.mark.database
ClientOf = Callable[[Person | None], Client]


def test_it_is_gone_its_days_are_free_and_the_history_keeps_it(cast: Cast, review: Review, chat: Workload) -> None:
    discard(cast.architect, review.pk, " The year\nwas to be changed first. ")
    assert not Review.objects.exists() and not Entry.objects.exists()
    said = AuditEntry.objects.get(action="review.discarded")
    assert (said.who, said.subject) == (cast.architect, "2026-Q4")
    assert said.details["entries"] == 1 and "was to be changed first." in said.details["reason"]
    again = open_review(cast.architect, Q4, TODAY)
    assert (again.quarter, again.entries.count()) == ("2026-Q4", 1)


@pytest.mark.parametrize("who", ["viewer", "member", "curator", "administrator"])
def test_only_architects_discard(cast: Cast, review: Review, who: str) -> None:
    with pytest.raises(PermissionDenied):
        discard(getattr(cast, who), review.pk, "By mistake.")
    assert Review.objects.exists()


def test_a_reason_is_asked_for(cast: Cast, review: Review) -> None:
    with pytest.raises(Refused, match="Say why") as refused:
        discard(cast.architect, review.pk, "  ")
    assert refused.value.field == "reason"


ACTS: dict[str, Callable[[Cast, Entry], object]] = {
    "decided": lambda cast, entry: decided(cast.architect, entry),
    "left to the next review": lambda cast, entry: defer(cast.architect, entry.pk, entry.version, "Later."),
    "noted": lambda cast, entry: write_note(cast.architect, entry.pk, "Look here."),
    "asked": lambda cast, entry: ask(cast.architect, entry.pk, "Which vendor?"),
}


@pytest.mark.parametrize("act", ACTS)
def test_nothing_that_anybody_did_is_lost(cast: Cast, review: Review, act: str) -> None:
    late = entry_of(review, register(cast.member, cast.search, "late"))
    ACTS[act](cast, late)
    with pytest.raises(Refused, match="decided, left or written in it already"):
        discard(cast.architect, review.pk, "By mistake.")
    assert review.entries.count() == 2


def test_a_decision_that_was_undone_is_kept_too(cast: Cast, review: Review, chat: Workload) -> None:
    decided(cast.architect, entry_of(review, chat))
    undo_last(cast.architect, review.pk, TODAY)
    with pytest.raises(Refused, match="already"):
        discard(cast.architect, review.pk, "By mistake.")


def test_a_closed_one_is_never_discarded(cast: Cast, review: Review, chat: Workload) -> None:
    retire(cast.member, chat.pk, "replaced")
    close(cast.architect, review.pk, "Nothing is in use.", TODAY)
    with pytest.raises(Refused, match="is closed"):
        discard(cast.architect, review.pk, "By mistake.")
    assert Review.objects.exists()


def test_the_page_offers_it_while_nothing_was_done(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    address = "/reviews/2026-Q4/discard/"
    assert address in body(client.get("/reviews/")).decode()
    assert address not in body(client_of(cast.viewer).get("/reviews/")).decode()
    assert client_of(cast.member).post(address, {"reason": "x"}).status_code == 403
    empty = client.post(address, {"reason": ""})
    assert empty.status_code == 422 and "<details open>" in body(empty).decode() and Review.objects.exists()
    late = client_of(cast.architect)
    note = write_note(cast.architect, entry_of(review, chat).pk, "Look here.")
    assert address not in body(client.get("/reviews/")).decode()
    said = body(late.post(address, {"reason": "By mistake."}, follow=True)).decode()
    assert "2026-Q4 was not discarded. Something was decided" in said
    note.delete()
    said = body(client.post(address, {"reason": "By mistake."}, follow=True)).decode()
    assert "The review of 2026-Q4 is discarded" in said and "Open a review" in said
    assert client.post(address, {"reason": "By mistake."}).status_code == 404
