"""The queue: its order, its filters, its pages, and how far along a review is."""

from __future__ import annotations

from typing import Any

import pytest

from portability.matrices.models import Release
from portability.reviews.actions import assign, close, defer, open_review, undo_last
from portability.reviews.models import Entry, Review
from portability.reviews.queue import ORDERS, STATES, Wanted, progress, queue
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.matrices.keeping import DAY, publish, redraft, work
from tests.register.generate import generate
from tests.reviews.making import (
    NOTHING,
    PINNED,
    Q4,
    SERVING,
    TODAY,
    choose_target,
    decided,
    entry_of,
    register,
    revise,
)

pytestmark = pytest.mark.database


def names(review: Review, **wanted: Any) -> list[str]:
    """The workloads of a queue, in its order."""
    found = Entry.objects.select_related("workload").in_bulk()
    return [found[pk].workload.name for pk in queue(review, Wanted(**wanted), TODAY).ids]


@pytest.fixture
def several(cast: Cast, review: Review) -> Review:
    """Beside `chat` (search, high): critical and low, pinned and not assessed, of two teams, one that changed."""
    who, media = cast.outsider, cast.media
    register(cast.member, cast.search, "critical", criticality="critical")
    register(who, media, "low-pinned", criticality="low", **PINNED)
    register(who, media, "high-pinned", criticality="high", **PINNED)
    register(who, media, "unread", NOTHING, criticality="low")
    moved = register(cast.member, cast.search, "moved", criticality="low")
    revise(cast.member, moved, SERVING, **PINNED)  # saves it as high, too
    return review


def test_what_changed_comes_first_then_critical_then_pinned(several: Review) -> None:
    assert names(several, by_team=False) == ["moved", "critical", "high-pinned", "chat", "low-pinned", "unread"]


def test_teams_stay_together_that_of_the_most_urgent_first(several: Review) -> None:
    assert names(several) == ["moved", "critical", "chat", "high-pinned", "low-pinned", "unread"]


def test_other_orders(several: Review) -> None:
    assert names(several, by_team=False, order="name") == sorted(names(several))
    assert names(several, by_team=False, order="gpus")[-1] == "unread"
    assert set(ORDERS) == {"first", "gpus", "name"}


def test_filters_narrow_it_and_what_is_no_choice_finds_nothing(cast: Cast, several: Review) -> None:
    assert names(several, team=cast.media.pk, by_team=False) == ["high-pinned", "low-pinned", "unread"]
    assert names(several, criticality="critical") == ["critical"]
    assert set(names(several, verdict="pinned")) == {"moved", "high-pinned", "low-pinned"}
    assert names(several, verdict="not-assessed") == ["unread"]
    assert names(several, changed="any") == names(several, changed="manifest") == ["moved"]
    assert names(several, changed="matrix") == []
    assert names(several, text="PINNED", by_team=False) == ["high-pinned", "low-pinned"]
    assert names(several, verdict="maybe") == names(several, state="maybe") == names(several, changed="maybe") == []


def test_what_asks_again_under_the_same_verdict_is_found_by_its_cause(
    cast: Cast, several: Review, chat: Workload
) -> None:
    decided(cast.architect, entry_of(several, chat))
    assert names(several, changed="manifest") == ["moved"]
    revise(cast.member, chat, SERVING.replace("v0.23.0", "v0.24.0"))
    assert names(several, changed="manifest", by_team=False) == ["moved", "chat"]
    assert names(several, state="again") == ["chat"]
    assert names(several, changed="matrix") == []


def test_what_a_cause_changed_since_the_last_review_is_found(cast: Cast, review: Review, chat: Workload) -> None:
    decided(cast.architect, entry_of(review, chat))
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    plugin = Release.objects.get(source="amd-device-plugin", state="published")
    publish(cast.curator, redraft(plugin, {"naming/single/name": "amd.com/other"}, read=DAY), gone_through=True)
    work()
    second = open_review(cast.architect, Q4.next, TODAY)
    assert names(second, changed="matrix") == names(second, changed="any") == ["chat"]
    assert names(second, changed="manifest") == []


def test_each_state_is_a_filter_and_a_count(cast: Cast, several: Review, chat: Workload) -> None:
    who = cast.architect
    decided(who, entry_of(several, chat))
    pinned = Workload.objects.get(name="high-pinned")
    decided(who, entry_of(several, pinned))
    revise(cast.outsider, pinned, SERVING)
    late = entry_of(several, Workload.objects.get(name="low-pinned"))
    defer(who, late.pk, late.version, "Registered last week.")
    retire(cast.outsider, Workload.objects.get(name="unread").pk, "replaced")
    assign(who, [entry_of(several, pinned).pk], who)
    assert names(several, state="again") == ["high-pinned"]
    assert names(several, state="decided") == ["chat"]
    assert names(several, state="deferred") == ["low-pinned"]
    assert names(several, state="retired") == ["unread"]
    assert set(names(several, state="to-do")) == {"high-pinned", "critical", "moved"}
    assert set(names(several, state="new")) == {"critical", "low-pinned", "high-pinned", "moved"}
    assert len(names(several, state="all")) == 6
    assert names(several, assigned=who.pk) == ["high-pinned"] and set(names(several, assigned=0)) == {
        "critical",
        "moved",
    }
    assert names(several, state="elsewhere") == names(several, state="question") == []
    assert set(STATES) == {"to-do", "again", "decided", "question", "elsewhere", "new", "deferred", "retired", "all"}
    found = progress(several, TODAY, who.pk)
    assert (found.decided, found.again, found.open, found.deferred, found.retired) == (1, 1, 2, 1, 1)
    assert (found.all, found.left, found.new, found.mine, found.empty) == (4, 3, 4, 1, False)


