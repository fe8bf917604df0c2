"""The same moment: two reviewers on one entry, and what is judged, registered or settled meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, connections, transaction

from portability.organisation.actions import save_settings
from portability.organisation.queries import stored
from portability.register.models import Row
from portability.reviews.actions import close, decide, decide_many, open_review, undo_last
from portability.reviews.decided import with_decided
from portability.reviews.errors import Conflict, Refused
from portability.reviews.given import Given
from portability.reviews.models import Decision, Entry, Record, Review
from portability.workloads.actions import restore, retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import PINNED, Q4, SERVING, TODAY, decided, entry_of, register, revise, seen, standing, waived
from tests.reviews.test_follow import chosen

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
STAYS = Given("stays", reason="It stays.")


def together(*acts: Callable[[], Any]) -> list[Any]:
    """Do acts in threads of their own, begun together: what each gave, or the exception it ended with."""
    ready = Barrier(len(acts))

    def do(act: Callable[[], Any]) -> Any:
        try:
            ready.wait(10)
            return act()
        except (Conflict, Refused) as told:
            return told
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as pool:
        return [future.result(60) for future in [pool.submit(do, act) for act in acts]]


def kinds(answers: list[Any]) -> list[str]:
    """The classes of what came back, by name."""
    return sorted(type(answer).__name__ for answer in answers)


def test_of_two_reviewers_on_one_entry_the_second_is_told(cast: Cast, review: Review, chat: Workload) -> None:
    cast.curator.architect = True
    cast.curator.save()
    entry = entry_of(review, chat)
    shown = seen(entry)
    answers = together(
        lambda: decide(cast.architect, entry.pk, STAYS, shown, TODAY),
        lambda: decide(cast.curator, entry.pk, Given("agree"), shown, TODAY),
    )
    assert kinds(answers) == ["Conflict", "Decision"]
    assert entry_of(review, chat).decision == Decision.objects.get()


def test_a_form_sent_three_times_at_once_counts_once(cast: Cast, review: Review, chat: Workload) -> None:
    entry = entry_of(review, chat)
    shown = seen(entry)
    answers = together(*[lambda: decide(cast.architect, entry.pk, STAYS, shown, TODAY)] * 3)
    assert len({answer.pk for answer in answers}) == Decision.objects.count() == 1


def test_of_two_bulk_decisions_over_the_same_entries_one_is_made_whole(cast: Cast, review: Review) -> None:
    cast.curator.architect = True
    cast.curator.save()
    some = [entry_of(review, register(cast.member, cast.search, f"w{n}")) for n in range(4)]
    shown = {e.pk: seen(e) for e in some}
    answers = together(
        lambda: decide_many(cast.architect, shown, STAYS, TODAY),
        lambda: decide_many(cast.curator, dict(reversed(shown.items())), STAYS, TODAY),
    )
    assert kinds(answers) == ["Conflict", "list"]
    assert Decision.objects.count() == 4 and len(set(Decision.objects.values_list("bulk", flat=True))) == 1


def test_one_review_is_opened_by_two_at_once(cast: Cast, chat: Workload) -> None:
    answers = together(*[lambda: open_review(cast.architect, Q4, TODAY)] * 2)
    assert kinds(answers) == ["Refused", "Review"]
    assert Entry.objects.count() == 1


def test_what_is_registered_while_a_review_is_opened_is_in_it(cast: Cast, chat: Workload) -> None:
    review, *_ = together(
        lambda: open_review(cast.architect, Q4, TODAY),
        *[lambda n=n: register(cast.member, cast.search, f"late-{n}") for n in range(3)],
    )
    assert review.entries.count() == Workload.objects.count() == 4


def test_what_is_revised_retired_or_restored_while_a_review_is_opened_is_seen_by_it(cast: Cast, chat: Workload) -> None:
    gone, back = (register(cast.member, cast.search, name) for name in ("gone", "back"))
    retire(cast.member, back.pk, "paused")
    review, *others = together(
        lambda: open_review(cast.architect, Q4, TODAY),
        lambda: revise(cast.member, chat, SERVING, **PINNED),
        lambda: retire(cast.member, gone.pk, "replaced"),
        lambda: restore(cast.member, back.pk),
    )
    assert not any(isinstance(other, Exception) for other in others)
    states = {e.workload_id: e.state for e in review.entries.all()}
    assert states.pop(gone.pk, "retired") == "retired"
    assert states == {chat.pk: "open", back.pk: "open"}
    assert standing(entry_of(review, chat)).engine_verdict == "pinned"


def test_settings_are_saved_while_entries_are_decided_and_waived(cast: Cast, review: Review, chat: Workload) -> None:
    save_settings(cast.administrator, stored().version, chosen(name="Example Bank"))
    other = entry_of(review, register(cast.member, cast.search, "on-other", vendor="other"))
    entry = entry_of(review, chat)
    waived(cast.architect, entry, "RES001")
    shown = seen(entry)
    own = Given("otherwise", verdict="pinned", reason="It did not run.", evidence="Rehearsed.")
    decision, _, saved = together(
        lambda: decide(cast.architect, entry.pk, own, shown, TODAY),
        lambda: waived(cast.architect, entry, "IMG001"),
        lambda: save_settings(
            cast.administrator,
            stored().version,
            chosen(not_waivable=("RES001",), targets={"other": "mi300x-single"}),
        ),
    )
    assert isinstance(decision, Decision) and not isinstance(saved, Exception)
    line = standing(entry)
    assert (line.decided_verdict, line.waived) == ("pinned", 1)
    assert entry_of(review, other.workload).target is not None


def test_what_is_decided_while_it_is_judged_stands_or_asks_again(cast: Cast, review: Review, chat: Workload) -> None:
    entry = entry_of(review, chat)
    shown = seen(entry)
    own = Given("otherwise", verdict="movable", reason="It ran.", evidence="Rehearsed.")
    decision, _ = together(
        lambda: decide(cast.architect, entry.pk, own, shown, TODAY),
        lambda: revise(cast.member, chat, "# moved\n" + SERVING),
    )
    assert isinstance(decision, Decision)
    row: Any = with_decided(Row.objects.filter(workload=chat, target=entry.target_id), TODAY)
    assert row.values_list("decided_verdict", flat=True).get() == "movable"
    assert not standing(entry).asks_again


def test_nothing_is_decided_past_a_closing(cast: Cast, review: Review, chat: Workload) -> None:
    cast.curator.architect = True
    cast.curator.save()
    entry = entry_of(review, chat)
    decided(cast.architect, entry)
    shown = seen(entry)
    answers = together(
        lambda: close(cast.architect, review.pk, "Reviewed.", TODAY),
        lambda: decide(cast.curator, entry.pk, STAYS, shown, TODAY),
        lambda: revise(cast.member, chat, SERVING, **PINNED),
    )
    review.refresh_from_db()
    if review.state == Review.State.CLOSED:
        said = Record.objects.get().text
        kept = entry_of(review, chat).decision
        assert kept is not None and f'"kind":"{kept.kind}"' in said and kept.engine_verdict == "needs-change"
    else:
        assert isinstance(answers[0], Refused)  # it asked again by then
    assert not isinstance(answers[2], Exception)


def test_two_closings_at_once_make_one_record(cast: Cast, review: Review, chat: Workload) -> None:
    decided(cast.architect, entry_of(review, chat))
    answers = together(
        lambda: close(cast.architect, review.pk, "Reviewed.", TODAY),
        lambda: close(cast.architect, review.pk, "Reviewed too.", TODAY),
    )
    assert kinds(answers) == ["Record", "Refused"]
    assert Record.objects.count() == 1


def test_undoing_and_deciding_at_once_leave_one_answer(cast: Cast, review: Review, chat: Workload) -> None:
    cast.curator.architect = True
    cast.curator.save()
    entry = entry_of(review, chat)
    decided(cast.architect, entry)
    shown = seen(entry)
    undone, second = together(
        lambda: undo_last(cast.architect, review.pk, TODAY),
        lambda: decide(cast.curator, entry.pk, STAYS, shown, TODAY),
    )
    now = entry_of(review, chat)
    if isinstance(second, Decision):
        assert now.decision == second and isinstance(undone, Refused)
    else:
        assert isinstance(second, Conflict) and now.decision is None


def test_a_waiver_given_while_its_rule_is_closed_to_waivers_does_not_count(
    cast: Cast, review: Review, chat: Workload
) -> None:
    save_settings(cast.administrator, stored().version, chosen(name="Example Bank"))
    entry = entry_of(review, chat)
    together(
        lambda: waived(cast.architect, entry, "IMG001"),
        lambda: save_settings(cast.administrator, stored().version, chosen(not_waivable=("IMG001",))),
    )
    assert standing(entry).waived == 0


def test_what_joins_and_is_decided_while_somebody_signs_is_looked_at_first(
    cast: Cast, review: Review, chat: Workload
) -> None:
    """PostgreSQL: who signs waits for who registers, and has not locked the workload that is new by then."""
    decided(cast.architect, entry_of(review, chat))
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            late = register(cast.member, cast.search, "late")
            decided(cast.architect, entry_of(review, late))
            signed = pool.submit(together, lambda: close(cast.architect, review.pk, "Reviewed.", TODAY))
            while connection.vendor == "postgresql" and not _somebody_waits():
                assert not signed.done()
        [answer] = signed.result(60)
    if connection.vendor == "postgresql":
        assert isinstance(answer, Refused) and "joined the review at this moment" in str(answer)
    else:  # writers of SQLite wait for each other: it was there before
        assert isinstance(answer, Record)
    assert isinstance(close(cast.architect, review.pk, "Reviewed.", TODAY), Record)


def _somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])
