"""Taking back one's last decision."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.models import Entry as AuditEntry
from portability.reviews.actions import close, decide, decide_many, defer, undo_last
from portability.reviews.errors import Conflict, Refused
from portability.reviews.given import Given
from portability.reviews.models import Decided, Decision, Entry, Record, Review
from portability.reviews.queries import last_act
from portability.workloads.actions import restore, retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import TODAY, decided, entry_of, register, seen, standing

pytestmark = pytest.mark.database
STAYS = Given("stays", reason="One cluster, one vendor.")


@pytest.fixture
def entry(review: Review, chat: Workload) -> Entry:
    """The entry of `chat`."""
    return entry_of(review, chat)


@pytest.fixture
def second(cast: Cast) -> Person:
    """Another architect."""
    cast.curator.architect = True
    cast.curator.save()
    return cast.curator


def test_what_stood_before_stands_again_step_by_step(cast: Cast, entry: Entry) -> None:
    first = decided(cast.architect, entry)
    last = decided(cast.architect, entry, kind="stays", reason="It stays.")
    assert undo_last(cast.architect, entry.review_id, TODAY) == [entry]
    entry.refresh_from_db()
    last.refresh_from_db()
    assert (entry.decision, entry.state, last.undone_by) == (first, "decided", cast.architect)
    assert last.undone_at is not None
    undo_last(cast.architect, entry.review_id, TODAY)
    entry.refresh_from_db()
    assert (entry.decision, entry.state) == (None, "open")
    with pytest.raises(Refused, match="no decision of yours"):
        undo_last(cast.architect, entry.review_id, TODAY)
    assert AuditEntry.objects.filter(action="review.undone", subject="chat").count() == 2


def test_what_was_decided_at_once_is_taken_back_at_once(cast: Cast, entry: Entry) -> None:
    other = entry_of(entry.review, register(cast.member, cast.search, "other"))
    decided(cast.architect, entry)
    decide_many(cast.architect, {e.pk: seen(e) for e in (entry, other)}, STAYS, TODAY)
    assert {e.pk for e in undo_last(cast.architect, entry.review_id, TODAY)} == {entry.pk, other.pk}
    assert [entry_of(entry.review, e.workload).state for e in (entry, other)] == ["decided", "open"]


def test_what_somebody_else_decided_since_is_left_as_it_is(cast: Cast, entry: Entry, second: Person) -> None:
    other = entry_of(entry.review, register(cast.member, cast.search, "other"))
    decide_many(cast.architect, {e.pk: seen(e) for e in (entry, other)}, STAYS, TODAY)
    theirs = decided(second, entry)
    assert undo_last(cast.architect, entry.review_id, TODAY) == [other]
    assert entry_of(entry.review, entry.workload).decision == theirs


def test_where_all_of_it_was_decided_since_nothing_is_undone(cast: Cast, entry: Entry, second: Person) -> None:
    decided(cast.architect, entry)
    decided(second, entry, kind="stays", reason="It stays.")
    with pytest.raises(Refused, match="Somebody else decided it since"):
        undo_last(cast.architect, entry.review_id, TODAY)


def test_each_takes_back_ones_own(cast: Cast, entry: Entry, second: Person) -> None:
    decided(cast.architect, entry)
    with pytest.raises(Refused, match="no decision of yours"):
        undo_last(second, entry.review_id, TODAY)


def test_a_verdict_of_ones_own_is_taken_back_from_the_register(cast: Cast, entry: Entry) -> None:
    decided(cast.architect, entry, kind="otherwise", verdict="movable", reason="It ran.", evidence="Rehearsed.")
    assert standing(entry).decided_verdict == "movable"
    undo_last(cast.architect, entry.review_id, TODAY)
    assert standing(entry).decided_verdict == "needs-change"
    assert not Decided.objects.exists()


def test_a_page_from_before_the_undoing_is_told(cast: Cast, entry: Entry, second: Person) -> None:
    decided(cast.architect, entry)
    shown = seen(entry)
    undo_last(cast.architect, entry.review_id, TODAY)
    with pytest.raises(Conflict, match="it is open now"):
        decide(second, entry.pk, Given("agree"), shown, TODAY)


def test_an_entry_that_closed_itself_stays_closed(cast: Cast, entry: Entry, chat: Workload) -> None:
    decided(cast.architect, entry)
    retire(cast.member, chat.pk, "replaced")
    undo_last(cast.architect, entry.review_id, TODAY)
    entry.refresh_from_db()
    assert (entry.state, entry.decision) == ("retired", None)


@pytest.mark.parametrize("who", ["viewer", "member", "curator", "administrator"])
def test_only_architects_undo(cast: Cast, entry: Entry, who: str) -> None:
    with pytest.raises(PermissionDenied):
        undo_last(getattr(cast, who), entry.review_id, TODAY)


def test_nothing_is_undone_once_it_is_closed(cast: Cast, entry: Entry) -> None:
    decided(cast.architect, entry)
    close(cast.architect, entry.review_id, "Reviewed.", TODAY)
    with pytest.raises(Refused, match="is closed"):
        undo_last(cast.architect, entry.review_id, TODAY)
    assert Decision.objects.get().undone_at is None


@pytest.fixture
def late(cast: Cast, review: Review) -> Entry:
    """The entry of a workload that was registered after the opening."""
    return entry_of(review, register(cast.member, cast.search, "late"))


def test_what_was_left_to_the_next_review_is_taken_back(cast: Cast, entry: Entry, late: Entry) -> None:
    decided(cast.architect, entry)
    defer(cast.architect, late.pk, late.version, "Registered last week.")
    assert undo_last(cast.architect, entry.review_id, TODAY) == [late]
    late.refresh_from_db()
    assert (late.state, late.deferred_reason, late.left_by, late.left_at) == ("open", "", None, None)
    assert AuditEntry.objects.filter(action="review.undone", subject="late").exists()
    assert undo_last(cast.architect, entry.review_id, TODAY) == [entry], "then what was done before it"


def test_a_decision_on_what_was_left_is_taken_back_to_that_with_its_reason(
    cast: Cast, late: Entry, second: Person
) -> None:
    defer(cast.architect, late.pk, late.version, "Registered last week.")
    decided(second, entry_of(late.review, late.workload))
    assert entry_of(late.review, late.workload).state == "decided"
    with pytest.raises(Refused, match="no decision of yours"):
        undo_last(cast.architect, late.review_id, TODAY)
    undo_last(second, late.review_id, TODAY)
    late.refresh_from_db()
    assert (late.state, late.decision, late.deferred_reason) == ("deferred", None, "Registered last week.")
    undo_last(cast.architect, late.review_id, TODAY)
    assert entry_of(late.review, late.workload).state == "open"


def test_what_was_left_and_decided_together_with_others_comes_back_as_it_was(
    cast: Cast, entry: Entry, late: Entry
) -> None:
    defer(cast.architect, late.pk, late.version, "Registered last week.")
    both = [entry, entry_of(late.review, late.workload)]
    decide_many(cast.architect, {e.pk: seen(e) for e in both}, STAYS, TODAY)
    undo_last(cast.architect, entry.review_id, TODAY)
    assert [entry_of(e.review, e.workload).state for e in both] == ["open", "deferred"]


def test_what_was_left_and_retired_comes_back_as_it_was(cast: Cast, late: Entry) -> None:
    defer(cast.architect, late.pk, late.version, "Registered last week.")
    retire(cast.member, late.workload_id, "replaced")
    assert entry_of(late.review, late.workload).state == "retired"
    restore(cast.member, late.workload_id)
    late.refresh_from_db()
    assert (late.state, late.deferred_reason) == ("deferred", "Registered last week.")


def test_a_record_gives_no_reason_of_leaving_for_what_was_decided(cast: Cast, entry: Entry, late: Entry) -> None:
    defer(cast.architect, late.pk, late.version, "Registered last week.")
    decided(cast.architect, entry_of(late.review, late.workload))
    decided(cast.architect, entry)
    close(cast.architect, entry.review_id, "Reviewed.", TODAY)
    assert "Registered last week." not in Record.objects.get().text


def test_what_somebody_decided_over_is_not_offered_any_more(cast: Cast, entry: Entry, second: Person) -> None:
    other = entry_of(entry.review, register(cast.member, cast.search, "other"))
    first = decided(cast.architect, other)
    decided(cast.architect, entry)
    shown = last_act(cast.architect, entry.review_id)
    assert shown is not None and shown.entry == entry
    theirs = decided(second, entry, kind="stays", reason="It stays.")
    now = last_act(cast.architect, entry.review_id)
    assert now is not None and now.decision == first, "what was decided before still stands"
    with pytest.raises(Refused, match="does not stand any more"):
        undo_last(cast.architect, entry.review_id, TODAY, shown.key)
    first.refresh_from_db()
    assert first.undone_at is None, "nothing else is undone in its place"
    undo_last(second, entry.review_id, TODAY)
    assert last_act(cast.architect, entry.review_id) == shown, "it stands again"
    assert undo_last(cast.architect, entry.review_id, TODAY, shown.key) == [entry]
    assert not theirs.entry.review.entries.filter(decision=theirs).exists()


def test_one_that_was_made_together_is_offered_while_any_of_it_stands(cast: Cast, entry: Entry, second: Person) -> None:
    other = entry_of(entry.review, register(cast.member, cast.search, "other"))
    decide_many(cast.architect, {e.pk: seen(e) for e in (entry, other)}, STAYS, TODAY)
    decided(second, other)
    act = last_act(cast.architect, entry.review_id)
    assert act is not None and act.bulk
    decided(second, entry)
    assert last_act(cast.architect, entry.review_id) is None


def test_the_page_offers_none_once_it_stands_no_more(
    cast: Cast, entry: Entry, second: Person, client_of: Callable[[Person], Client]
) -> None:
    client, today = client_of(cast.architect), timezone.localdate()
    here = f"/reviews/{entry.review.quarter}/"
    decided(cast.architect, entry, today)
    page = client.get(here).content.decode()
    key = re.findall(r'name="act" value="([^"]+)"', page)
    decided(second, entry, today, kind="stays", reason="It stays.")
    answer = client.post(f"{here}undo/", {"act": key[0]}, headers={"HX-Request": "true"}).content.decode()
    assert "Nothing was undone. " in answer and "</kbd> Undo" not in answer
    assert "</kbd> Undo" in page
