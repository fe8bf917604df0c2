"""What happens to the register while a review is open."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from portability.accounts.models import Person
from portability.audit.models import Entry as AuditEntry
from portability.organisation.actions import Chosen, save_settings
from portability.organisation.queries import stored
from portability.register.actions import start_run
from portability.register.batches import do_batch
from portability.reviews.actions import assign, close, defer, open_review
from portability.reviews.errors import Conflict, Refused
from portability.reviews.models import Review
from portability.workloads.actions import restore, retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import Q4, TODAY, decided, entry_of, register, standing

pytestmark = pytest.mark.database
REASON = "Registered last week."


def chosen(**changed: object) -> Chosen:
    """The settings as they are, with something else chosen."""
    now = stored()
    columns = ("name", "time_zone", "first_month", "manifests_for_everyone", "not_waivable", "rehearsal_days")
    said: dict[str, object] = {name: getattr(now, name) for name in columns}
    return Chosen(**({"targets": {}} | said | changed))  # type: ignore[arg-type]


def test_what_is_registered_later_joins_as_new(cast: Cast, review: Review) -> None:
    entry = entry_of(review, register(cast.member, cast.search, "late"))
    assert (entry.new, entry.state, entry.before, entry.changed) == (True, "open", None, [])
    assert entry.stood is not None and entry.target is not None
    assert standing(entry).engine_verdict == "needs-change"


def test_nothing_joins_a_closed_review(cast: Cast, review: Review, chat: Workload) -> None:
    decided(cast.architect, entry_of(review, chat))
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    register(cast.member, cast.search, "late")
    assert review.entries.count() == 1


def test_what_retires_closes_itself_and_opens_again_when_restored(cast: Cast, review: Review, chat: Workload) -> None:
    retire(cast.member, chat.pk, "replaced")
    assert entry_of(review, chat).state == "retired"
    restore(cast.member, chat.pk)
    assert entry_of(review, chat).state == "open"
    decided(cast.architect, entry_of(review, chat))
    retire(cast.member, chat.pk, "replaced")
    restore(cast.member, chat.pk)
    entry = entry_of(review, chat)
    assert (entry.state, entry.new) == ("decided", False)


def test_what_is_restored_from_before_the_opening_joins(cast: Cast, chat: Workload) -> None:
    retire(cast.member, chat.pk, "paused")
    review = open_review(cast.architect, Q4, TODAY)
    assert not review.entries.exists()
    restore(cast.member, chat.pk)
    assert entry_of(review, chat).new


def test_an_entry_without_target_gets_one_that_is_chosen_meanwhile(cast: Cast, review: Review) -> None:
    other = register(cast.member, cast.search, "on-other", vendor="other")
    assert entry_of(review, other).target is None
    save_settings(cast.administrator, stored().version, chosen(targets={"other": "mi300x-single"}))
    entry = entry_of(review, other)
    assert entry.target is not None and entry.target.name == "mi300x-single"
    assert entry.stood is not None and entry.stood.target == entry.target


def test_what_was_decided_without_target_asks_again_once_there_is_one(cast: Cast, review: Review) -> None:
    entry = entry_of(review, register(cast.member, cast.search, "on-other", vendor="other"))
    decided(cast.architect, entry, kind="not-known", finds_out="Lena", by_day=TODAY)
    assert standing(entry).decided
    save_settings(cast.administrator, stored().version, chosen(targets={"other": "mi300x-single"}))
    line = standing(entry)
    assert line.entry.target is not None and line.entry.target.name == "mi300x-single"
    assert line.asks_again


def test_only_what_is_new_is_left_to_the_next_review(cast: Cast, review: Review, chat: Workload) -> None:
    late = entry_of(review, register(cast.member, cast.search, "late"))
    with pytest.raises(Refused) as refused:
        defer(cast.architect, late.pk, late.version, " ")
    assert refused.value.field == "reason"
    assert defer(cast.architect, late.pk, late.version, REASON).state == "deferred"
    assert defer(cast.architect, late.pk, late.version, REASON).version == 2  # sent twice
    there = entry_of(review, chat)
    with pytest.raises(Refused, match="registered after the review was opened"):
        defer(cast.architect, there.pk, there.version, REASON)
    said = AuditEntry.objects.get(action="review.deferred")
    assert (said.subject, said.details) == ("late", {"review": "2026-Q4", "reason": REASON})


def test_who_decides_it_all_the_same_takes_it_back(cast: Cast, review: Review) -> None:
    late = entry_of(review, register(cast.member, cast.search, "late"))
    defer(cast.architect, late.pk, late.version, REASON)
    decided(cast.architect, late)
    late.refresh_from_db()
    assert (late.state, late.deferred_reason) == ("decided", "")
    with pytest.raises(Refused, match="Undo the decision first"):
        defer(cast.architect, late.pk, late.version, REASON)


def test_what_was_decided_meanwhile_is_not_left_out(cast: Cast, review: Review) -> None:
    late = entry_of(review, register(cast.member, cast.search, "late"))
    decided(cast.architect, late)
    with pytest.raises(Conflict):
        defer(cast.architect, late.pk, late.version, REASON)


@pytest.mark.parametrize("who", ["viewer", "member", "curator", "administrator"])
def test_only_architects_leave_out_and_assign(cast: Cast, review: Review, who: str) -> None:
    late = entry_of(review, register(cast.member, cast.search, "late"))
    person: Person = getattr(cast, who)
    with pytest.raises(PermissionDenied):
        defer(person, late.pk, late.version, REASON)
    with pytest.raises(PermissionDenied):
        assign(person, [late.pk], cast.architect)


def test_entries_are_given_to_architects_or_to_nobody(cast: Cast, review: Review, chat: Workload) -> None:
    entry = entry_of(review, chat)
    with pytest.raises(Refused, match="Only architects decide"):
        assign(cast.architect, [entry.pk], cast.member)
    with pytest.raises(Refused, match="Choose the entries"):
        assign(cast.architect, [], cast.architect)
    assert assign(cast.architect, [entry.pk], cast.architect) == 1
    assert assign(cast.architect, [entry.pk], cast.architect) == 0
    assert entry_of(review, chat).assigned == cast.architect
    assert entry_of(review, chat).version == entry.version  # whoever has the page open decides all the same
    assert assign(cast.architect, [entry.pk], None) == 1
    assert [a.details["to"] for a in AuditEntry.objects.filter(action="review.assigned").order_by("pk")] == [
        "architect",
        "nobody",
    ]


def test_nobody_signs_while_an_entry_waits_for_a_re_evaluation(cast: Cast, review: Review, chat: Workload) -> None:
    entry = entry_of(review, chat)
    decided(cast.architect, entry)
    assert entry.target_id is not None
    run = start_run(cause="rules", about="the rules changed", pairs=[(chat.pk, entry.target_id)], who=None)
    assert run is not None
    with pytest.raises(Refused, match="1 waits for the re-evaluation that is under way"):
        close(cast.architect, review.pk, "Reviewed.", TODAY)
    assert do_batch(run.batches.get().pk)
    close(cast.architect, review.pk, "Reviewed.", TODAY)
