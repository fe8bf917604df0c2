"""Two quarters beside each other, or a quarter and now."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest
from django.utils import timezone

from portability.organisation.dates import Quarter
from portability.reviews.actions import close, open_review
from portability.reviews.comparison import Comparison, compare
from portability.reviews.models import Review
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.generate import generate
from tests.reviews.making import PINNED, Q4, SERVING, TODAY, choose_target, decided, entry_of, register, revise

pytestmark = pytest.mark.database
LATER = date(2027, 2, 1)


def decide_all(cast: Cast, review: Review, today: date) -> Review:
    """Agree with what is left, and close."""
    for entry in review.entries.filter(state="open").select_related("review"):
        decided(cast.architect, entry, today)
    close(cast.architect, review.pk, "Reviewed.", today)
    review.refresh_from_db()
    return review


def planned(cast: Cast, review: Review, workload: Workload, quarter: str) -> None:
    """Plan the change of a workload."""
    plan = {"plan_quarter": quarter, "plan_owner": "Lena", "plan_effort": "2 days"}
    decided(cast.architect, entry_of(review, workload), kind="plan", **plan)


def told(found: Comparison) -> dict[str, list[tuple[str, str, str]]]:
    """What is listed, in short."""
    return {
        kind: [(line.workload.name, line.before, line.after) for line in getattr(found, kind)]
        for kind in ("moved", "new", "retired")
    }


def test_what_moved_and_why_what_is_new_and_what_retired(cast: Cast, review: Review, chat: Workload) -> None:
    gone = register(cast.member, cast.search, "gone")
    register(cast.member, cast.search, "same")
    first = decide_all(cast, review, TODAY)
    revise(cast.member, chat, SERVING, **PINNED)
    retire(cast.member, gone.pk, "replaced")
    register(cast.member, cast.search, "fresh")
    expected = {
        "moved": [("chat", "needs-change", "pinned")],
        "new": [("fresh", "", "needs-change")],
        "retired": [("gone", "needs-change", "")],
    }
    now = compare(first, None, LATER)
    assert told(now) == expected
    assert now.counts == {("needs-change", "pinned"): 1, ("needs-change", "needs-change"): 1}
    assert (now.totals[0]["needs-change"], now.totals[1]["needs-change"], now.totals[1]["pinned"]) == (3, 2, 1)
    [change] = now.moved[0].changes
    assert (change.cause, change.words, change.before, change.after) == (
        "manifest",
        "declared facts changed",
        "needs-change",
        "pinned",
    )
    second = open_review(cast.architect, Quarter(2027, 1), LATER)
    assert told(compare(first, second, LATER)) == expected
    decide_all(cast, second, LATER)
    revise(cast.member, chat, SERVING)
    assert told(compare(first, second, LATER)) == expected, "a closed review is compared as it was"
    assert told(compare(first, None, LATER))["moved"] == []


def test_what_retired_before_it_was_closed_is_on_neither_side(cast: Cast, review: Review, chat: Workload) -> None:
    retire(cast.member, chat.pk, "replaced")
    first = decide_all(cast, review, TODAY)
    found = compare(first, None, LATER)
    assert (told(found), found.counts) == ({"moved": [], "new": [], "retired": []}, {})


def test_another_default_target_is_said(cast: Cast, review: Review, chat: Workload) -> None:
    first = decide_all(cast, review, TODAY)
    choose_target(name="mi350p-jammy")
    [line] = compare(first, None, LATER).moved
    assert (line.other_target, line.changes) == ("mi300x-single before, mi350p-jammy after", [])


def test_plans_are_kept_missed_or_not_due(cast: Cast, review: Review, chat: Workload) -> None:
    late, early, gone, changed, moved = (
        register(cast.member, cast.search, name) for name in ("late", "early", "gone", "changed", "moved")
    )
    for workload, quarter in ((late, "2026-Q4"), (early, "2027-Q1"), (gone, "2026-Q4"), (changed, "2026-Q4")):
        planned(cast, review, workload, quarter)
    planned(cast, review, moved, "2026-Q4")
    first = decide_all(cast, review, TODAY)
    retire(cast.member, gone.pk, "replaced")
    mended = SERVING.replace("nvidia.com/gpu", "amd.com/gpu").replace("vllm/vllm-openai:v", "vllm/vllm-openai-rocm:v")
    revise(cast.member, changed, mended)
    revise(cast.member, moved, mended, vendor="amd")
    found = compare(first, None, LATER)
    assert [(p.decision.entry.workload.name, p.outcome.value, p.why) for p in found.plans] == [
        ("changed", "kept", "it could move as it is"),
        ("gone", "kept", "it is retired"),
        ("late", "missed", "2026-Q4 is over"),
        ("moved", "kept", "it runs on amd"),
        ("early", "open", "2027-Q1 is not over"),
    ]
    assert [p.decision.entry.workload.name for p in found.plans_that("missed")] == ["late"]
    on_the_last_day = compare(first, None, date(2026, 12, 31))
    assert [p.outcome.value for p in on_the_last_day.plans if p.decision.entry.workload == late] == ["open"]


def test_a_plan_is_measured_on_the_day_the_second_review_was_closed(cast: Cast, review: Review, chat: Workload) -> None:
    planned(cast, review, chat, "2027-Q1")
    first = decide_all(cast, review, TODAY)
    second = decide_all(cast, open_review(cast.architect, Quarter(2027, 1), LATER), LATER)
    second.closed_at = timezone.make_aware(datetime(2027, 3, 31, 23, 30))
    assert [p.outcome.value for p in compare(first, second, date(2027, 7, 1)).plans] == ["open"]
    second.closed_at = timezone.make_aware(datetime(2027, 4, 1, 0, 30))
    assert [p.outcome.value for p in compare(first, second, date(2027, 7, 1)).plans] == ["missed"]


def test_what_moved_after_the_second_review_was_closed_kept_no_plan_by_then(
    cast: Cast, review: Review, chat: Workload
) -> None:
    planned(cast, review, chat, "2026-Q4")
    first = decide_all(cast, review, TODAY)
    second = decide_all(cast, open_review(cast.architect, Quarter(2027, 1), LATER), LATER)
    second.closed_at = timezone.make_aware(datetime(2027, 2, 1, 12, 0))
    revise(cast.member, chat, SERVING, vendor="amd")
    [plan] = compare(first, second, LATER).plans
    assert (plan.outcome.value, plan.why) == ("missed", "2026-Q4 is over")
    assert compare(first, None, LATER).plans[0].why == "it runs on amd"


def test_a_larger_register_needs_no_more_queries(cast: Cast, shipped: None, django_assert_max_num_queries: Any) -> None:
    generate(100, choose_target())
    review = open_review(cast.architect, Q4, TODAY)
    with django_assert_max_num_queries(30) as few:
        compare(review, None, TODAY)
    generate(100, choose_target(), first=100)
    with django_assert_max_num_queries(30) as more:
        found = compare(review, None, TODAY)
    assert len(found.new) == 100
    assert len(more) <= len(few) + 2  # the workloads that are listed, and their teams
