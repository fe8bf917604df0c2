"""The movement over the quarters: from the records of closed reviews, which never change, and how it is now."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portability.accounts.models import Person
from portability.exposure.queries import exposure
from portability.exposure.shapes import Exposure
from portability.organisation.dates import Quarter
from portability.reviews.actions import close, open_review
from portability.reviews.models import Review
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import PINNED, SERVING, choose_target, decided, entry_of, register, revise

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]

AUGUST, NOVEMBER = date(2026, 8, 20), date(2026, 11, 30)


@pytest.fixture
def two(cast: Cast, shipped: None) -> list[Workload]:
    """Two workloads that need change, two GPUs each."""
    choose_target()
    return [register(cast.member, cast.search, name) for name in ("chat", "search")]


def reviewed(cast: Cast, quarter: Quarter, today: date, workloads: list[Workload]) -> Review:
    """A review of the quarter in which everybody agreed, closed."""
    review = open_review(cast.architect, quarter, today)
    for workload in workloads:
        decided(cast.architect, entry_of(review, workload), today)
    close(cast.architect, review.pk, "Reviewed with the teams.", today)
    return review


def shown(found: Exposure) -> list[tuple[str, list[int], int]]:
    """Each quarter with its four states, and the GPUs that would stop."""
    return [(p.label, [s.figure.workloads for s in p.states], p.exposed.amount.gpus) for p in found.periods]


def test_until_a_review_is_closed_there_is_only_now(two: list[Workload], cast: Cast, client_of: ClientOf) -> None:
    assert shown(exposure("nvidia", decided=False, today=NOVEMBER)) == [("now (2026-Q4)", [0, 2, 0, 0], 4)]
    assert "The first review is not closed yet" in client_of(cast.viewer).get("/").content.decode()


def test_each_closed_quarter_stands_as_it_was_signed(
    two: list[Workload], cast: Cast, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewed(cast, Quarter(2026, 3), AUGUST, two)
    revise(cast.member, two[0], SERVING, **PINNED)
    reviewed(cast, Quarter(2026, 4), NOVEMBER, two)
    register(cast.member, cast.search, "late")
    Workload.objects.filter(name="search").update(retired_at=timezone.now(), name="renamed")
    assert shown(exposure("nvidia", decided=False, today=NOVEMBER)) == [
        ("2026-Q3", [0, 2, 0, 0], 4),
        ("2026-Q4", [1, 1, 0, 0], 4),
        ("now (2026-Q4)", [1, 1, 0, 0], 4),
    ]
    monkeypatch.setattr(timezone, "localdate", lambda *_: NOVEMBER)
    page = client_of(cast.viewer).get("/").content.decode()
    assert '<a href="/reviews/2026-Q3/report/">2026-Q3</a>' in page
    assert "The first review is not closed yet" not in page


def test_records_are_read_once_and_of_the_vendor_only(two: list[Workload], cast: Cast) -> None:
    choose_target("amd", "h100")
    other = register(cast.outsider, cast.media, "elsewhere", vendor="amd")
    reviewed(cast, Quarter(2026, 3), AUGUST, [*two, other])
    found = exposure("amd", decided=False, today=NOVEMBER)
    assert sum(shown(found)[0][1]) == 1
    with CaptureQueriesContext(connection) as queries:
        exposure("nvidia", decided=False, today=NOVEMBER)
    assert not [q for q in queries if '"reviews_record"."text"' in q["sql"]]
