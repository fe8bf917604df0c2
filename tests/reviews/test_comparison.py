"""Two quarters beside each other, or a quarter and now."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from portability.organisation.dates import Quarter
from portability.register.models import Assessment
from portability.reviews.actions import close, open_review
from portability.reviews.because import because
from portability.reviews.comparison import Comparison, compare
from portability.reviews.models import Review
from portability.reviews.sides import Side
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
        kind: [(line.workload.name, line.before, line.after) for line in found.of_kind(kind)]
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
    [(_, why)] = now.why(now.of_kind("moved"))
    [change] = why.changes
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
    found = compare(first, None, LATER)
    assert told(found)["moved"] == [], "its verdict is the same"
    [(line, why)] = found.why(found.of_kind("target"))
    assert (line.workload, line.before, line.after) == (chat, "needs-change", "needs-change")
    assert (why.other_target, why.targets) == ("another default target", "mi300x-single before, mi350p-jammy after")
    assert why.changes == []


def test_what_changed_is_told_besides_another_target(cast: Cast, review: Review, chat: Workload) -> None:
    same = register(cast.member, cast.search, "same")
    first = decide_all(cast, review, TODAY)
    revise(cast.member, chat, SERVING, **PINNED)
    other = choose_target(name="mi350p-jammy")
    found = compare(first, None, LATER)
    assert told(found)["moved"] == [("chat", "needs-change", "pinned")]
    assert [line.workload for line in found.of_kind("target")] == [same]
    [(_, why)] = found.why(found.of_kind("moved"))
    assert (why.other_target, why.on) == ("another default target", "mi350p-jammy")
    assert [(c.cause, c.words, c.after) for c in why.changes] == [("manifest", "declared facts changed", "pinned")]
    # where nothing had judged the new target by then, what changed is told of the one before
    Assessment.objects.filter(target=other).update(assessed_at=timezone.now() + timedelta(days=1))
    [(_, why)] = found.why(found.of_kind("moved"))
    assert (why.other_target, why.on) == ("another default target", "mi300x-single")
    assert [c.words for c in why.changes] == ["declared facts changed"]


def test_changes_on_another_target_are_those_between_the_two_days(cast: Cast, review: Review, chat: Workload) -> None:
    first = decide_all(cast, review, TODAY)
    choose_target(name="mi350p-jammy")
    second = decide_all(cast, open_review(cast.architect, Quarter(2027, 1), LATER), LATER)
    revise(cast.member, chat, SERVING, **PINNED)
    found = compare(first, second, LATER)
    [(_, why)] = found.why(found.of_kind("target"))
    assert why.changes == [], "it was pinned after the second review was closed"


def test_another_vendor_is_the_cause_of_another_target(cast: Cast, review: Review, chat: Workload) -> None:
    choose_target("amd", "h100")
    first = decide_all(cast, review, TODAY)
    revise(cast.member, chat, SERVING, vendor="amd")
    now = compare(first, None, LATER)
    [(_, why)] = now.why(now.lines)
    assert (why.other_target, why.targets) == (
        "it runs on AMD, and ran on NVIDIA before",
        "mi300x-single before, h100 after",
    )


def test_it_ran_on_what_the_record_says_whatever_its_target_was_given_for(
    cast: Cast, review: Review, chat: Workload
) -> None:
    choose_target("amd", "h100")
    revise(cast.member, chat, SERVING, vendor="amd")
    first = decide_all(cast, review, TODAY)
    now = compare(first, None, LATER)
    [(_, why)] = now.why(now.lines)
    assert (why.other_target, why.targets) == (
        "it runs on AMD; the target before is from when it ran on NVIDIA",
        "mi300x-single before, h100 after",
    )
    second = open_review(cast.architect, Quarter(2027, 1), LATER)
    revise(cast.member, chat, SERVING)
    again = compare(first, second, LATER)
    [(_, why)] = again.why(again.lines)
    assert why.other_target == (
        "the target after is from when it ran on AMD; the target before is from when it ran on NVIDIA"
    )


def test_what_had_no_target_is_said_to_have_run_on_what_the_record_says(
    cast: Cast, review: Review, chat: Workload
) -> None:
    other = register(cast.member, cast.search, "on-other", vendor="other")
    revise(cast.member, other, SERVING, vendor="unknown")
    not_known = {"kind": "not-known", "finds_out": "Lena", "by_day": LATER}
    decided(cast.architect, entry_of(review, other), **not_known)
    first = decide_all(cast, review, TODAY)
    revise(cast.member, other, SERVING)
    now = compare(first, None, LATER)
    [(_, why)] = [(line, why) for line, why in now.why(now.lines) if line.workload == other]
    assert why.other_target == "it runs on NVIDIA; it ran on a vendor that is not known before"


@pytest.mark.parametrize("choose", [False, True])
def test_a_default_target_that_came_or_went_is_said(cast: Cast, review: Review, chat: Workload, choose: bool) -> None:
    side = Side(chat.pk, None, "nvidia", "not-assessed", "not-assessed", None)
    there = Side(chat.pk, review.entries.get().target_id, "nvidia", "not-assessed", "not-assessed", None)
    pair = (side, there) if choose else (there, side)
    expected = "there was no default target before" if choose else "there is no default target any more"
    assert because([pair], None, None)[chat.pk].other_target == expected


def test_what_kept_its_verdict_is_listed_where_it_is_asked_for(cast: Cast, review: Review, chat: Workload) -> None:
    pinned = register(cast.member, cast.search, "pinned", **PINNED)
    first = decide_all(cast, review, TODAY)
    revise(cast.member, chat, SERVING.replace("v0.23.0", "v0.24.0"))
    assert compare(first, None, LATER).lines == []
    found = compare(first, None, LATER, same="needs-change")
    assert [line.workload for line in found.of_kind("same")] == [chat]
    [(_, why)] = found.why(found.lines)
    assert [change.words for change in why.changes] == ["the manifests changed"]
    found = compare(first, None, LATER, same="pinned")
    assert [line.workload for line in found.lines] == [pinned]
    assert found.why(found.lines)[0][1].changes == []


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
        ("moved", "kept", "it runs on AMD"),
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
    assert compare(first, None, LATER).plans[0].why == "it runs on AMD"


def test_a_larger_register_needs_no_more_queries(cast: Cast, shipped: None, django_assert_max_num_queries: Any) -> None:
    generate(100, choose_target())
    review = open_review(cast.architect, Q4, TODAY)
    with django_assert_max_num_queries(30) as few:
        compare(review, None, TODAY)
    generate(100, choose_target(), first=100)
    with django_assert_max_num_queries(30) as more:
        found = compare(review, None, TODAY)
    assert len(found.of_kind("new")) == 100
    assert len(more) <= len(few) + 2  # the workloads that are listed, and their teams
