"""Another first month of the year: which quarters are free, what they are called, and until when plans are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from importlib import import_module
from itertools import pairwise

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from portability.accounts.models import Person
from portability.organisation.dates import Quarter
from portability.organisation.kept import forget
from portability.organisation.models import Organisation
from portability.reviews.actions import close, open_review
from portability.reviews.comparison import compare
from portability.reviews.errors import Refused
from portability.reviews.models import Decision, Review
from portability.reviews.on_workload import on_workload
from portability.reviews.queries import quarters_to_open, reviews
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import Q4, TODAY, body, decided, entry_of, register

pytestmark = pytest.mark.database
ClientOf = Callable[[Person | None], Client]
PLAN = {"kind": "plan", "plan_quarter": "2026-Q4", "plan_owner": "Lena", "plan_effort": "2 days"}


def year_begins(month: int) -> None:
    """As an administrator sets it."""
    Organisation.objects.update_or_create(pk=1, defaults={"first_month": month})
    forget()


def signed(cast: Cast, review: Review, today: date) -> Review:
    """Agree with what is left, and close."""
    for entry in review.entries.filter(state="open").select_related("review"):
        decided(cast.architect, entry, today)
    close(cast.architect, review.pk, "Reviewed.", today)
    return review


def free(today: date) -> list[tuple[str, date, date]]:
    """What can be opened, in short."""
    return [(quarter.name, quarter.starts, quarter.ends) for quarter in quarters_to_open(today)]


def test_quarters_of_the_same_days_and_another_name_are_taken_and_the_next_gets_a_letter(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    signed(cast, review, TODAY)
    year_begins(4)
    assert free(TODAY) == [("2026-Q4b", date(2027, 1, 1), date(2027, 3, 31))]
    with pytest.raises(Refused, match="2026-Q3 was reviewed already, up to 31 December 2026"):
        open_review(cast.architect, Quarter(2026, 3), TODAY)
    second = open_review(cast.architect, Q4, TODAY)
    assert (second.quarter, second.starts, second.ends) == ("2026-Q4b", date(2027, 1, 1), date(2027, 3, 31))
    page = client_of(cast.architect).get("/reviews/2026-Q4b/")
    assert page.status_code == 200 and "2026-Q4b" in body(page).decode()
    assert [r.quarter for r in reviews()] == ["2026-Q4b", "2026-Q4"]


@pytest.mark.parametrize(
    ("today", "expected"),
    [
        (
            date(2027, 1, 15),
            [
                ("2026-Q4b", date(2027, 1, 1), date(2027, 1, 31)),
                ("2027-Q1", date(2027, 2, 1), date(2027, 4, 30)),
            ],
        ),
        (
            date(2027, 2, 3),
            [
                ("2027-Q1", date(2027, 2, 1), date(2027, 4, 30)),
                ("2027-Q2", date(2027, 5, 1), date(2027, 7, 31)),
                ("2026-Q4b", date(2027, 1, 1), date(2027, 1, 31)),
            ],
        ),
        (
            date(2027, 8, 1),
            [
                ("2027-Q3", date(2027, 8, 1), date(2027, 10, 31)),
                ("2027-Q4", date(2027, 11, 1), date(2028, 1, 31)),
                ("2027-Q2", date(2027, 5, 1), date(2027, 7, 31)),
                ("2027-Q1", date(2027, 2, 1), date(2027, 4, 30)),
                ("2026-Q4b", date(2027, 1, 1), date(2027, 1, 31)),
            ],
        ),
    ],
)
def test_a_quarter_that_a_review_covers_in_part_is_reviewed_from_the_day_after(
    cast: Cast, review: Review, today: date, expected: list[tuple[str, date, date]]
) -> None:
    signed(cast, review, TODAY)
    year_begins(2)
    assert free(today) == expected


def test_nothing_is_free_while_a_review_is_open_and_it_keeps_its_days(cast: Cast, review: Review) -> None:
    year_begins(2)
    assert free(TODAY) == []
    signed(cast, review, TODAY)
    review.refresh_from_db()
    assert (review.quarter, review.starts, review.ends) == ("2026-Q4", date(2026, 10, 1), date(2026, 12, 31))
    # 30 November lies in November to January, of which the review covers two months
    assert free(TODAY)[0] == ("2026-Q4b", date(2027, 1, 1), date(2027, 1, 31))


def test_whatever_the_year_begins_with_each_day_is_in_one_review_and_each_name_is_once(cast: Cast, db: None) -> None:
    today, months = date(2026, 1, 10), [1, 4, 12, 2, 2, 11, 7, 1, 10, 3, 5, 9, 4, 8, 6, 1]
    for month in months:
        year_begins(month)
        while quarters := quarters_to_open(today):
            earliest = min(quarters, key=lambda quarter: quarter.starts)
            review = open_review(cast.architect, earliest.quarter, today)
            Review.objects.filter(pk=review.pk).update(state="closed")
        today += timedelta(days=100)
    made = list(Review.objects.order_by("starts"))
    assert len({review.quarter for review in made}) == len(made) > len(months)
    for before, after in pairwise(made):
        assert after.starts == before.ends + timedelta(days=1)
    assert [r.pk for r in reviews()] == [r.pk for r in reversed(made)]


def test_the_page_says_which_days_and_why_and_is_true_where_nothing_is_left(
    cast: Cast, review: Review, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed(cast, review, TODAY)
    client = client_of(cast.architect)
    monkeypatch.setattr(timezone, "localdate", lambda *_: TODAY)
    page = body(client.get("/reviews/")).decode()
    assert "2027-Q1: 1 January 2027 to 31 March 2027, the next quarter" in page
    assert "The first is the present one" not in page and "first month of the year was changed" not in page
    year_begins(2)
    page = body(client.get("/reviews/")).decode()
    assert "2026-Q4b: 1 January 2027 to 31 January 2027, the rest of this quarter" in page
    assert "begins on the day after" in page
    assert client.post("/reviews/open/", {"quarter": "2026-Q4b"}).headers["Location"] == "/reviews/2026-Q4b/"
    for quarter in ("2026-Q4b", "2027-Q1"):
        signed(cast, Review.objects.get(quarter=quarter), TODAY)
        if quarter == "2026-Q4b":
            open_review(cast.architect, Quarter(2027, 1), TODAY)
    assert "reviewed: the reviews below reach to 30 April 2027" in body(client.get("/reviews/")).decode()


@pytest.mark.parametrize(("month", "day", "label"), [(4, TODAY, "2026-Q4"), (10, TODAY, "2026-Q4")])
def test_now_is_called_as_the_review_of_its_days(
    cast: Cast,
    review: Review,
    client_of: ClientOf,
    monkeypatch: pytest.MonkeyPatch,
    month: int,
    day: date,
    label: str,
) -> None:
    signed(cast, review, TODAY)
    year_begins(month)
    monkeypatch.setattr(timezone, "localdate", lambda *_: day)
    assert f"now ({label})" in body(client_of(cast.viewer).get("/")).decode()
    monkeypatch.setattr(timezone, "localdate", lambda *_: date(2027, 2, 1))
    if month == 4:
        assert "now (2026-Q4b)" in body(client_of(cast.viewer).get("/")).decode(), (
            "which is not the one that was signed"
        )


def test_the_last_decision_and_the_last_review_are_those_of_the_later_days(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    decided(cast.architect, entry_of(review, chat), kind="stays", reason="First.")
    signed(cast, review, TODAY)
    year_begins(10)  # January to March 2027 is the second quarter of the year that began in October 2026
    later = date(2027, 2, 1)
    second = open_review(cast.architect, Quarter(2026, 2), later)
    assert second.quarter == "2026-Q2"
    last = decided(cast.architect, entry_of(second, chat), later, kind="stays", reason="Second.")
    signed(cast, second, later)
    shown = on_workload(cast.viewer, chat, None, later).entry
    assert shown is not None and shown.review == second
    third = open_review(cast.architect, Quarter(2026, 3), later)
    assert entry_of(third, chat).before == last
    page = body(client_of(cast.viewer).get("/reviews/comparison/?a=2026-Q4&b=2026-Q2")).decode()
    assert "2026-Q4 and 2026-Q2" in page and "The earlier quarter comes first" not in page
    swapped = body(client_of(cast.viewer).get("/reviews/comparison/?a=2026-Q2&b=2026-Q4")).decode()
    assert "2026-Q4 and 2026-Q2" in swapped and "The earlier quarter comes first" in swapped
    assert "2026-Q2 and 2026-Q3" in body(client_of(cast.viewer).get("/reviews/comparison/")).decode()


def test_a_reviewers_own_decision_stands_until_a_review_of_later_days_decides(
    cast: Cast, review: Review, chat: Workload
) -> None:
    """A review of later days has an earlier name here; its decision is the newer one."""
    own = {"kind": "otherwise", "verdict": "movable", "reason": "It ran.", "evidence": "A rehearsal."}
    decided(cast.architect, entry_of(review, chat), **own)
    signed(cast, review, TODAY)
    year_begins(10)
    later = date(2027, 2, 1)
    second = open_review(cast.architect, Quarter(2026, 2), later)
    decided(cast.architect, entry_of(second, chat), later)
    entry = Review.objects.get(pk=second.pk).entries.get(workload=chat)
    close(cast.architect, second.pk, "Reviewed.", later)
    entry.refresh_from_db()
    assert entry.ended_verdict == "needs-change"


def test_a_plan_keeps_its_last_day_also_where_it_is_confirmed(cast: Cast, chat: Workload) -> None:
    other = register(cast.member, cast.search, "other")
    review = open_review(cast.architect, Quarter(2026, 3), date(2026, 9, 15))
    decided(cast.architect, entry_of(review, chat), **PLAN)
    decided(cast.architect, entry_of(review, other), **{**PLAN, "plan_quarter": "2027-Q1"})
    signed(cast, review, TODAY)
    year_begins(10)  # 2026-Q4 is July to September 2027 by now
    later = date(2027, 2, 1)
    assert [(p.outcome.value, p.why) for p in compare(review, None, later).plans] == [
        ("missed", "2026-Q4 is over"),
        ("open", "2027-Q1 is not over"),
    ]
    second = open_review(cast.architect, Quarter(2026, 2), later)
    with pytest.raises(Refused, match="2026-Q4, until 31 December 2026, which is over"):
        decided(cast.architect, entry_of(second, chat), later, kind="confirm")
    kept = decided(cast.architect, entry_of(second, other), later, kind="confirm")
    assert (kept.plan_quarter, kept.plan_ends) == ("2027-Q1", date(2027, 3, 31))
    anew = decided(cast.architect, entry_of(second, chat), later, **PLAN)
    assert anew.plan_ends == date(2027, 9, 30)


def test_plans_of_before_the_upgrade_end_as_quarters_were_counted_in_their_review(cast: Cast, chat: Workload) -> None:
    year_begins(4)
    review = open_review(cast.architect, Quarter(2026, 3), TODAY)
    plan = decided(cast.architect, entry_of(review, chat), **PLAN)
    assert plan.plan_ends == date(2027, 3, 31)
    year_begins(1)
    Decision.objects.update(plan_ends=None)
    import_module("portability.reviews.migrations.0012_quarters_by_day").fill_in(apps, None)
    plan.refresh_from_db()
    assert plan.plan_ends == date(2027, 3, 31)


def test_the_form_of_a_plan_names_the_day_and_begins_with_that_of_the_last_one(
    cast: Cast, chat: Workload, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    review = open_review(cast.architect, Quarter(2026, 3), date(2026, 9, 15))
    decided(cast.architect, entry_of(review, chat), **{**PLAN, "plan_quarter": "2027-Q1"})
    signed(cast, review, TODAY)
    year_begins(10)
    monkeypatch.setattr(timezone, "localdate", lambda *_: TODAY)
    second = open_review(cast.architect, Quarter(2026, 1), TODAY)
    page = body(client_of(cast.architect).get(f"/reviews/{second.quarter}/?at={entry_of(second, chat).pk}")).decode()
    assert '<option value="2026-Q2" selected>2026-Q2, 31 March 2027</option>' in page