def test_next_and_previous_are_told_of_what_is_no_longer_wanted_too(cast: Cast, several: Review) -> None:
    wanted = Wanted(by_team=False)
    order = queue(several, wanted, TODAY).ids
    second = queue(several, wanted, TODAY).around(order[1])
    assert (second.previous, second.next, second.place, second.of) == (order[0], order[2], 2, 6)
    decided(cast.architect, Entry.objects.select_related("review").get(pk=order[1]))
    found = queue(several, wanted, TODAY)
    after = found.around(order[1])
    assert (after.previous, after.next) == (order[0], order[2])
    ends = found.around(order[0]).previous, found.around(order[-1]).next
    assert ends == (None, None)
    nowhere = found.around(0)
    assert (nowhere.previous, nowhere.next, nowhere.place) == (None, order[0], 0)


def test_a_page_costs_the_same_queries_at_any_size(cast: Cast, shipped: None, django_assert_num_queries: Any) -> None:
    generate(120, choose_target())
    review = open_review(cast.architect, Q4, TODAY)
    with django_assert_num_queries(2):
        first = queue(review, Wanted(), TODAY).page(1)
    assert (len(first.lines), first.pages, first.total) == (50, 3, 120)
    with django_assert_num_queries(2):
        last = queue(review, Wanted(), TODAY).page(99)
        assert [line.entry.workload.team.name for line in last.lines]
    assert (len(last.lines), last.number) == (20, 3)
    with django_assert_num_queries(1):
        assert progress(review, TODAY).all == 120


def test_teams_keep_their_order_while_one_decides_and_undoes(cast: Cast, several: Review) -> None:
    order = names(several, state="all")
    for name in ("moved", "critical"):
        decided(cast.architect, entry_of(several, Workload.objects.get(name=name)))
    assert names(several) == [name for name in order if name not in ("moved", "critical")]
    assert names(several, verdict="needs-change", state="all") == ["critical", "chat"]
    undo_last(cast.architect, several.pk, TODAY)
    assert names(several) == [name for name in order if name != "moved"]
    assert names(several, state="all") == order


def test_what_asked_again_keeps_its_place_once_it_is_decided(cast: Cast, several: Review, chat: Workload) -> None:
    entry = entry_of(several, chat)
    decided(cast.architect, entry)
    revise(cast.member, chat, SERVING.replace("v0.23.0", "v0.24.0"))
    before = names(several, by_team=False)
    assert before[:3] == ["moved", "chat", "critical"]
    decided(cast.architect, entry_of(several, chat))
    found = queue(several, Wanted(by_team=False), TODAY)
    assert [name for name in before if name != "chat"] == names(several, by_team=False)
    assert found.next_to_do(entry.pk) == entry_of(several, Workload.objects.get(name="critical")).pk
    assert found.around(entry.pk).place == 2


def test_deciding_anew_moves_nothing(cast: Cast, several: Review, chat: Workload) -> None:
    order = names(several, state="all", by_team=False)
    for given in ({}, {"kind": "stays", "reason": "It stays."}, {"kind": "agree", "reason": "After all."}):
        decided(cast.architect, entry_of(several, chat), **given)
        assert names(several, state="all", by_team=False) == order
    undo_last(cast.architect, several.pk, TODAY)
    assert names(several, state="all", by_team=False) == order


def test_what_asked_again_keeps_its_place_however_often_it_is_decided(
    cast: Cast, several: Review, chat: Workload
) -> None:
    decided(cast.architect, entry_of(several, chat))
    revise(cast.member, chat, SERVING.replace("v0.23.0", "v0.24.0"))
    order = names(several, state="all", by_team=False)
    assert order[:3] == ["moved", "chat", "critical"]
    for _ in range(2):
        decided(cast.architect, entry_of(several, chat))
        assert names(several, state="all", by_team=False) == order
    for _ in range(2):
        undo_last(cast.architect, several.pk, TODAY)
        assert names(several, state="all", by_team=False) == order


def test_an_entry_that_the_filters_leave_out_has_a_place_where_it_is_looked_at(
    cast: Cast, several: Review, chat: Workload
) -> None:
    entry = entry_of(several, chat)
    wanted = Wanted(verdict="pinned", by_team=False)
    at = queue(several, wanted, TODAY, entry.pk)
    order = [Entry.objects.get(workload__name=name).pk for name in ("moved", "high-pinned", "low-pinned")]
    assert at.ids == order and entry.pk not in at.ids
    assert (at.around(entry.pk).previous, at.around(entry.pk).next) == (order[1], order[2])
    assert at.next_to_do(entry.pk) == order[2]
