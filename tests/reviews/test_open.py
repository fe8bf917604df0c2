"""Opening a quarter's review."""

from __future__ import annotations

from datetime import date
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import PermissionDenied

from portability.audit.models import Entry as AuditEntry
from portability.organisation.dates import Quarter
from portability.organisation.models import DefaultTarget
from portability.register.models import Row
from portability.reviews.actions import close, open_review
from portability.reviews.errors import Refused
from portability.reviews.models import Entry, Review
from portability.targets.models import Target
from portability.workloads.actions import restore, retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.generate import generate, make_target
from tests.reviews.making import (
    PINNED,
    Q4,
    SERVING,
    TODAY,
    choose_target,
    decided,
    entry_of,
    register,
    revise,
    standing,
    target,
)

pytestmark = pytest.mark.database
NEXT = Quarter(2027, 1)
LATER = date(2027, 2, 1)


def test_every_active_workload_gets_an_entry_for_the_default_target_of_its_vendor(cast: Cast, chat: Workload) -> None:
    elsewhere = register(cast.member, cast.search, "on-other", vendor="other")
    gone = register(cast.member, cast.search, "gone")
    retire(cast.member, gone.pk, "no longer used")
    review = open_review(cast.architect, Q4, TODAY)
    assert (review.starts, review.ends) == (date(2026, 10, 1), date(2026, 12, 31))
    entry = entry_of(review, chat)
    row = Row.objects.get(workload=chat, target=target())
    assert (entry.target, entry.stood, entry.state, entry.new) == (target(), row.assessment, "open", False)
    assert entry_of(review, elsewhere).target is None
    assert review.entries.count() == 2
    said = AuditEntry.objects.get(action="review.opened")
    assert (said.who, said.subject, said.details) == (cast.architect, "2026-Q4", {"entries": 2})


@pytest.mark.parametrize("who", ["viewer", "member", "outsider", "curator", "administrator"])
def test_only_architects_open_a_review(cast: Cast, chat: Workload, who: str) -> None:
    with pytest.raises(PermissionDenied):
        open_review(getattr(cast, who), Q4, TODAY)
    assert not Review.objects.exists()


@pytest.mark.parametrize("quarter", [Quarter(2026, 2), Quarter(2027, 2)])
def test_a_quarter_that_is_far_away_is_refused(cast: Cast, chat: Workload, quarter: Quarter) -> None:
    with pytest.raises(Refused, match="It is 2026-Q4"):
        open_review(cast.architect, quarter, TODAY)


def test_one_review_is_open_at_a_time_and_a_quarter_is_reviewed_once(cast: Cast, review: Review) -> None:
    with pytest.raises(Refused, match="2026-Q4 is open"):
        open_review(cast.architect, NEXT, TODAY)
    decided(cast.architect, review.entries.get())
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    with pytest.raises(Refused, match="2026-Q4 was reviewed already"):
        open_review(cast.architect, Q4, TODAY)
    assert open_review(cast.architect, NEXT, TODAY).state == "open"


def test_the_last_decision_is_carried_forward_and_decides_nothing(cast: Cast, review: Review, chat: Workload) -> None:
    last = decided(cast.architect, entry_of(review, chat), kind="stays", reason="The vendor's libraries.")
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    entry = entry_of(open_review(cast.architect, NEXT, LATER), chat)
    assert (entry.before, entry.decision, entry.state, entry.changed) == (last, None, "open", [])


def test_the_decision_before_last_is_carried_where_the_last_review_left_it_out(
    cast: Cast, review: Review, chat: Workload
) -> None:
    last = decided(cast.architect, entry_of(review, chat))
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    retire(cast.member, chat.pk, "paused")
    second = open_review(cast.architect, NEXT, LATER)
    close(cast.architect, second.pk, "Nothing is in use.", LATER)
    restore(cast.member, chat.pk)
    assert entry_of(open_review(cast.architect, Quarter(2027, 2), date(2027, 5, 1)), chat).before == last


def test_what_changed_since_is_marked_with_its_cause(cast: Cast, review: Review, chat: Workload) -> None:
    decided(cast.architect, entry_of(review, chat))
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    revise(cast.member, chat, SERVING.replace("nvidia.com/gpu", "amd.com/gpu"))
    revise(cast.member, chat, SERVING.replace("nvidia.com/gpu", "amd.com/gpu"), **PINNED)
    changed = entry_of(open_review(cast.architect, NEXT, LATER), chat).changed
    assert [(c["cause"], c["words"], c["before"], c["after"], c["gone"]) for c in changed] == [
        ("manifest", "the manifests changed", "needs-change", "needs-change", ["RES001"]),
        ("manifest", "declared facts changed", "needs-change", "pinned", []),
    ]
    assert changed[1]["found"] == ["SRV001"]


