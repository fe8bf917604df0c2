"""Deciding many entries at once, and its preview."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from portability.audit.models import Entry as AuditEntry
from portability.reviews.actions import decide_many, preview
from portability.reviews.errors import Conflict, Refused
from portability.reviews.given import Given
from portability.reviews.models import Decision, Entry, Review
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import NOTHING, PINNED, SERVING, TODAY, decided, entry_of, register, revise, seen

pytestmark = pytest.mark.database
STAYS = Given("stays", reason="One cluster, one vendor.")


@pytest.fixture
def many(cast: Cast, review: Review) -> list[Entry]:
    """Three entries that need change."""
    return [entry_of(review, register(cast.member, cast.search, f"serving-{n}")) for n in range(3)]


def test_what_is_decided_at_once_is_one_act(cast: Cast, many: list[Entry]) -> None:
    made = decide_many(cast.architect, {e.pk: seen(e) for e in many}, STAYS, TODAY)
    assert [d.entry_id for d in made] == [e.pk for e in many]
    assert len({d.bulk for d in made}) == 1 and made[0].bulk is not None
    assert {(e.state, e.decision.kind) for e in Entry.objects.filter(pk__in=[e.pk for e in many]) if e.decision} == {
        ("decided", "stays")
    }
    told = AuditEntry.objects.filter(action="review.decided")
    assert {(a.subject, a.details["together"]) for a in told} == {(f"serving-{n}", 3) for n in range(3)}


@pytest.mark.parametrize("who", ["viewer", "member", "curator", "administrator"])
def test_only_architects_decide_many(cast: Cast, many: list[Entry], who: str) -> None:
    for act in (
        lambda person: preview(person, [many[0].pk], STAYS, TODAY),
        lambda person: decide_many(person, {many[0].pk: seen(many[0])}, STAYS, TODAY),
    ):
        with pytest.raises(PermissionDenied):
            act(getattr(cast, who))


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (Given("agree"), "reason"),
        (Given("confirm", reason=" "), "reason"),
        (Given("otherwise", verdict="movable", reason="r", evidence="e"), "kind"),
    ],
)
def test_a_reason_is_required_and_evidence_is_given_one_by_one(
    cast: Cast, many: list[Entry], given: Given, field: str
) -> None:
    with pytest.raises(Refused) as refused:
        decide_many(cast.architect, {e.pk: seen(e) for e in many}, given, TODAY)
    assert refused.value.field == field


def test_nothing_chosen_and_too_much_are_refused(cast: Cast, many: list[Entry]) -> None:
    with pytest.raises(Refused, match="Choose the entries"):
        decide_many(cast.architect, {}, STAYS, TODAY)
    with pytest.raises(Refused, match="at most 500"):
        preview(cast.architect, list(range(501)), STAYS, TODAY)


def test_the_preview_says_what_would_happen_to_each_and_changes_nothing(
    cast: Cast, review: Review, many: list[Entry]
) -> None:
    unread = entry_of(review, register(cast.member, cast.search, "unread", NOTHING))
    found = preview(cast.architect, [many[1].pk, unread.pk], STAYS, TODAY)
    assert [(t.entry.workload.name, t.kind, t.verdict, t.refused[:19]) for t in found] == [
        ("serving-1", "stays", "needs-change", ""),
        ("unread", "", "", "It is not assessed:"),
    ]
    assert not Decision.objects.exists()
    decide_many(cast.architect, {t.entry.pk: t.seen for t in found if not t.refused}, STAYS, TODAY)
    assert Decision.objects.get().entry == many[1]


def test_one_that_cannot_be_decided_so_holds_up_all(cast: Cast, review: Review, many: list[Entry]) -> None:
    unread = entry_of(review, register(cast.member, cast.search, "unread", NOTHING))
    with pytest.raises(Refused, match="not assessed"):
        decide_many(cast.architect, {e.pk: seen(e) for e in [*many, unread]}, STAYS, TODAY)
    assert not Decision.objects.exists()


def test_conflicts_are_all_named_and_nothing_is_done(cast: Cast, many: list[Entry]) -> None:
    shown = {e.pk: seen(e) for e in many}
    decided(cast.architect, many[0])
    revise(cast.member, many[1].workload, SERVING, **PINNED)
    with pytest.raises(Conflict) as conflict:
        decide_many(cast.architect, shown, STAYS, TODAY)
    assert [(c.workload, c.why) for c in conflict.value.clashes] == [("serving-0", "decided"), ("serving-1", "verdict")]
    assert Decision.objects.count() == 1


def test_sent_twice_it_counts_once(cast: Cast, many: list[Entry]) -> None:
    shown = {e.pk: seen(e) for e in many}
    first = decide_many(cast.architect, shown, STAYS, TODAY)
    assert decide_many(cast.architect, shown, STAYS, TODAY) == first
    assert Decision.objects.count() == 3


def test_entries_of_two_reviews_are_not_decided_together(cast: Cast, many: list[Entry], chat: Workload) -> None:
    other = Review.objects.create(quarter="2026-Q3", starts=TODAY, ends=TODAY, state="closed", opened_by=cast.architect)
    old = Entry.objects.create(review=other, workload=chat)
    with pytest.raises(Refused, match="one review at a time"):
        preview(cast.architect, [many[0].pk, old.pk], STAYS, TODAY)


def test_twelve_cost_no_more_queries_than_two(cast: Cast, review: Review, django_assert_max_num_queries: Any) -> None:
    some = [entry_of(review, register(cast.member, cast.search, f"w{n}")) for n in range(12)]
    with django_assert_max_num_queries(20) as few:
        preview(cast.architect, [e.pk for e in some[:2]], STAYS, TODAY)
    with django_assert_max_num_queries(20) as more:
        preview(cast.architect, [e.pk for e in some], STAYS, TODAY)
    assert len(more) == len(few)
    shown = {e.pk: seen(e) for e in some}
    with django_assert_max_num_queries(20 + len(some)):  # each decision has its own entry in the history
        decide_many(cast.architect, shown, STAYS, TODAY)
