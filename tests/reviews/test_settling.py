"""Many workloads are worked out in the background, share by share: nobody waits, and nothing is left behind."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks

from portability.organisation.actions import save_settings
from portability.organisation.queries import stored
from portability.reviews import settling, tasks
from portability.reviews.actions import close, open_review, withdraw_waiver
from portability.reviews.errors import Refused
from portability.reviews.models import Unsettled
from portability.reviews.settling import Progress, progress
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.for_all import JAMMY, READY, SAYS, jammy, verdicts, waived_for_all
from tests.reviews.making import Q4, TODAY, choose_target, decided, entry_of, register
from tests.reviews.test_follow import chosen

pytestmark = [pytest.mark.database, pytest.mark.usefixtures("shipped")]
settle = importlib.import_module("portability.reviews.actions.settle")  # its package names the function so
NOT_YET, DONE = ("needs-change", "needs-change", 0), ("needs-change", "movable", 1)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two workloads are few; three are many."""
    monkeypatch.setattr(settle, "FEW", 2)
    monkeypatch.setattr(settling, "FEW", 2)
    yield


@pytest.fixture
def some(cast: Cast, shipped: None) -> list[Workload]:
    """Five workloads that need change only because of the target."""
    choose_target(name=JAMMY)
    return [register(cast.member, cast.search, f"w{n}", READY, **SAYS) for n in range(5)]


@pytest.mark.usefixtures("few")
def test_many_are_left_to_a_worker_which_is_woken(
    cast: Cast,
    some: list[Workload],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    woken: list[tuple[str, int]] = []
    monkeypatch.setattr(settle, "wake", lambda task, target: woken.append((task, target)))
    with django_capture_on_commit_callbacks(execute=True):
        waived_for_all(cast.architect)
    assert {verdicts(w) for w in some} == {NOT_YET}
    assert progress(jammy().pk) == Progress(0, 5)
    assert woken == [(tasks.settle_target.name, jammy().pk)]
    tasks.settle_target(jammy().pk)
    assert {verdicts(w) for w in some} == {DONE}
    assert progress(jammy().pk) is None and not Unsettled.objects.exists()


@pytest.mark.usefixtures("few")
def test_it_is_done_share_by_share_and_taken_up_where_it_was_left(cast: Cast, some: list[Workload]) -> None:
    waived_for_all(cast.architect)
    settling.settle_target(jammy().pk, until=0)
    assert progress(jammy().pk) == Progress(2, 5)
    assert [verdicts(w) for w in some] == [DONE] * 2 + [NOT_YET] * 3
    tasks.take_over()
    assert {verdicts(w) for w in some} == {DONE}


@pytest.mark.usefixtures("few")
def test_what_changes_meanwhile_begins_anew(cast: Cast, some: list[Workload]) -> None:
    waiver = waived_for_all(cast.architect)
    settling.settle_target(jammy().pk, until=0)
    withdraw_waiver(cast.architect, waiver.pk, TODAY)
    assert [verdicts(w) for w in some] == [DONE] * 2 + [NOT_YET] * 3
    assert progress(jammy().pk) == Progress(0, 5)
    settling.take_over()
    assert {verdicts(w) for w in some} == {NOT_YET}


@pytest.mark.usefixtures("few")
def test_what_is_registered_meanwhile_has_it_at_once(cast: Cast, some: list[Workload]) -> None:
    waived_for_all(cast.architect)
    assert verdicts(register(cast.member, cast.search, "late", READY, **SAYS)) == DONE


@pytest.mark.usefixtures("few")
def test_a_review_is_not_signed_off_before_it_is_done(cast: Cast, some: list[Workload]) -> None:
    review = open_review(cast.architect, Q4, TODAY)
    for workload in some:
        decided(cast.architect, entry_of(review, workload))
    waived_for_all(cast.architect)
    with pytest.raises(Refused, match="still being worked out"):
        close(cast.architect, review.pk, "Reviewed.", TODAY)
    settling.take_over()
    with pytest.raises(Refused, match="5 ask again"):
        close(cast.architect, review.pk, "Reviewed.", TODAY)


@pytest.mark.usefixtures("few")
def test_a_review_for_other_targets_does_not_wait(cast: Cast, some: list[Workload]) -> None:
    choose_target()
    review = open_review(cast.architect, Q4, TODAY)
    for workload in some:
        decided(cast.architect, entry_of(review, workload))
    waived_for_all(cast.architect)
    assert close(cast.architect, review.pk, "Reviewed.", TODAY)


@pytest.mark.usefixtures("few")
def test_settings_that_end_it_leave_it_to_a_worker_too(cast: Cast, some: list[Workload]) -> None:
    waived_for_all(cast.architect)
    settling.take_over()
    save_settings(cast.administrator, stored().version, chosen(not_waivable=("PLT001",)))
    assert {verdicts(w) for w in some} == {DONE}
    settling.take_over()
    assert {verdicts(w) for w in some} == {NOT_YET}


def test_few_are_worked_out_at_once(cast: Cast, some: list[Workload]) -> None:
    waived_for_all(cast.architect)
    assert {verdicts(w) for w in some} == {DONE}
    assert not Unsettled.objects.exists()


def test_it_takes_as_many_queries_for_more_workloads(cast: Cast, shipped: None) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            waiver = waived_for_all(cast.architect)
            withdraw_waiver(cast.architect, waiver.pk, TODAY)
        return len(asked)

    register(cast.member, cast.search, "first", READY, **SAYS)
    one = queries()
    for n in range(4):
        register(cast.member, cast.search, f"w{n}", READY, **SAYS)
    assert queries() == one <= 40


@pytest.mark.usefixtures("few")
def test_a_share_takes_as_many_queries_whatever_its_size(
    cast: Cast, some: list[Workload], monkeypatch: pytest.MonkeyPatch
) -> None:
    waived_for_all(cast.architect)
    settling.take_over()
    Unsettled.objects.create(target=jammy())
    with CaptureQueriesContext(connection) as two:
        settling.settle_target(jammy().pk, until=0)
    Unsettled.objects.update(after=0)
    monkeypatch.setattr(settling, "FEW", 5)
    with CaptureQueriesContext(connection) as five:
        settling.settle_target(jammy().pk, until=0)
    assert len(five) == len(two) <= 20
