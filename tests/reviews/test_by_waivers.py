"""Confirming means the decision before and no other: what waivers changed since is said, ranked and refused alike."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from importlib import import_module
from itertools import count
from typing import Any

import jsonschema
import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.organisation.dates import Quarter
from portability.organisation.models import Organisation
from portability.register.models import Row
from portability.reviews import actions
from portability.reviews.actions import close, decide_many, open_review, preview
from portability.reviews.entry_page import entry_page
from portability.reviews.errors import Refused
from portability.reviews.findings import mark as mark_of
from portability.reviews.given import Given
from portability.reviews.models import Decided, Decision, Entry, Record, Review, Unsettled
from portability.reviews.queue import Wanted, queue
from portability.reviews.record.making import schema
from portability.workloads.actions import restore, retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.for_all import READY, SAYS, jammy, waived_for_all
from tests.reviews.making import (
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
LATER = date(2027, 1, 11)
ENDED = date(2027, 2, 5)  # waivers until the end of January have
BOTH = ("IMG001", "RES001")  # all that counts against `chat`
PLAN = {"kind": "plan", "plan_quarter": "2027-Q3", "plan_owner": "Lena", "plan_effort": "2 days"}
STAYS = {"kind": "stays", "reason": "It stays."}
OTHERWISE = {"kind": "otherwise", "verdict": "movable", "reason": "It ran.", "evidence": "Rehearsed."}
CONFIRM = Given("confirm", reason="As last quarter.")


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The product's clock begins on TODAY, and `on` sets it."""
    on(monkeypatch, TODAY)


def on(monkeypatch: pytest.MonkeyPatch, day: date) -> date:
    """From noon of a day on; each look at the clock is a second later."""
    ticks = count()
    noon = datetime.combine(day, time(12), UTC)
    monkeypatch.setattr(timezone, "now", lambda: noon + timedelta(seconds=next(ticks)))
    return day


def accept(cast: Cast, entry: Entry, today: date, *rules: str, ends: date = date(2027, 3, 31)) -> None:
    for rule in rules or BOTH:
        waived(cast.architect, entry, rule, ends=ends, today=today)


def next_review(cast: Cast, review: Review, monkeypatch: pytest.MonkeyPatch) -> Review:
    """Close it, and open the one after it on LATER."""
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    return open_review(cast.architect, Quarter(2027, 1), on(monkeypatch, LATER))


def names(review: Review, today: date, **wanted: Any) -> list[str]:
    found = Entry.objects.select_related("workload").in_bulk()
    return [found[pk].workload.name for pk in queue(review, Wanted(**wanted), today).ids]


@pytest.fixture
def agreed(cast: Cast, review: Review, chat: Workload, monkeypatch: pytest.MonkeyPatch) -> Entry:
    """`chat` in the next review; it was agreed in the last one that it needs change. A critical one is beside it."""
    critical = register(cast.member, cast.search, "critical", criticality="critical")
    for workload in (chat, critical):
        decided(cast.architect, entry_of(review, workload))
    return entry_of(next_review(cast, review, monkeypatch), chat)


@pytest.fixture
def accepted(cast: Cast, review: Review, chat: Workload, monkeypatch: pytest.MonkeyPatch) -> Entry:
    """`chat` in the next review; it was agreed in the last one that it could move, with all that counts waived."""
    critical = register(cast.member, cast.search, "critical", criticality="critical")
    accept(cast, entry_of(review, chat), TODAY, ends=date(2027, 1, 31))
    for workload in (chat, critical):
        decided(cast.architect, entry_of(review, workload))
    return entry_of(next_review(cast, review, monkeypatch), chat)


