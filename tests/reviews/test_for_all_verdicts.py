"""What a waiver for all workloads makes of verdicts, reviews and records, and when it ends."""

from __future__ import annotations

import json
from datetime import date, timedelta

import jsonschema
import pytest
from django.utils import timezone

from portability.organisation.actions import save_settings
from portability.organisation.queries import stored
from portability.register.models import Row
from portability.reviews.actions import close, open_review, waive, withdraw_waiver
from portability.reviews.findings import mark
from portability.reviews.models import Decision, Review, Waiver
from portability.reviews.record.making import schema
from portability.reviews.waivers import waivers_of
from portability.targets.actions import save_target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.matrices.keeping import work
from tests.reviews.for_all import JAMMY, READY, SAYS, TOLD, UNTIL, jammy, verdicts, waived_for_all
from tests.reviews.making import (
    PINNED,
    Q4,
    SERVING,
    TODAY,
    choose_target,
    decided,
    entry_of,
    register,
    revise,
    standing,
)
from tests.reviews.test_follow import chosen

pytestmark = [pytest.mark.database, pytest.mark.usefixtures("shipped")]


@pytest.fixture
def ready(cast: Cast, shipped: None) -> Workload:
    """A workload that needs change for the default target only because of the target."""
    choose_target(name=JAMMY)
    return register(cast.member, cast.search, "ready", READY, **SAYS)


@pytest.fixture
def review(cast: Cast, ready: Workload) -> Review:
    """The review of 2026-Q4, with `ready` in it."""
    return open_review(cast.architect, Q4, TODAY)


def words(workload: Workload, today: date = TODAY) -> list[str]:
    """What has become of the waivers of a workload for the target."""
    row = Row.objects.get(workload=workload, target=jammy())
    return [w.words for w in waivers_of(workload.pk, jammy().pk, row.assessment, today)]


def edit(cast: Cast, **changed: object) -> None:
    """Change the target, and judge what that touches again."""
    save_target(cast.curator, JAMMY, jammy().version, jammy().spec | changed)
    work()


def test_the_engines_verdict_stays_in_every_row(cast: Cast, ready: Workload) -> None:
    before = list(Row.objects.order_by("pk").values())
    waived_for_all(cast.architect)
    assert list(Row.objects.order_by("pk").values()) == before


def test_what_blocks_stays_pinned_and_waived_too_it_never_makes_movable(cast: Cast, ready: Workload) -> None:
    pinned = register(cast.member, cast.search, "transcribe", **PINNED)
    waived_for_all(cast.architect)
    assert verdicts(pinned) == ("pinned", "pinned", 1)
    found = Row.objects.get(workload=pinned, target=jammy()).assessment.findings
    for f in found:
        if f["about"] == "workload" and f["effect"] != "note":
            waive(cast.architect, pinned.pk, jammy().pk, mark(f), **TOLD, ends=UNTIL, today=TODAY)
    engine, now, waived = verdicts(pinned)
    assert (engine, now) == ("pinned", "needs-change") and waived == sum(f["effect"] != "note" for f in found)


def test_it_ends_with_its_day_without_anything_being_worked_out(cast: Cast, ready: Workload) -> None:
    waived_for_all(cast.architect, ends=date(2026, 12, 31))
    assert verdicts(ready, date(2026, 12, 31)) == ("needs-change", "movable", 1)
    assert verdicts(ready, date(2027, 1, 1)) == ("needs-change", "needs-change", 0)
    assert words(ready, date(2027, 1, 1)) == ["ended on 31 December 2026"]


def test_it_ends_when_its_cause_changes_and_holds_again_with_the_old_one(cast: Cast, ready: Workload) -> None:
    system = jammy().spec["os"]
    waived_for_all(cast.architect)
    edit(cast, os=system | {"version": "22.04.4"})
    assert verdicts(ready) == ("needs-change", "needs-change", 0)
    assert words(ready) == ["does not count: what it was given for has changed"]
    waived_for_all(cast.architect)
    assert verdicts(ready) == ("needs-change", "movable", 1)
    edit(cast, os=system)
    assert verdicts(ready) == ("needs-change", "movable", 1)
    assert words(ready) == ["holds until 31 March 2027", "does not count: what it was given for has changed"]


def test_another_manifest_or_another_name_of_the_target_is_no_other_cause(cast: Cast, ready: Workload) -> None:
    waived_for_all(cast.architect)
    revise(cast.member, ready, READY.replace("v0.23.0", "v0.24.0"), **SAYS)
    assert verdicts(ready)[2] == 1
    edit(cast, gpus_per_node=4)
    assert verdicts(ready) == ("needs-change", "movable", 1)