def test_a_manifest_that_is_only_written_otherwise_marks_nothing(cast: Cast, review: Review, chat: Workload) -> None:
    decided(cast.architect, entry_of(review, chat))
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    revise(cast.member, chat, "# moved\n\n" + SERVING, "other.yaml")
    assert entry_of(open_review(cast.architect, NEXT, LATER), chat).changed == []


def test_another_default_target_is_marked_and_what_was_decided_for_the_old_one_cannot_be_confirmed(
    cast: Cast, review: Review, chat: Workload
) -> None:
    decided(cast.architect, entry_of(review, chat))
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    other = choose_target(name="mi350p-jammy")
    entry = entry_of(open_review(cast.architect, NEXT, LATER), chat)
    assert entry.target == other
    [change] = entry.changed
    assert (change["cause"], change["words"]) == (
        "target",
        "decided for mi300x-single, another default target since",
    )
    with pytest.raises(Refused, match="decided for another target"):
        decided(cast.architect, entry, LATER, kind="confirm")


@pytest.mark.parametrize("when", ["after it was signed", "while it was open"])
def test_another_vendor_is_named_as_the_cause_of_another_target(
    when: str, cast: Cast, review: Review, chat: Workload
) -> None:
    choose_target("amd", "h100")
    decided(cast.architect, entry_of(review, chat))
    if when == "while it was open":
        revise(cast.member, chat, SERVING, vendor="amd")
        decided(cast.architect, entry_of(review, chat))
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    revise(cast.member, chat, SERVING, vendor="amd")
    entry = entry_of(open_review(cast.architect, NEXT, LATER), chat)
    assert entry.target == Target.objects.get(name="h100")
    [change] = entry.changed
    assert (change["cause"], change["words"]) == (
        "manifest",
        "runs on AMD by now; it was decided for mi300x-single, its target since it ran on NVIDIA",
    )


def test_another_vendor_is_no_reason_to_say_on_what_ran_that_was_decided_without_a_target(
    cast: Cast, review: Review, chat: Workload
) -> None:
    other = register(cast.member, cast.search, "on-other", vendor="other")
    revise(cast.member, other, SERVING, vendor="unknown")
    decided(cast.architect, entry_of(review, chat))
    decided(cast.architect, entry_of(review, other), kind="not-known", finds_out="Lena", by_day=LATER)
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    revise(cast.member, other, SERVING)
    [change] = entry_of(open_review(cast.architect, NEXT, LATER), other).changed
    assert change["words"] == "runs on NVIDIA by now; it was decided without a default target"


def test_a_default_target_that_was_given_up_is_said_to_be(cast: Cast, review: Review, chat: Workload) -> None:
    decided(cast.architect, entry_of(review, chat))
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    DefaultTarget.objects.all().delete()
    [change] = entry_of(open_review(cast.architect, NEXT, LATER), chat).changed
    assert change["words"] == "decided for mi300x-single, no default target since"


def test_entries_of_before_the_upgrade_are_for_the_vendor_that_the_record_names(
    cast: Cast, review: Review, chat: Workload
) -> None:
    other = register(cast.member, cast.search, "on-other", vendor="other")
    decided(cast.architect, entry_of(review, chat))
    decided(cast.architect, entry_of(review, other), kind="not-known", finds_out="Lena", by_day=LATER)
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    revise(cast.member, chat, SERVING, vendor="amd")
    present = open_review(cast.architect, NEXT, LATER)
    Entry.objects.update(vendor="")
    import_module("portability.reviews.migrations.0010_entry_vendor").fill_in(apps, None)
    found = [entry_of(r, w).vendor for r in (review, present) for w in (chat, other)]
    assert found == ["nvidia", "other", "amd", "other"]


def test_two_thousand_workloads_are_opened_in_bulk(cast: Cast, db: None, django_assert_max_num_queries: Any) -> None:
    generate(2_000, make_target())
    choose_target()
    with django_assert_max_num_queries(60):
        review = open_review(cast.architect, Q4, TODAY)
    assert review.entries.count() == 2_000
    assert standing(review.entries.exclude(target=None)[0]).engine_verdict