def test_waivers_given_since_are_a_change_and_nothing_is_confirmed(
    cast: Cast, agreed: Entry, monkeypatch: pytest.MonkeyPatch, client_of: ClientOf
) -> None:
    assert names(agreed.review, LATER) == ["critical", "chat"] and not standing(agreed, LATER).changed
    accept(cast, agreed, LATER)
    with pytest.raises(Refused, match="needs change, and with what is waived it is movable now: 2 waivers were given"):
        decided(cast.architect, agreed, LATER, kind="confirm")
    assert not Decision.objects.filter(entry=agreed).exists()
    [change] = standing(agreed, LATER).changed
    assert (change.cause, change.words) == ("waiver", "2 waivers were given (IMG001, RES001)")
    assert (change.day, change.before, change.after) == ("2027-01-11", "needs-change", "movable")
    assert names(agreed.review, LATER) == ["chat", "critical"]
    assert names(agreed.review, LATER, changed="waiver") == names(agreed.review, LATER, changed="any") == ["chat"]
    page = client_of(cast.architect).get(reverse("reviews:review", args=[agreed.review.quarter])).content.decode()
    assert "nothing changed" not in page and "Confirm the last decision" not in page
    assert "Cannot be confirmed as it is: It was decided as needs change" in page
    assert "2 waivers were given (IMG001, RES001) <span class=" in page  # with the day


@pytest.mark.parametrize("given", [{}, PLAN, STAYS])
def test_waivers_that_ended_since_are_a_change_whatever_was_decided(
    cast: Cast, review: Review, chat: Workload, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any]
) -> None:
    accept(cast, entry_of(review, chat), TODAY, ends=date(2027, 1, 31))
    last = decided(cast.architect, entry_of(review, chat), **given)
    entry = entry_of(next_review(cast, review, monkeypatch), chat)
    assert (last.engine_verdict, last.verdict, standing(entry, LATER).changed) == ("needs-change", "movable", [])
    on(monkeypatch, ENDED)
    with pytest.raises(Refused, match="movable, and with what is waived it is needs change now: 2 waivers ended"):
        decided(cast.architect, entry, ENDED, kind="confirm")
    [change] = standing(entry, ENDED).changed
    assert (change.words, change.day) == ("2 waivers ended (IMG001, RES001)", "2027-01-31")
    assert (change.before, change.after) == ("movable", "needs-change")
    on(monkeypatch, date(2027, 1, 31))
    assert decided(cast.architect, entry, date(2027, 1, 31), kind="confirm").verdict == "movable"


def test_the_day_is_that_of_the_organisation(
    cast: Cast, accepted: Entry, monkeypatch: pytest.MonkeyPatch, client_of: ClientOf
) -> None:
    Organisation.objects.update_or_create(pk=1, defaults={"time_zone": "Pacific/Kiritimati"})  # 14 hours ahead
    address = reverse("reviews:review", args=[accepted.review.quarter]) + f"?at={accepted.pk}"

    def page(at: datetime) -> str:
        monkeypatch.setattr(timezone, "now", lambda: at)
        return client_of(cast.architect).get(address).content.decode()

    midnight = datetime(2027, 1, 31, 10, tzinfo=UTC)
    assert "Confirm the last decision" in page(midnight - timedelta(seconds=1))
    after = page(midnight)
    assert "Confirm the last decision" not in after and "2 waivers ended (IMG001, RES001)" in after


def test_one_that_is_withdrawn_and_one_that_nobody_may_give_any_more(cast: Cast, accepted: Entry) -> None:
    for waiver in accepted.workload.waivers.filter(rule="IMG001"):
        actions.withdraw_waiver(cast.architect, waiver.pk, LATER)
    assert [c.words for c in standing(accepted, LATER).changed] == ["a waiver was withdrawn (IMG001)"]
    Organisation.objects.update_or_create(pk=1, defaults={"not_waivable": ["RES001"]})
    actions.settle_all(LATER)
    [change] = standing(accepted, LATER).changed
    assert change.words == "a waiver was withdrawn (IMG001) and a waiver no longer counts (RES001)"
    with pytest.raises(Refused, match="a waiver no longer counts"):
        decided(cast.architect, accepted, LATER, kind="confirm")


