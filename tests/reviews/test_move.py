"""Moving entries to the default target that was chosen while the review is open."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from importlib import import_module

import pytest
from django.apps import apps
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.models import Entry as AuditEntry
from portability.organisation.dates import Quarter
from portability.organisation.queries import default_targets
from portability.reviews.actions import close, decide, decide_many, defer, move_to_default, moving, open_review
from portability.reviews.errors import Conflict, Refused, Why
from portability.reviews.given import Given
from portability.reviews.models import Decided, Decision, Entry, Review
from portability.reviews.queue import Wanted, queue
from portability.targets.models import Target
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.generate import make_target
from tests.reviews.making import (
    PLAIN,
    Q4,
    SERVING,
    TODAY,
    choose_target,
    decided,
    entry_of,
    register,
    revise,
    seen,
    standing,
    waived,
)

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
NEW = "mi355x-single"
LATER = date(2027, 1, 11)
HTMX = {"HX-Request": "true"}


@pytest.fixture
def entry(review: Review, chat: Workload) -> Entry:
    """The entry of `chat`, for a target that is no longer the default one."""
    choose_target(name=NEW)
    return entry_of(review, chat)


def shown() -> dict[str, int]:
    """The default targets as a page shows them now."""
    return {vendor: target.pk for vendor, target in default_targets().items()}


def _sent() -> dict[str, list[str]]:
    """What the page's form sends."""
    return {"to": [f"{vendor}:{target}" for vendor, target in shown().items()]}


def target_of(entry: Entry) -> str:
    """The name of the target that it is for now."""
    target = Entry.objects.select_related("target").get(pk=entry.pk).target
    return target.name if target else ""


def test_an_entry_stays_on_its_target_until_it_is_moved(cast: Cast, entry: Entry) -> None:
    assert target_of(entry) == "mi300x-single"
    assert move_to_default(cast.architect, entry.review_id, TODAY, shown(), entry.pk) == [entry]
    line = standing(entry_of(entry.review, entry.workload))
    assert line.entry.target == Target.objects.get(name=NEW)
    assert line.entry.stood is not None and line.entry.stood.target.name == NEW
    assert line.entry.version == entry.version + 1 and line.moved_from == ""
    [change] = line.changed
    assert (change.cause, change.day) == ("target", TODAY.isoformat()) and "mi300x-single" in change.words
    assert queue(entry.review, Wanted(changed="target"), TODAY).ids == [entry.pk]
    assert AuditEntry.objects.get(action="review.moved").details == {"review": "2026-Q4", "to": NEW}
    assert move_to_default(cast.architect, entry.review_id, TODAY, shown(), entry.pk) == [], "it is there already"


@pytest.mark.parametrize(
    "given",
    [
        {"kind": "agree"},
        {"kind": "otherwise", "verdict": "movable", "reason": "It ran.", "evidence": "Rehearsed."},
    ],
)
def test_what_was_decided_is_kept_and_asks_again(given: dict[str, str], cast: Cast, entry: Entry) -> None:
    made = decided(cast.architect, entry, **given)
    assert not standing(entry).asks_again
    move_to_default(cast.architect, entry.review_id, TODAY, shown())
    moved = entry_of(entry.review, entry.workload)
    line = standing(moved)
    assert (moved.decision, moved.state, line.asks_again) == (made, "decided", True)
    own = {("mi300x-single", "movable")} if given["kind"] == "otherwise" else set()
    assert line.decided_verdict == line.engine_verdict
    assert set(Decided.objects.values_list("target__name", "verdict")) == own, "it counts for the target it is for"
    choose_target()
    move_to_default(cast.architect, entry.review_id, TODAY, shown())
    assert not standing(moved).asks_again, "moved back, it stands"
    choose_target(name=NEW)
    move_to_default(cast.architect, entry.review_id, TODAY, shown())
    moved = entry_of(entry.review, entry.workload)
    decided(cast.architect, moved)
    assert not standing(moved).asks_again


def test_what_says_the_same_for_both_asks_again_too(cast: Cast, review: Review) -> None:
    plain = entry_of(review, register(cast.member, cast.search, "plain", PLAIN))
    decided(cast.architect, plain)
    choose_target(name=NEW)
    move_to_default(cast.architect, review.pk, TODAY, shown())
    assert standing(plain).engine_verdict == "movable" and standing(entry_of(review, plain.workload)).asks_again


def test_what_nothing_judged_for_either_target_asks_again_too(cast: Cast, chat: Workload, client_of: ClientOf) -> None:
    for name in ("not-judged-yet", "nor-this-one"):
        make_target(name, default=False)
    choose_target(name="not-judged-yet")
    review = open_review(cast.architect, Q4, TODAY)
    entry = entry_of(review, chat)
    made = decided(cast.architect, entry, kind="not-known", finds_out="Lena", by_day=LATER)
    assert made.assessment is None and not standing(entry).asks_again
    choose_target(name="nor-this-one")
    move_to_default(cast.architect, review.pk, TODAY, shown())
    assert standing(entry_of(review, chat)).asks_again
    told = client_of(cast.viewer).get(f"/reviews/2026-Q4/?state=again&at={entry.pk}").content.decode()
    assert "it was decided for another target" in told
    decided(cast.architect, entry_of(review, chat), kind="not-known", finds_out="Lena", by_day=LATER)
    assert not standing(entry_of(review, chat)).asks_again


