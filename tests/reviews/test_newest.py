"""For a workload and a target the newest decision for that target counts, wherever its entry was moved since."""

from __future__ import annotations

from datetime import date
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from portability.organisation.dates import Quarter
from portability.organisation.queries import default_targets
from portability.register.decisions import standings
from portability.register.models import Row
from portability.reviews.actions import close, move_to_default, open_review, settle, undo_last
from portability.reviews.models import Decided, Entry, Review, Unsettled
from portability.reviews.settling import take_over
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import SERVING, TODAY, choose_target, decided, entry_of, register, revise, target, waived

pytestmark = pytest.mark.database

NEW = "mi355x-single"
Q1_DAY, Q2_DAY = date(2027, 1, 11), date(2027, 4, 3)
OTHERWISE = {"kind": "otherwise", "verdict": "movable", "reason": "It ran.", "evidence": "Rehearsed."}
TAKEN_BACK = ("needs-change", "agree", "needs-change", "stands")
OWN = ("movable", "otherwise", "movable", "stands")


@pytest.fixture
def entry(review: Review, chat: Workload) -> Entry:
    """The entry of `chat` for the target that `told` asks about; kept as it was, whatever it is moved to."""
    return entry_of(review, chat)


@pytest.fixture
def taken_back(cast: Cast, entry: Entry) -> Entry:
    """Decided otherwise and signed; taken back in the next review, whose entry was moved, and decided there too."""
    decided(cast.architect, entry, **OTHERWISE)
    close(cast.architect, entry.review_id, "Reviewed.", TODAY)
    later = entry_of(open_review(cast.architect, Quarter(2027, 1), Q1_DAY), entry.workload)
    decided(cast.architect, later, Q1_DAY)
    move(cast, later, NEW, Q1_DAY)
    decided(cast.architect, entry_of(later.review, later.workload), Q1_DAY)
    choose_target()
    return later


def move(cast: Cast, entry: Entry, name: str, today: date = TODAY) -> None:
    choose_target(name=name)
    shown = {vendor: chosen.pk for vendor, chosen in default_targets().items()}
    assert move_to_default(cast.architect, entry.review_id, today, shown)


def told(entry: Entry, today: date = TODAY) -> tuple[str, str, str, str]:
    """How the workload stands for the target: decided verdict, decision, as what, and what has become of it."""
    row = Row.objects.get(workload=entry.workload_id, target=target())
    [standing] = standings([row], today)
    return standing.verdict, standing.kind, standing.decided_as, standing.still


def test_what_was_taken_back_stays_so_where_its_entry_was_moved(taken_back: Entry) -> None:
    assert told(taken_back, Q1_DAY) == TAKEN_BACK and not Decided.objects.exists()


def test_it_stays_so_where_the_entry_is_moved_back(cast: Cast, taken_back: Entry) -> None:
    move(cast, taken_back, "mi300x-single", Q1_DAY)
    assert told(taken_back, Q1_DAY)[0] == "needs-change" and not Decided.objects.exists()


def test_it_stays_so_where_something_is_waived(cast: Cast, taken_back: Entry) -> None:
    waived(cast.architect, taken_back, "RES001", today=Q1_DAY)
    assert told(taken_back, Q1_DAY) == TAKEN_BACK
    [waived_alone] = Decided.objects.all()
    assert (waived_alone.verdict, waived_alone.decision) == ("needs-change", None)


def test_it_stays_so_in_the_next_review(cast: Cast, taken_back: Entry) -> None:
    close(cast.architect, taken_back.review_id, "Reviewed.", Q1_DAY)
    open_review(cast.architect, Quarter(2027, 2), Q2_DAY)
    revise(cast.member, taken_back.workload, SERVING + "---\n" + "kind: Namespace\nmetadata: {name: chat}\n")
    revise(cast.member, taken_back.workload, SERVING)
    with transaction.atomic():
        settle({(taken_back.workload_id, target().pk)}, Q2_DAY)
    assert told(taken_back, Q2_DAY) == TAKEN_BACK and not Decided.objects.exists()