def test_each_rule_is_named_once_however_many_of_its_findings_were_waived(
    cast: Cast, review: Review, chat: Workload
) -> None:
    two = SERVING + "---\n" + SERVING.replace("name: serving", "name: second").replace("app: serving", "app: second")
    revise(cast.member, chat, two)
    entry = entry_of(review, chat)
    row = Row.objects.get(workload=chat, target=entry.target_id)
    told = {"reason": "Accepted.", "link": "https://risk.example/7"}
    for mark in {mark_of(f) for f in row.assessment.findings if f["rule"] in BOTH}:
        actions.waive(cast.architect, chat.pk, row.target_id, mark, **told, ends=ENDED, today=TODAY)
    assert decided(cast.architect, entry).verdict == "movable"
    for waiver in chat.waivers.all():
        actions.withdraw_waiver(cast.architect, waiver.pk, TODAY)
    assert standing(entry_of(review, chat)).causes == ["4 waivers were withdrawn (IMG001, RES001)"]


def test_one_whose_cause_is_another_by_now(cast: Cast, accepted: Entry) -> None:
    revise(cast.member, accepted.workload, SERVING.replace("v0.23.0", "v0.24.0"))
    [change] = standing(accepted, LATER).changed
    assert change.words == "a waiver does not count for what is found now (IMG001)"
    with pytest.raises(Refused, match="does not count for what is found now"):
        decided(cast.architect, accepted, LATER, kind="confirm")


def test_what_no_waiver_covers_is_a_change_too(cast: Cast, accepted: Entry) -> None:
    revise(cast.member, accepted.workload, SERVING.replace("    spec:", "    spec:\n      runtimeClassName: nvidia"))
    line = standing(accepted, LATER)
    assert (line.engine_verdict, line.decided_verdict) == ("needs-change", "needs-change")
    assert [c.words for c in line.changed] == ["waivers cover another part of what is found"]
    with pytest.raises(Refused, match="waivers cover another part"):
        decided(cast.architect, accepted, LATER, kind="confirm")


def test_a_waiver_that_makes_no_other_verdict_and_one_that_was_given_anew_change_nothing(
    cast: Cast, agreed: Entry
) -> None:
    accept(cast, agreed, LATER, "IMG001")
    assert standing(agreed, LATER).changed == [] and names(agreed.review, LATER) == ["critical", "chat"]
    assert decided(cast.architect, agreed, LATER, kind="confirm").verdict == "needs-change"


