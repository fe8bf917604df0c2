"""Deciding one entry."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.core.exceptions import PermissionDenied

from portability.audit.models import Entry as AuditEntry
from portability.organisation.dates import Quarter
from portability.reviews.actions import Seen, close, decide, open_review
from portability.reviews.errors import Conflict, Refused, Why
from portability.reviews.given import Given
from portability.reviews.models import Decision, Entry, Review
from portability.workloads.actions import rename, retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import (
    NOTHING,
    PINNED,
    SERVING,
    TODAY,
    decided,
    entry_of,
    register,
    revise,
    seen,
    standing,
    waived,
)

pytestmark = pytest.mark.database
OTHERWISE = {"kind": "otherwise", "verdict": "movable", "reason": "It ran.", "evidence": "Rehearsed on 3 November."}


@pytest.fixture
def entry(review: Review, chat: Workload) -> Entry:
    """The entry of `chat`, which needs change."""
    return entry_of(review, chat)


def test_who_agrees_takes_the_engines_verdict(cast: Cast, entry: Entry) -> None:
    decision = decided(cast.architect, entry, reason="  As expected. ")
    entry.refresh_from_db()
    assert (entry.state, entry.decision, entry.version) == ("decided", decision, 2)
    assert (decision.kind, decision.engine_verdict, decision.verdict) == ("agree", "needs-change", "needs-change")
    assert (decision.reason, decision.made_by, decision.made_by_name) == ("As expected.", cast.architect, "architect")
    assert decision.assessment == entry.stood
    said = AuditEntry.objects.get(action="review.decided")
    assert (said.who, said.subject, said.details["kind"]) == (cast.architect, "chat", "agree")


@pytest.mark.parametrize("who", ["viewer", "member", "teammate", "outsider", "curator", "administrator"])
def test_only_architects_decide(cast: Cast, entry: Entry, who: str) -> None:
    with pytest.raises(PermissionDenied):
        decided(getattr(cast, who), entry)
    assert not Decision.objects.exists()


def test_a_plan_has_quarter_owner_effort_and_ticket(cast: Cast, entry: Entry) -> None:
    plan = {"plan_quarter": "2027-Q1", "plan_owner": "Lena", "plan_effort": "2 days", "link": "https://t.example/1"}
    decision = decided(cast.architect, entry, kind="plan", **plan)
    assert {name: getattr(decision, name) for name in plan} == plan


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"kind": "plan", "plan_owner": "Lena", "plan_effort": "2 days"}, "plan_quarter"),
        ({"kind": "plan", "plan_quarter": "soon", "plan_owner": "Lena", "plan_effort": "2 days"}, "plan_quarter"),
        ({"kind": "plan", "plan_quarter": "2026-Q3", "plan_owner": "Lena", "plan_effort": "2 days"}, "plan_quarter"),
        ({"kind": "plan", "plan_quarter": "2027-Q1", "plan_effort": "2 days"}, "plan_owner"),
        ({"kind": "plan", "plan_quarter": "2027-Q1", "plan_owner": "Lena"}, "plan_effort"),
        ({"kind": "stays"}, "reason"),
        ({"kind": "stays", "reason": "   \n"}, "reason"),
        ({"kind": "stays", "reason": "x" * 2001}, "reason"),
        ({**OTHERWISE, "reason": ""}, "reason"),
        ({**OTHERWISE, "evidence": ""}, "evidence"),
        ({**OTHERWISE, "verdict": ""}, "verdict"),
        ({**OTHERWISE, "verdict": "not-assessed"}, "verdict"),
        ({**OTHERWISE, "verdict": "needs-change"}, "verdict"),
        ({"kind": "agree", "link": "javascript:alert(1)"}, "link"),
        ({"kind": "agree", "link": "https://t.example/" + "x" * 300}, "link"),
        ({"kind": "agree", "link": "https://lena:hunter2@t.example/1"}, "link"),
        ({"kind": "agree", "link": "https://t.example/\u202egnp.exe"}, "link"),
        ({"kind": "not-known", "finds_out": "Lena", "by_day": TODAY}, "kind"),
        ({"kind": "confirm"}, "kind"),
        ({"kind": "maybe"}, "kind"),
    ],
)
def test_what_is_missing_or_makes_no_sense_is_said_at_its_field(
    cast: Cast, entry: Entry, given: dict[str, object], field: str
) -> None:
    with pytest.raises(Refused) as refused:
        decided(cast.architect, entry, **given)
    assert refused.value.field == field
    assert not Decision.objects.exists()
    assert entry_of(entry.review, entry.workload).version == 1


def test_who_decides_otherwise_gives_a_verdict_with_reason_and_evidence(cast: Cast, entry: Entry) -> None:
    decision = decided(cast.architect, entry, **OTHERWISE)
    assert (decision.engine_verdict, decision.verdict) == ("needs-change", "movable")
    line = standing(entry)
    assert (line.engine_verdict, line.decided_verdict, line.asks_again) == ("needs-change", "movable", False)


def test_what_is_not_assessed_can_only_be_not_known_with_who_finds_out_and_by_when(cast: Cast, review: Review) -> None:
    entry = entry_of(review, register(cast.member, cast.search, "unread", NOTHING))
    for given in ({}, {"kind": "stays", "reason": "It stays."}, OTHERWISE):
        with pytest.raises(Refused, match="not assessed"):
            decided(cast.architect, entry, **given)
    for missing, field in (({"finds_out": ""}, "finds_out"), ({"by_day": None}, "by_day")):
        with pytest.raises(Refused) as refused:
            decided(cast.architect, entry, **{"kind": "not-known", "finds_out": "Lena", "by_day": TODAY} | missing)
        assert refused.value.field == field
    with pytest.raises(Refused, match="That day is over"):
        decided(cast.architect, entry, kind="not-known", finds_out="Lena", by_day=TODAY - timedelta(days=1))
    decision = decided(cast.architect, entry, kind="not-known", finds_out="Lena", by_day=TODAY)
    assert (decision.verdict, decision.finds_out, decision.by_day) == ("not-assessed", "Lena", TODAY)


def test_a_vendor_without_default_target_is_not_known_either(cast: Cast, review: Review) -> None:
    entry = entry_of(review, register(cast.member, cast.search, "on-other", vendor="other"))
    assert entry.target is None
    with pytest.raises(Refused, match="not assessed"):
        decided(cast.architect, entry)
    decision = decided(cast.architect, entry, kind="not-known", finds_out="Lena", by_day=date(2027, 1, 15))
    assert (decision.assessment, decision.verdict) == (None, "not-assessed")
    assert not standing(entry).asks_again


def test_an_entry_whose_verdict_changes_asks_again_and_says_so(cast: Cast, entry: Entry, chat: Workload) -> None:
    decided(cast.architect, entry)
    assert not standing(entry).asks_again
    revise(cast.member, chat, SERVING, **PINNED)
    line = standing(entry)
    assert (line.asks_again, line.moved_from, line.engine_verdict) == (True, "needs-change", "pinned")
    decided(cast.architect, entry)
    assert not standing(entry).asks_again


def test_another_verdict_than_on_the_page_is_a_conflict(cast: Cast, entry: Entry, chat: Workload) -> None:
    before = seen(entry)
    revise(cast.member, chat, SERVING, **PINNED)
    with pytest.raises(Conflict, match="was needs change and is pinned now") as conflict:
        decide(cast.architect, entry.pk, Given("agree"), before, TODAY)
    assert [(c.entry, c.why) for c in conflict.value.clashes] == [(entry.pk, Why.VERDICT)]
    assert not Decision.objects.exists()


def test_the_same_verdict_for_other_reasons_is_a_conflict(cast: Cast, entry: Entry, chat: Workload) -> None:
    before = seen(entry)
    revise(cast.member, chat, SERVING.replace("v0.23.0", "v0.24.0"))
    with pytest.raises(Conflict, match="for other reasons"):
        decide(cast.architect, entry.pk, Given("agree"), before, TODAY)


def test_what_was_only_judged_again_is_no_conflict(cast: Cast, entry: Entry, chat: Workload) -> None:
    before = seen(entry)
    rename(cast.member, chat.pk, "assistant")
    decision = decide(cast.architect, entry.pk, Given("agree"), before, TODAY)
    assert decision.assessment_id != before.assessment


def test_who_comes_second_is_told_of_the_first(cast: Cast, entry: Entry, chat: Workload) -> None:
    before = seen(entry)
    decided(cast.architect, entry, kind="stays", reason="Mine.")
    cast.curator.architect = True
    cast.curator.save()
    with pytest.raises(Conflict, match="architect decided chat in the meantime: stays where it is") as conflict:
        decide(cast.curator, entry.pk, Given("agree"), before, TODAY)
    assert [(c.why, c.who, c.workload) for c in conflict.value.clashes] == [(Why.DECIDED, "architect", "chat")]
    assert Decision.objects.get().kind == "stays"


def test_a_form_that_is_sent_twice_counts_once(cast: Cast, entry: Entry) -> None:
    before = seen(entry)
    given = Given("stays", reason="It stays,  \r\nas browsers send lines.", plan_owner="of another kind of decision")
    first = decide(cast.architect, entry.pk, given, before, TODAY)
    assert decide(cast.architect, entry.pk, given, before, TODAY) == first
    with pytest.raises(Conflict):
        decide(cast.architect, entry.pk, Given("agree"), before, TODAY)


def test_a_retired_workload_is_not_decided(cast: Cast, entry: Entry, chat: Workload) -> None:
    retire(cast.member, chat.pk, "replaced")
    with pytest.raises(Refused, match="closed itself"):
        decided(cast.architect, entry)


def test_the_last_review_is_confirmed_as_it_was(cast: Cast, entry: Entry, chat: Workload) -> None:
    plan = {"plan_quarter": "2027-Q1", "plan_owner": "Lena", "plan_effort": "2 days", "link": "https://t.example/1"}
    last = decided(cast.architect, entry, kind="plan", reason="After the move.", **plan)
    close(cast.architect, entry.review_id, "Reviewed.", TODAY)
    later = date(2027, 2, 1)
    again = entry_of(open_review(cast.architect, Quarter(2027, 1), later), chat)
    decision = decided(cast.architect, again, later, kind="confirm")
    assert (decision.kind, decision.reason, decision.carried) == ("plan", "After the move.", last)
    assert {name: getattr(decision, name) for name in plan} == plan


@pytest.mark.parametrize(
    ("given", "change", "why"),
    [
        ({}, {"declared": PINNED}, "The verdict was another one then"),
        (OTHERWISE, {"tag": "v0.24.0"}, "What it was decided on has changed"),
        ({"kind": "plan", "plan_quarter": "2026-Q4", "plan_owner": "a", "plan_effort": "b"}, {}, "which is over"),
    ],
)
def test_what_is_another_case_by_now_cannot_be_confirmed(
    cast: Cast, entry: Entry, chat: Workload, given: dict[str, object], change: dict[str, object], why: str
) -> None:
    decided(cast.architect, entry, **given)
    close(cast.architect, entry.review_id, "Reviewed.", TODAY)
    if change:
        text = SERVING.replace("v0.23.0", str(change.get("tag", "v0.23.0")))
        revise(cast.member, chat, text, **change.get("declared", {}))  # type: ignore[arg-type]
    later = date(2027, 2, 1)
    again = entry_of(open_review(cast.architect, Quarter(2027, 1), later), chat)
    with pytest.raises(Refused, match=why):
        decided(cast.architect, again, later, kind="confirm")


def test_what_is_waived_counts_in_the_decided_verdict(cast: Cast, entry: Entry) -> None:
    waived(cast.architect, entry, "IMG001")
    waived(cast.architect, entry, "RES001")
    decision = decided(cast.architect, entry)
    assert (decision.engine_verdict, decision.verdict) == ("needs-change", "movable")


def test_a_waiver_that_ends_makes_its_entry_ask_again(cast: Cast, entry: Entry) -> None:
    for rule in ("IMG001", "RES001"):
        waived(cast.architect, entry, rule, ends=date(2026, 12, 10))
    decided(cast.architect, entry)
    assert not standing(entry, date(2026, 12, 10)).asks_again
    assert standing(entry, date(2026, 12, 11)).asks_again


def test_an_entry_that_is_gone_is_not_found(cast: Cast, entry: Entry) -> None:
    with pytest.raises(Entry.DoesNotExist):
        decide(cast.architect, entry.pk + 1, Given("agree"), Seen(1, None), TODAY)
