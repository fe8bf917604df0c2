"""Accepting a finding for a while."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from portability.audit.models import Entry as AuditEntry
from portability.organisation.actions import save_settings
from portability.organisation.queries import stored
from portability.register.models import Row
from portability.reviews.actions import waive, withdraw_waiver
from portability.reviews.decided import with_decided
from portability.reviews.entry_page import entry_page
from portability.reviews.errors import Conflict, Refused
from portability.reviews.models import Entry, Review, Waiver
from portability.reviews.waivers import waivers_of
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import (
    PINNED,
    SERVING,
    TODAY,
    entry_of,
    finding,
    register,
    revise,
    standing,
    target,
    waived,
)
from tests.reviews.test_follow import chosen

pytestmark = pytest.mark.database
TOLD = {"reason": "Accepted for the year.", "link": "https://risk.example/7"}
UNTIL = date(2027, 3, 31)


@pytest.fixture
def entry(review: Review, chat: Workload) -> Entry:
    """The entry of `chat`, with two findings to change: IMG001 and RES001."""
    return entry_of(review, chat)


def verdicts(workload: Workload, today: date = TODAY) -> tuple[str, str, int]:
    """The engine's verdict, the decided one and how many findings are waived, as the register has them."""
    rows: Any = with_decided(Row.objects.filter(workload=workload, target=target()), today)
    verdict, decided, waived_findings = rows.values_list("verdict", "decided_verdict", "waived").get()
    return verdict, decided, waived_findings


def words(entry: Entry, today: date = TODAY) -> list[str]:
    """What has become of the entry's waivers."""
    row = Row.objects.get(workload=entry.workload_id, target=entry.target_id)
    return [w.words for w in waivers_of(entry.workload_id, entry.target_id, row.assessment, today)]


def test_a_waived_finding_counts_as_a_note_and_the_engines_verdict_stays(
    cast: Cast, entry: Entry, chat: Workload
) -> None:
    first = waived(cast.architect, entry, "IMG001")
    assert verdicts(chat) == ("needs-change", "needs-change", 1)
    second = waived(cast.architect, entry, "RES001")
    assert second.where.endswith("/resources/limits/nvidia.com/gpu")
    assert verdicts(chat) == ("needs-change", "movable", 2)
    assert (first.rule, first.where) == ("IMG001", "Deployment serving, spec/template/spec/containers[vllm]/image")
    assert (first.given_by, first.given_by_name, first.ends) == (cast.architect, "architect", UNTIL)
    said = AuditEntry.objects.filter(action="waiver.given").order_by("pk")[0]
    assert (said.subject, said.details["rule"], said.details["ends"]) == ("chat", "IMG001", "2027-03-31")
    assert said.details["target"] == "mi300x-single"


@pytest.mark.parametrize("who", ["viewer", "member", "outsider", "curator", "administrator"])
def test_only_architects_waive_and_withdraw(cast: Cast, entry: Entry, who: str) -> None:
    with pytest.raises(PermissionDenied):
        waived(getattr(cast, who), entry, "IMG001")
    waiver = waived(cast.architect, entry, "IMG001")
    with pytest.raises(PermissionDenied):
        withdraw_waiver(getattr(cast, who), waiver.pk, TODAY)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"reason": " "}, "reason"),
        ({"reason": "x" * 601}, "reason"),
        ({"link": ""}, "link"),
        ({"link": "ticket 7"}, "link"),
        ({"ends": None}, "ends"),
        ({"ends": TODAY}, "ends"),
        ({"ends": TODAY + timedelta(days=732)}, "ends"),
    ],
)
def test_reason_link_and_an_end_within_two_years_are_required(
    cast: Cast, entry: Entry, chat: Workload, given: dict[str, Any], field: str
) -> None:
    with pytest.raises(Refused) as refused:
        waive(
            cast.architect,
            chat.pk,
            target().pk,
            finding(entry, "IMG001"),
            **(TOLD | {"ends": UNTIL} | given),
            today=TODAY,
        )
    assert refused.value.field == field
    assert not Waiver.objects.exists()


def test_a_note_is_nothing_to_waive(cast: Cast, entry: Entry) -> None:
    with pytest.raises(Refused, match="It is a note"):
        waived(cast.architect, entry, "OBS003")


def test_a_finding_that_is_another_by_now_is_a_conflict(cast: Cast, entry: Entry, chat: Workload) -> None:
    shown = finding(entry, "IMG001")
    revise(cast.member, chat, SERVING.replace("v0.23.0", "v0.24.0"))
    with pytest.raises(Conflict, match="about something else now"):
        waive(cast.architect, chat.pk, target().pk, shown, **TOLD, ends=UNTIL, today=TODAY)