def test_decisions_of_before_the_upgrade_are_for_what_they_rest_on(cast: Cast, entry: Entry) -> None:
    made = decided(cast.architect, entry)
    none = decided(
        cast.architect,
        entry_of(entry.review, register(cast.member, cast.search, "on-other", vendor="other")),
        kind="not-known",
        finds_out="Lena",
        by_day=LATER,
    )
    move_to_default(cast.architect, entry.review_id, TODAY, shown())
    Decision.objects.update(target=None)
    import_module("portability.reviews.migrations.0008_decided_for").fill_in(apps, None)
    found = Decision.objects.in_bulk()
    assert (found[made.pk].target, found[none.pk].target) == (Target.objects.get(name="mi300x-single"), None)


@pytest.mark.parametrize("together", [False, True])
def test_the_same_decision_from_a_page_of_before_the_move_is_told_of_it(
    together: bool, cast: Cast, entry: Entry
) -> None:
    given = Given("stays", reason="It stays.")
    decided(cast.architect, entry, kind="stays", reason="It stays.")
    page = seen(entry)
    move_to_default(cast.architect, entry.review_id, TODAY, shown())
    with pytest.raises(Conflict, match=f"chat was moved to {NEW} in the meantime: look at it again") as conflict:
        if together:
            decide_many(cast.architect, {entry.pk: page}, given, TODAY)
        else:
            decide(cast.architect, entry.pk, given, page, TODAY)
    assert [clash.why for clash in conflict.value.clashes] == [Why.TARGET]
    assert standing(entry_of(entry.review, entry.workload)).asks_again and Decision.objects.count() == 1


def test_who_decides_what_was_moved_meanwhile_is_told_so(cast: Cast, entry: Entry) -> None:
    page = seen(entry)
    move_to_default(cast.architect, entry.review_id, TODAY, shown())
    with pytest.raises(Conflict, match=f"chat was moved to {NEW} in the meantime"):
        decide(cast.architect, entry.pk, Given("agree"), page, TODAY)
    decided(cast.architect, entry_of(entry.review, entry.workload), kind="stays", reason="It stays.")
    cast.curator.architect = True
    cast.curator.save()
    with pytest.raises(Conflict, match="architect decided chat in the meantime: stays where it is"):
        decide(cast.curator, entry.pk, Given("agree"), page, TODAY)


def test_all_of_a_review_are_moved_but_what_retired(cast: Cast, entry: Entry) -> None:
    choose_target()
    review = entry.review
    others = [register(cast.member, cast.search, name) for name in ("late", "old")]
    late = entry_of(review, others[0])
    defer(cast.architect, late.pk, late.version, "Next time.")
    retire(cast.member, others[1].pk, "replaced")
    waived(cast.architect, entry, "RES001")
    choose_target(name=NEW)
    assert {e.workload.name for e in move_to_default(cast.architect, review.pk, TODAY, shown())} == {"chat", "late"}
    assert target_of(entry_of(review, others[1])) == "mi300x-single"
    assert entry_of(review, others[0]).state == "deferred"
    assert standing(entry_of(review, entry.workload)).waived == 0, "a waiver stays with its target"
    choose_target()
    move_to_default(cast.architect, review.pk, TODAY, shown())
    assert standing(entry_of(review, entry.workload)).waived == 1


@pytest.mark.parametrize("who", ["viewer", "member", "curator", "administrator"])
def test_only_architects_move(who: str, cast: Cast, entry: Entry) -> None:
    with pytest.raises(PermissionDenied):
        move_to_default(getattr(cast, who), entry.review_id, TODAY, shown())


def test_nothing_is_moved_once_it_is_closed(cast: Cast, entry: Entry, client_of: ClientOf) -> None:
    decided(cast.architect, entry)
    close(cast.architect, entry.review_id, "Reviewed.", TODAY)
    with pytest.raises(Refused, match="is closed"):
        move_to_default(cast.architect, entry.review_id, TODAY, shown())
    told = (
        client_of(cast.architect).post(reverse("reviews:move", args=[entry.pk]), _sent(), follow=True).content.decode()
    )
    assert "is closed. Nothing was changed." in told and target_of(entry) == "mi300x-single"