def test_what_was_stored_by_another_rule_is_worked_out_anew(taken_back: Entry) -> None:
    row = Row.objects.get(workload=taken_back.workload_id, target=target())
    Decided.objects.create(
        workload=taken_back.workload,
        target=target(),
        assessment_id=row.assessment_id,
        verdict="movable",
        with_waivers="needs-change",
    )
    assert told(taken_back, Q1_DAY)[0] == "movable"
    import_module("portability.reviews.migrations.0015_newest_counts").settle_again(apps, None)
    assert list(Unsettled.objects.values_list("target__name", flat=True)) == ["mi300x-single"]
    take_over()
    assert told(taken_back, Q1_DAY) == TAKEN_BACK


def test_what_nobody_took_back_counts_for_its_target_wherever_its_entry_is(cast: Cast, entry: Entry) -> None:
    decided(cast.architect, entry, **OTHERWISE)
    move(cast, entry, NEW)
    assert told(entry) == OWN
    decided(cast.architect, entry_of(entry.review, entry.workload))
    assert told(entry) == OWN
    waived(cast.architect, entry, "RES001")
    assert told(entry) == OWN
    assert set(Decided.objects.values_list("target__name", flat=True)) == {"mi300x-single"}


def test_moved_back_from_where_it_was_decided_it_asks_again(cast: Cast, entry: Entry) -> None:
    decided(cast.architect, entry, **OTHERWISE)
    move(cast, entry, NEW)
    decided(cast.architect, entry_of(entry.review, entry.workload))
    move(cast, entry, "mi300x-single")
    assert told(entry) == (*OWN[:3], "asks again")
    decided(cast.architect, entry_of(entry.review, entry.workload))
    assert told(entry) == TAKEN_BACK


def test_it_counts_no_more_once_what_it_was_made_on_changed(cast: Cast, entry: Entry) -> None:
    decided(cast.architect, entry, **OTHERWISE)
    move(cast, entry, NEW)
    revise(cast.member, entry.workload, SERVING.replace("v0.23.0", "v0.24.0"))
    assert told(entry) == ("needs-change", "otherwise", "movable", "out of date")


def test_undone_the_one_before_counts_again(cast: Cast, entry: Entry) -> None:
    decided(cast.architect, entry, **OTHERWISE)
    close(cast.architect, entry.review_id, "Reviewed.", TODAY)
    later = entry_of(open_review(cast.architect, Quarter(2027, 1), Q1_DAY), entry.workload)
    decided(cast.architect, later, Q1_DAY)
    assert told(entry, Q1_DAY) == TAKEN_BACK
    undo_last(cast.architect, later.review_id, Q1_DAY)
    assert told(entry, Q1_DAY) == OWN


def test_undone_after_a_move_it_counts_no_more_for_the_target_it_was_made_for(cast: Cast, entry: Entry) -> None:
    decided(cast.architect, entry, **OTHERWISE)
    move(cast, entry, NEW)
    undo_last(cast.architect, entry.review_id, TODAY)
    assert told(entry) == ("needs-change", "", "", "") and not Decided.objects.exists()


def test_taken_back_after_a_move_and_undone_the_one_before_counts_again(cast: Cast, taken_back: Entry) -> None:
    undo_last(cast.architect, taken_back.review_id, Q1_DAY)
    assert told(taken_back, Q1_DAY) == TAKEN_BACK, "what was undone was for another target"
    undo_last(cast.architect, taken_back.review_id, Q1_DAY)
    assert told(taken_back, Q1_DAY) == OWN


def test_their_number_costs_no_queries(cast: Cast, entry: Entry) -> None:
    others = [register(cast.member, cast.search, f"other-{number}") for number in range(3)]
    every = [entry, *(entry_of(entry.review, workload) for workload in others)]
    for one in every:
        decided(cast.architect, one, **OTHERWISE)
    rows = list(Row.objects.filter(target=target()))

    def queries(some: list[Entry]) -> tuple[int, int]:
        ids = {one.workload_id for one in some}
        pairs = {(pk, rows[0].target_id) for pk in ids}
        with transaction.atomic(), CaptureQueriesContext(connection) as settling:
            settle(pairs, TODAY)
        with CaptureQueriesContext(connection) as telling:
            standings([row for row in rows if row.workload_id in ids], TODAY)
        return len(settling), len(telling)

    assert queries(every) == queries(every[:1])