def test_sent_twice_it_counts_once_and_a_second_waiver_is_refused(cast: Cast, entry: Entry) -> None:
    assert waived(cast.architect, entry, "IMG001") == waived(cast.architect, entry, "IMG001")
    with pytest.raises(Refused, match="architect waived it until 31 March 2027"):
        waived(cast.architect, entry, "IMG001", ends=date(2027, 6, 30))


def test_a_waived_blocks_never_makes_movable_by_itself(cast: Cast, review: Review) -> None:
    workload = register(cast.member, cast.search, "transcribe", **PINNED)
    entry = entry_of(review, workload)
    assert verdicts(workload)[0] == "pinned"
    for rule in ("SRV001", "IMG001", "RES001"):
        waived(cast.architect, entry, rule)
    assert verdicts(workload) == ("pinned", "needs-change", 3)


def test_a_waiver_ends_with_its_day(cast: Cast, entry: Entry, chat: Workload) -> None:
    waived(cast.architect, entry, "IMG001", ends=date(2026, 12, 31))
    waived(cast.architect, entry, "RES001", ends=UNTIL)
    assert verdicts(chat, date(2026, 12, 31)) == ("needs-change", "movable", 2)
    assert verdicts(chat, date(2027, 1, 1)) == ("needs-change", "needs-change", 1)
    assert verdicts(chat, date(2027, 4, 1)) == ("needs-change", "needs-change", 0)
    assert words(entry, date(2027, 1, 1)) == ["holds until 31 March 2027", "ended on 31 December 2026"]


def test_a_waiver_ends_when_its_cause_changes_and_holds_again_with_the_old_one(
    cast: Cast, entry: Entry, chat: Workload
) -> None:
    waived(cast.architect, entry, "IMG001")
    revise(cast.member, chat, SERVING.replace("v0.23.0", "v0.24.0"))
    assert verdicts(chat) == ("needs-change", "needs-change", 0)
    assert words(entry) == ["does not count: what it was given for has changed"]
    revise(cast.member, chat, SERVING)
    assert verdicts(chat) == ("needs-change", "needs-change", 1)


def test_who_withdraws_a_waiver_ends_it(cast: Cast, entry: Entry, chat: Workload) -> None:
    waiver = waived(cast.architect, entry, "IMG001")
    withdraw_waiver(cast.architect, waiver.pk, TODAY)
    withdraw_waiver(cast.architect, waiver.pk, TODAY)
    assert verdicts(chat) == ("needs-change", "needs-change", 0)
    assert words(entry) == ["withdrawn"]
    assert AuditEntry.objects.filter(action="waiver.withdrawn", subject="chat").count() == 1
    assert waived(cast.architect, entry, "IMG001").pk != waiver.pk


def test_rules_that_nobody_may_waive_are_refused_and_what_was_given_before_counts_no_more(
    cast: Cast, entry: Entry, chat: Workload
) -> None:
    waived(cast.architect, entry, "IMG001")
    save_settings(cast.administrator, stored().version, chosen(not_waivable=("IMG001", "RES001")))
    assert verdicts(chat) == ("needs-change", "needs-change", 0)
    assert words(entry) == ["does not count: the organisation lets nobody waive this rule"]
    with pytest.raises(Refused, match="RES001 may not be waived"):
        waived(cast.architect, entry, "RES001")
    page = entry_page(cast.architect, entry.review, entry.pk, TODAY)
    assert page is not None and not any(f.waivable for f in page.found)
    save_settings(cast.administrator, stored().version, chosen(not_waivable=()))
    assert verdicts(chat) == ("needs-change", "needs-change", 1)


def test_a_waiver_is_for_one_target(cast: Cast, entry: Entry, chat: Workload) -> None:
    waived(cast.architect, entry, "IMG001")
    others: Any = with_decided(Row.objects.filter(workload=chat).exclude(target=target()), TODAY)
    assert set(others.values_list("waived", flat=True)) == {0}


def test_the_entrys_page_shows_which_finding_is_waived(cast: Cast, entry: Entry) -> None:
    waived(cast.architect, entry, "IMG001")
    page = entry_page(cast.viewer, entry.review, entry.pk, TODAY)
    assert page is not None
    found = {f.shown.rule: (f.waiver.words if f.waiver else "", f.waivable) for f in page.found}
    assert found == {"IMG001": ("holds until 31 March 2027", False), "RES001": ("", True), "OBS003": ("", False)}
    assert standing(entry).waived == 1