def test_the_entry_and_the_queue_say_so_and_offer_it_to_architects(
    cast: Cast, entry: Entry, client_of: ClientOf
) -> None:
    decided(cast.architect, entry, timezone.localdate())
    here = f"/reviews/2026-Q4/?state=all&at={entry.pk}"
    seen = client_of(cast.viewer).get(here).content.decode()
    assert "1 entry is for another target than the default one of what its workload runs on today." in seen
    assert "This entry stays on mi300x-single." in seen and "Move it to" not in seen
    client = client_of(cast.architect)
    page = client.get(here).content.decode()
    assert f"Move it to {NEW}" in page and "Moved, it asks again." in page
    preview = client.get("/reviews/2026-Q4/move/?state=all").content.decode()
    assert "This entry is for another target" in preview and "</a>, decided</li>" in preview
    assert "Move 1 entry" in preview and "NVIDIA" in preview and NEW in preview
    assert target_of(entry) == "mi300x-single", "a preview moves nothing"
    moved = client.post(reverse("reviews:move", args=[entry.pk]) + "?state=all", _sent(), headers=HTMX).content.decode()
    assert (
        f"chat: moved to {NEW}." in moved
        and "Asks again:" in moved
        and "another target than the default one" not in moved
    )
    choose_target()
    answer = client.post("/reviews/2026-Q4/move/?state=all", _sent(), follow=True)
    assert answer.redirect_chain == [("/reviews/2026-Q4/?state=all", 302)]
    assert "1 entry moved to the default target." in answer.content.decode()
    assert "Every entry is for the default target." in client.get("/reviews/2026-Q4/move/").content.decode()


def test_of_another_vendor_it_is_said_that_the_workload_runs_on_it(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    choose_target("amd", "h100")
    revise(cast.member, chat, SERVING, vendor="amd")
    client = client_of(cast.architect)
    page = client.get("/reviews/2026-Q4/?state=all").content.decode()
    assert "1 entry is for another target than the default one of what its workload runs on today." in page
    assert "It runs on AMD by now, and ran on NVIDIA when this entry got its target." in page
    assert "no longer the default one" not in page and "h100</a> now" not in page
    client.post("/reviews/2026-Q4/move/", _sent())
    choose_target("amd", "mi210-single")
    page = client.get("/reviews/2026-Q4/?state=all").content.decode()
    assert "The default target of what runs on AMD is" in page and "It runs on AMD by now" not in page


def test_nothing_moves_elsewhere_than_the_page_said(cast: Cast, entry: Entry, client_of: ClientOf) -> None:
    client, said = client_of(cast.architect), _sent()
    choose_target(name="mi210-single")
    for address in (reverse("reviews:move", args=[entry.pk]), "/reviews/2026-Q4/move/"):
        answer = client.post(address, said, follow=True).content.decode()
        assert "another default target was chosen meanwhile" in answer and target_of(entry) == "mi300x-single"
    for wrong in ({}, {"to": ["nvidia", "nvidia:x", ":", "nvidia:" + "9" * 40]}):
        client.post("/reviews/2026-Q4/move/", wrong, follow=True)
        assert target_of(entry) == "mi300x-single"


def test_an_older_decision_does_not_come_back_where_a_newer_one_moved_away(cast: Cast, entry: Entry) -> None:
    choose_target()
    decided(cast.architect, entry, kind="otherwise", verdict="movable", reason="It ran.", evidence="Rehearsed.")
    assert Decided.objects.filter(workload=entry.workload, verdict="movable").exists()
    close(cast.architect, entry.review_id, "Reviewed.", TODAY)
    later = entry_of(open_review(cast.architect, Quarter(2027, 1), LATER), entry.workload)
    decided(cast.architect, later, LATER)
    assert not Decided.objects.filter(workload=entry.workload).exists()
    choose_target(name=NEW)
    move_to_default(cast.architect, later.review_id, LATER, shown())
    assert not Decided.objects.filter(workload=entry.workload).exists()


def test_one_that_is_left_is_counted_as_one(
    cast: Cast, entry: Entry, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_target()
    for name in ("second", "third"):
        register(cast.member, cast.search, name)
    choose_target(name=NEW)
    client = client_of(cast.architect)
    preview = client.get("/reviews/2026-Q4/move/").content.decode()
    assert "These entries are for another target" in preview and "</a>, 0 of them decided</li>" in preview
    monkeypatch.setattr(moving, "_AT_ONCE", 2)
    answer = client.post("/reviews/2026-Q4/move/", _sent(), follow=True).content.decode()
    assert "2 entries moved to the default target. 1 is left: move it too." in answer
    assert "</a>, not decided</li>" in answer


def test_their_number_costs_no_queries_on_the_page(cast: Cast, entry: Entry, client_of: ClientOf) -> None:
    client = client_of(cast.architect)

    def queries() -> int:
        client.get("/reviews/2026-Q4/", headers=HTMX)
        with CaptureQueriesContext(connection) as asked:
            client.get("/reviews/2026-Q4/", headers=HTMX)
        return len(asked)

    few = queries()
    choose_target()
    for number in range(4):
        register(cast.member, cast.search, f"more-{number}")
    choose_target(name=NEW)
    assert queries() <= few + 1