def test_a_rule_that_nobody_may_waive_any_more_ends_it_for_all(cast: Cast, ready: Workload) -> None:
    other = register(cast.member, cast.search, "other", READY, **SAYS)
    waived_for_all(cast.architect)
    save_settings(cast.administrator, stored().version, chosen(not_waivable=("PLT001",)))
    assert verdicts(ready) == verdicts(other) == ("needs-change", "needs-change", 0)
    assert words(ready) == ["does not count: the organisation lets nobody waive this rule"]
    save_settings(cast.administrator, stored().version, chosen(not_waivable=()))
    assert verdicts(ready) == verdicts(other) == ("needs-change", "movable", 1)


def test_who_agreed_before_is_asked_again_as_with_one_for_a_workload(
    cast: Cast, review: Review, ready: Workload
) -> None:
    other = register(cast.member, cast.search, "other")
    entry, kept = entry_of(review, ready), entry_of(review, other)
    decided(cast.architect, entry)
    decided(cast.architect, kept)
    waiver = waived_for_all(cast.architect)
    assert (standing(entry).decided_verdict, standing(entry).asks_again) == ("movable", True)
    assert standing(kept).decided, "its verdict is the same with and without"
    decided(cast.architect, entry)
    assert Decision.objects.order_by("-pk")[0].verdict == "movable" and standing(entry).decided
    withdraw_waiver(cast.architect, waiver.pk, TODAY)
    assert standing(entry).asks_again


def test_a_reviewers_own_verdict_stands_whatever_is_waived(cast: Cast, review: Review, ready: Workload) -> None:
    entry = entry_of(review, ready)
    own = {"kind": "otherwise", "verdict": "pinned", "reason": "It did not run.", "evidence": "Rehearsed."}
    decided(cast.architect, entry, **own)
    waived_for_all(cast.architect)
    line = standing(entry)
    assert (line.decided_verdict, line.waived, line.asks_again) == ("pinned", 1, False)


def test_the_record_carries_it_with_each_entry(cast: Cast, review: Review, ready: Workload) -> None:
    other = register(cast.member, cast.search, "other", SERVING)
    withdraw_waiver(cast.architect, waived_for_all(cast.architect).pk, TODAY)
    waiver = waived_for_all(cast.architect, ends=UNTIL + timedelta(days=1))
    for workload in (ready, other):
        decided(cast.architect, entry_of(review, workload))
    record = close(cast.architect, review.pk, "Reviewed.", TODAY)
    said = json.loads(record.text)
    jsonschema.validate(said, json.loads(schema()))
    entries = {e["workload"]["name"]: e for e in said["entries"]}
    told = [(w["rule"], w["all_workloads"], w["standing"]) for w in entries["ready"]["waivers"]]
    assert told == [("PLT001", True, "withdrawn"), ("PLT001", True, "holds")]
    assert entries["other"]["waivers"] == entries["ready"]["waivers"]
    assert (entries["ready"]["decided_verdict"], entries["other"]["decided_verdict"]) == ("movable", "needs-change")
    assert "PLT001" in bytes(record.csv).decode().splitlines()[1]
    before = record.text, bytes(record.csv)
    withdraw_waiver(cast.architect, waiver.pk, TODAY)
    record.refresh_from_db()
    assert (record.text, bytes(record.csv)) == before


def test_the_record_leaves_out_what_had_ended_before_the_review(cast: Cast, ready: Workload) -> None:
    withdraw_waiver(cast.architect, waived_for_all(cast.architect).pk, TODAY)
    waived_for_all(cast.architect, ends=UNTIL + timedelta(days=1))
    Waiver.objects.filter(withdrawn_at=None).update(ends=timezone.localdate() - timedelta(days=1))
    waived_for_all(cast.architect, ends=UNTIL + timedelta(days=2))
    review = open_review(cast.architect, Q4, TODAY)
    decided(cast.architect, entry_of(review, ready))
    said = json.loads(close(cast.architect, review.pk, "Reviewed.", TODAY).text)
    assert [w["ends"] for w in said["entries"][0]["waivers"]] == ["2027-04-02"]


def test_records_from_before_there_were_any_are_still_of_the_schema(
    cast: Cast, review: Review, ready: Workload
) -> None:
    waived_for_all(cast.architect)
    decided(cast.architect, entry_of(review, ready))
    said = json.loads(close(cast.architect, review.pk, "Reviewed.", TODAY).text)
    for waiver in said["entries"][0]["waivers"]:
        del waiver["all_workloads"]
    jsonschema.validate(said, json.loads(schema()))