def test_a_waiver_in_the_place_of_another_is_no_change(
    cast: Cast, accepted: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    accept(cast, accepted, on(monkeypatch, ENDED))
    assert standing(accepted, ENDED).changed == []
    assert decided(cast.architect, accepted, ENDED, kind="confirm").verdict == "movable"


def test_one_for_all_workloads_too(cast: Cast, shipped: None, monkeypatch: pytest.MonkeyPatch) -> None:
    choose_target(name=jammy().name)
    ready = register(cast.member, cast.search, "ready", READY, **SAYS)
    review = open_review(cast.architect, Q4, TODAY)
    decided(cast.architect, entry_of(review, ready))
    entry = entry_of(next_review(cast, review, monkeypatch), ready)
    waived_for_all(cast.architect, today=LATER)
    assert [c.words for c in standing(entry, LATER).changed] == ["a waiver was given (PLT001)"]
    with pytest.raises(Refused, match=r"a waiver was given \(PLT001\)"):
        decided(cast.architect, entry, LATER, kind="confirm")


def test_a_reviewers_own_verdict_says_nothing_once_waivers_come_to_the_same(
    cast: Cast, review: Review, chat: Workload, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided(cast.architect, entry_of(review, chat), **OTHERWISE)
    entry = entry_of(next_review(cast, review, monkeypatch), chat)
    page = entry_page(cast.architect, entry.review, entry.pk, LATER)
    assert page is not None and page.cannot_confirm == "" and page.line.changed == []
    accept(cast, entry, LATER)
    page = entry_page(cast.architect, entry.review, entry.pk, LATER)
    assert page is not None and "it is movable already: 2 waivers were given" in page.cannot_confirm
    assert [c.cause for c in page.line.changed] == ["waiver"]
    with pytest.raises(Refused, match="movable already"):
        decided(cast.architect, entry, LATER, kind="confirm")


def test_together_they_are_named_as_left_out(cast: Cast, agreed: Entry) -> None:
    critical = Entry.objects.select_related("review").get(review=agreed.review, workload__name="critical")
    accept(cast, agreed, LATER)
    found = preview(cast.architect, [agreed.pk, critical.pk], CONFIRM, LATER)
    assert [(t.entry.workload.name, bool(t.refused), t.verdict) for t in found] == [
        ("chat", True, ""),
        ("critical", False, "needs-change"),
    ]
    assert "2 waivers were given (IMG001, RES001)" in found[0].refused
    shown = {e.pk: seen(e, LATER) for e in (agreed, critical)}
    with pytest.raises(Refused, match=r"^chat: It was decided as needs change"):
        decide_many(cast.architect, shown, CONFIRM, LATER)
    assert not Decision.objects.filter(entry__review=agreed.review).exists()


def test_what_is_decided_keeps_its_place(cast: Cast, agreed: Entry) -> None:
    assert names(agreed.review, LATER, state="all") == ["critical", "chat"]
    decided(cast.architect, agreed, LATER, **OTHERWISE)
    assert names(agreed.review, LATER, state="all") == ["critical", "chat"]
    accept(cast, agreed, LATER)
    assert names(agreed.review, LATER, state="all") == ["chat", "critical"]
    for given in (STAYS, {"kind": "agree"}):
        decided(cast.architect, agreed, LATER, **given)
        assert names(agreed.review, LATER, state="all") == ["chat", "critical"]


def test_a_decision_that_asks_again_for_waivers_names_them(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    entry = entry_of(review, chat)
    decided(cast.architect, entry)
    accept(cast, entry, TODAY)
    line = standing(entry)
    assert line.asks_again and line.asks_because is not None
    assert line.causes == [line.asks_because.words] == ["2 waivers were given (IMG001, RES001)"]
    assert names(review, TODAY, changed="waiver") == ["chat"]
    assert names(review, TODAY, changed="manifest") == []
    page = client_of(cast.viewer).get(reverse("reviews:review", args=[review.quarter])).content.decode()
    assert "it was decided as needs change, and with what is waived it is movable now: 2 waivers were given" in page
    assert "nothing changed" not in page


def test_what_is_for_another_target_than_was_decided_for_is_not_confirmed(
    cast: Cast, review: Review, chat: Workload, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moved after it was decided, and retired before it was decided anew: the entry is for another target."""
    last = decided(cast.architect, entry_of(review, chat), **STAYS)
    new = choose_target(name="mi355x-single")
    actions.move_to_default(cast.architect, review.pk, TODAY, {"nvidia": new.pk})
    retire(cast.member, chat.pk, "replaced")
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    restore(cast.member, chat.pk)
    entry = entry_of(open_review(cast.architect, Quarter(2027, 1), on(monkeypatch, LATER)), chat)
    assert (entry.before, entry.target, last.target) == (last, new, last.target)
    assert [c.cause for c in standing(entry, LATER).changed] == ["target"]
    with pytest.raises(Refused, match="It was decided for another target"):
        decided(cast.architect, entry, LATER, kind="confirm")


def test_a_page_of_many_costs_the_queries_of_one(
    cast: Cast, review: Review, chat: Workload, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    some = [chat, *(register(cast.member, cast.search, f"w{n}") for n in range(9))]
    for workload in some:
        decided(cast.architect, entry_of(review, workload))
    following = next_review(cast, review, monkeypatch)
    for workload in (chat, *some[1:]):
        accept(cast, entry_of(following, workload), LATER)
        with django_assert_num_queries(4):
            page = queue(following, Wanted(), LATER).page(1)
    assert all(line.changed for line in page.lines) and len(page.lines) == 10


def test_the_record_says_what_waivers_changed(cast: Cast, agreed: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    accept(cast, agreed, LATER)
    for entry in Entry.objects.filter(review=agreed.review).select_related("review"):
        decided(cast.architect, entry, LATER)
    close(cast.architect, agreed.review_id, "Reviewed.", LATER)
    said = json.loads(Record.objects.get(review=agreed.review).text)
    jsonschema.validate(said, json.loads(schema()))
    told = {entry["workload"]["name"]: [c["words"] for c in entry["changed"]] for entry in said["entries"]}
    assert told == {"chat": ["2 waivers were given (IMG001, RES001)"], "critical": []}


def test_what_was_worked_out_before_is_filled_in(cast: Cast, review: Review, chat: Workload) -> None:
    """Verdicts that were worked out by a product that did not keep what waivers alone make."""
    other = register(cast.member, cast.search, "other")
    decided(cast.architect, entry_of(review, chat), **OTHERWISE)
    accept(cast, entry_of(review, other), TODAY)
    Decided.objects.update(with_waivers="")
    fill_in = import_module("portability.reviews.migrations.0013_with_waivers").fill_in
    fill_in(apps, None)
    kept = dict(Decided.objects.values_list("workload__name", "with_waivers").distinct())
    assert kept == {"chat": "needs-change", "other": "movable"} and not Unsettled.objects.exists()
    accept(cast, entry_of(review, chat), TODAY, "IMG001")
    fill_in(apps, None)
    assert set(Unsettled.objects.values_list("target", flat=True)) == {entry_of(review, chat).target_id}


def test_who_agrees_gets_what_the_queue_reckons_with(cast: Cast, agreed: Entry) -> None:
    """One verdict, worked out twice: from the waivers when something is decided, kept for the queue."""
    accept(cast, agreed, LATER)
    assert set(Decided.objects.values_list("with_waivers", flat=True)) == {"movable"}
    assert decided(cast.architect, agreed, LATER).verdict == "movable"
    decided(
        cast.architect, agreed, LATER, kind="otherwise", verdict="pinned", reason="Licensed.", evidence="The licence."
    )
    assert set(Decided.objects.filter(waived=2).values_list("verdict", "with_waivers")) == {("pinned", "movable")}
    assert set(Decided.objects.filter(waived=0).values_list("verdict", "with_waivers")) == {("pinned", "needs-change")}


def test_waivers_given_while_somebody_looks_are_no_silent_other_verdict(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    entry, client = entry_of(review, chat), client_of(cast.architect)
    page = client.get(reverse("reviews:review", args=[review.quarter])).content.decode()
    shown = dict(re.findall(r'name="(version|assessment|shown)" value="([^"]*)" id="agree_', page))
    assert shown["shown"] == "needs-change"
    accept(cast, entry, TODAY)
    agree = reverse("reviews:decide", args=[entry.pk, "agree"])
    answer = client.post(agree, shown)
    assert answer.status_code == 422 and not Decision.objects.exists()
    page = answer.content.decode()
    assert (
        "chat was needs change with what was waived, and is movable with what is waived now: look at it again" in page
    )
    on_top = dict(re.findall(r'name="(version|assessment|shown)" value="([^"]*)"', page))
    assert on_top["shown"] == "movable"
    client.post(agree, on_top)
    assert Decision.objects.get().verdict == "movable"


def test_waivers_given_after_a_preview_are_no_silent_other_verdict(
    cast: Cast, agreed: Entry, client_of: ClientOf
) -> None:
    client, critical = client_of(cast.architect), agreed.review.entries.exclude(pk=agreed.pk).get()
    address = reverse("reviews:together", args=[agreed.review.quarter])
    form = {"kind": "agree", "reason": "Routine.", "entry": [agreed.pk, critical.pk]}
    page = client.post(address, form | {"step": "preview"}).content.decode()
    seen_then = re.findall(r'name="seen" value="([^"]*)"', page)
    accept(cast, agreed, LATER)
    answer = client.post(address, form | {"step": "decide", "seen": seen_then})
    page = answer.content.decode()
    assert answer.status_code == 422 and "chat was needs change with what was waived" in page
    assert "critical was" not in page and not Decision.objects.filter(entry__review=agreed.review).exists()
    client.post(address, form | {"step": "decide", "seen": re.findall(r'name="seen" value="([^"]*)"', page)})
    assert dict(
        Decision.objects.filter(entry__review=agreed.review).values_list("entry__workload__name", "verdict")
    ) == {
        "chat": "movable",
        "critical": "needs-change",
    }
