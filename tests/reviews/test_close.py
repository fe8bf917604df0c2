"""Signing a review off, its record, and addenda."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from datetime import date
from typing import Any

import jsonschema
import pytest
from django.core.exceptions import PermissionDenied
from django.db.models import ProtectedError

from portability.audit.models import Entry as AuditEntry
from portability.rehearsals.models import Rehearsal
from portability.reviews.actions import (
    add_addendum,
    addendum_digest,
    answer,
    ask,
    assign,
    close,
    decide_many,
    defer,
    open_review,
    preview,
    undo_last,
    withdraw_waiver,
    write_note,
)
from portability.reviews.errors import Refused
from portability.reviews.given import Given
from portability.reviews.models import Addendum, Decision, Entry, Record, Review
from portability.reviews.record.canonical import canonical
from portability.reviews.record.making import schema
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast
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
    seen,
    target,
    waived,
)

pytestmark = pytest.mark.database
SCHEMA = json.loads(schema())
STATEMENT = "Reviewed with the teams.\nOpen: two plans."


@pytest.fixture
def everything(cast: Cast, review: Review, chat: Workload) -> Review:
    """A review in which everything that can happen has happened, ready to be closed."""
    who = cast.architect
    entry = entry_of(review, chat)
    question = ask(who, entry.pk, "Is it pinned? „Ja“, or no?")
    answer(cast.member, question.pk, "Yes.")
    write_note(cast.member, entry.pk, "=1+1")
    waived(who, entry, "IMG001")
    withdraw_waiver(who, waived(who, entry, "RES001").pk, TODAY)
    told = {
        "traffic": "5 %",
        "observed": "It ran for a day.",
        "link": "https://r.example/1",
        "recorded_by": cast.member,
    }
    Rehearsal.objects.create(workload=chat, target=target(), day=date(2026, 11, 3), recorded_by_name="member", **told)
    decided(who, entry)
    undo_last(who, review.pk, TODAY)
    decided(who, entry, kind="otherwise", verdict="movable", reason="It ran.", evidence="Rehearsed on 3 November.")
    plan = {"plan_quarter": "2027-Q1", "plan_owner": "Lena", "plan_effort": "2 days", "link": "https://t.example/1"}
    moved = register(cast.member, cast.search, "moved")
    revise(cast.member, moved, SERVING, **PINNED)
    assign(who, [entry_of(review, moved).pk], who)
    decided(who, entry_of(review, moved), kind="plan", **plan)
    unread = entry_of(review, register(cast.member, cast.search, "unread", NOTHING))
    decided(who, unread, kind="not-known", finds_out="Lena", by_day=date(2027, 1, 15))
    nowhere = entry_of(review, register(cast.outsider, cast.media, "nowhere", vendor="other"))
    decided(who, nowhere, kind="not-known", finds_out="Lena", by_day=date(2027, 1, 15))
    late = entry_of(review, register(cast.member, cast.search, "late"))
    defer(who, late.pk, late.version, "Registered last week.")
    retire(cast.member, register(cast.member, cast.search, "gone").pk, "replaced")
    return review


def record_json(record: Record) -> dict[str, Any]:
    """A record as a value."""
    found: dict[str, Any] = json.loads(record.text)
    return found


def test_the_record_says_what_was_known_and_decided(cast: Cast, everything: Review) -> None:
    record = close(cast.architect, everything.pk, STATEMENT, TODAY)
    said = record_json(record)
    assert said["review"]["statement"] == STATEMENT
    assert (said["review"]["quarter"], said["review"]["opened_by"]) == ("2026-Q4", "architect")
    assert {p["username"] for p in said["people"]} == {"architect", "member"}
    names = [(e["workload"]["team"], e["workload"]["name"], e["state"]) for e in said["entries"]]
    assert names == [
        ("Media", "nowhere", "decided"),
        ("Search", "chat", "decided"),
        ("Search", "gone", "retired"),
        ("Search", "late", "deferred"),
        ("Search", "moved", "decided"),
        ("Search", "unread", "decided"),
    ]
    entries = {e["workload"]["name"]: e for e in said["entries"]}
    chat = entries["chat"]
    assert (chat["engine_verdict"], chat["decided_verdict"], chat["decision"]["kind"]) == (
        "needs-change",
        "movable",
        "otherwise",
    )
    assert [(d["kind"], d["undone_by"]) for d in chat["decisions"]] == [("agree", "architect"), ("otherwise", None)]
    assert [(w["rule"], w["standing"]) for w in chat["waivers"]] == [("IMG001", "holds"), ("RES001", "withdrawn")]
    assert [n["kind"] for n in chat["notes"]] == ["question", "answer", "note"]
    assert [(r["day"], r["lapsed"]) for r in chat["rehearsals"]] == [("2026-11-03", False)]
    assert {f["rule"] for f in chat["engine"]["findings"]} == {"IMG001", "RES001", "OBS003"}
    assert all(f["evidence"] for f in chat["engine"]["findings"]) and chat["engine"]["releases"]
    assert "h100" in {o["target"] for o in chat["others"]} and target().name not in {
        o["target"] for o in chat["others"]
    }
    moved = entries["moved"]
    assert (moved["assigned"], moved["joined_with"], moved["engine_verdict"]) == ("architect", "needs-change", "pinned")
    assert [(c["cause"], c["after"]) for c in moved["changed_since"]] == [("manifest", "pinned")]
    assert entries["nowhere"]["target"] is None and entries["nowhere"]["engine"] is None
    assert entries["late"]["deferred_reason"] == "Registered last week."
    figures = {(f["vendor"], f["group"]): (f["workloads"], f["gpus"]) for f in said["figures"]}
    assert figures == {
        ("nvidia", "no-way-out"): (1, 2),
        ("nvidia", "until-changed"): (2, 4),
        ("nvidia", "not-known"): (1, 0),
        ("other", "not-known"): (1, 2),
    }


def test_the_record_is_canonical_known_by_its_digest_and_fits_the_schema(cast: Cast, everything: Review) -> None:
    record = close(cast.architect, everything.pk, STATEMENT, TODAY)
    said = record_json(record)
    assert canonical(said) == record.text
    assert record.digest == hashlib.sha256(record.text.encode()).hexdigest()
    assert record.csv_digest == hashlib.sha256(bytes(record.csv)).hexdigest()
    jsonschema.Draft202012Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(said)
    audit = AuditEntry.objects.get(action="review.closed")
    assert (audit.subject, audit.details["record"], audit.details["entries"]) == ("2026-Q4", record.digest, 6)


def test_the_schema_refuses_what_is_no_record(cast: Cast, everything: Review) -> None:
    said = record_json(close(cast.architect, everything.pk, STATEMENT, TODAY))
    said["entries"][0]["decision"]["kind"] = "maybe"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(said, SCHEMA)


def test_the_csv_has_a_line_for_each_entry_and_runs_no_formula(cast: Cast, everything: Review) -> None:
    entry = everything.entries.get(workload__name="chat")
    decided(cast.architect, entry, kind="stays", reason="=HYPERLINK(1)")
    record = close(cast.architect, everything.pk, STATEMENT, TODAY)
    text = bytes(record.csv).decode("utf-8-sig")
    rows = {row["workload"]: row for row in csv.DictReader(io.StringIO(text))}
    assert list(rows) == ["nowhere", "chat", "gone", "late", "moved", "unread"]
    chat = rows["chat"]
    assert (chat["verdict"], chat["decided verdict"], chat["decision"]) == ("needs-change", "needs-change", "stays")
    assert (chat["reason"], chat["GPUs"], chat["waived rules"]) == ("'=HYPERLINK(1)", "2", "IMG001")
    assert rows["moved"]["plan quarter"] == "2027-Q1" and rows["moved"]["causes of change"] == "manifest"
    assert (rows["moved"]["plan ends"], rows["chat"]["plan ends"]) == ("2027-03-31", "")
    assert list(chat)[-1] == "plan ends", "columns stay where they are"
    assert rows["late"]["reason"] == "Registered last week."
    assert rows["unread"]["by"] == "2027-01-15"


def test_lines_of_manifests_stay_out_of_the_record(cast: Cast, review: Review, chat: Workload) -> None:
    told = SERVING.replace('args: ["--model=Qwen/Qwen3-8B"]', 'command: [bash, -c, "nvidia-smi -q --key=a-quiet-word"]')
    revise(cast.member, chat, told)
    decided(cast.architect, entry_of(review, chat))
    record = close(cast.architect, review.pk, STATEMENT, TODAY)
    assert "CMD001" in record.text and "a-quiet-word" not in record.text


@pytest.mark.parametrize("who", ["viewer", "member", "outsider", "curator", "administrator"])
def test_only_architects_sign_off_and_correct(cast: Cast, review: Review, who: str) -> None:
    decided(cast.architect, review.entries.get())
    with pytest.raises(PermissionDenied):
        close(getattr(cast, who), review.pk, STATEMENT, TODAY)
    close(cast.architect, review.pk, STATEMENT, TODAY)
    with pytest.raises(PermissionDenied):
        add_addendum(getattr(cast, who), review.pk, "One more thing.")


def test_what_is_not_decided_or_asks_again_is_counted_and_nothing_is_closed(
    cast: Cast, review: Review, chat: Workload
) -> None:
    register(cast.member, cast.search, "late")
    with pytest.raises(Refused, match=r"2 entries are not decided\.$"):
        close(cast.architect, review.pk, STATEMENT, TODAY)
    decided(cast.architect, entry_of(review, chat))
    revise(cast.member, chat, SERVING, **PINNED)
    with pytest.raises(Refused, match="1 entry is not decided and 1 asks again"):
        close(cast.architect, review.pk, STATEMENT, TODAY)
    review.refresh_from_db()
    assert (review.state, review.statement, review.closed_at) == ("open", "", None)
    assert not Record.objects.exists()


def test_a_statement_is_required(cast: Cast, review: Review) -> None:
    decided(cast.architect, review.entries.get())
    for statement in (" ", "x" * 4001):
        with pytest.raises(Refused) as refused:
            close(cast.architect, review.pk, statement, TODAY)
        assert refused.value.field == "statement"


def test_sent_twice_it_is_closed_once(cast: Cast, review: Review) -> None:
    decided(cast.architect, review.entries.get())
    first = close(cast.architect, review.pk, STATEMENT, TODAY)
    assert close(cast.architect, review.pk, STATEMENT, TODAY) == first
    with pytest.raises(Refused, match="is closed"):
        close(cast.architect, review.pk, "Another statement.", TODAY)


def test_nothing_of_a_closed_review_can_be_changed(cast: Cast, review: Review, chat: Workload) -> None:
    entry = entry_of(review, chat)
    question = ask(cast.architect, entry.pk, "Why?")
    shown = {entry.pk: seen(entry)}
    decided(cast.architect, entry)
    close(cast.architect, review.pk, STATEMENT, TODAY)
    before = list(Entry.objects.values()), list(Review.objects.values())
    who = cast.architect
    for act in (
        lambda: decided(who, entry, kind="stays", reason="It stays."),
        lambda: decide_many(who, shown, Given("stays", reason="It stays."), TODAY),
        lambda: preview(who, [entry.pk], Given("stays", reason="It stays."), TODAY),
        lambda: undo_last(who, review.pk, TODAY),
        lambda: defer(who, entry.pk, entry.version, "Later."),
        lambda: assign(who, [entry.pk], who),
        lambda: write_note(who, entry.pk, "Late."),
        lambda: ask(who, entry.pk, "Late?"),
        lambda: answer(cast.member, question.pk, "Late."),
        lambda: close(who, review.pk, "Again.", TODAY),
    ):
        with pytest.raises(Refused, match="The review of 2026-Q4 is closed"):
            act()
    retire(cast.member, chat.pk, "replaced")
    register(cast.member, cast.search, "late")
    assert (list(Entry.objects.values()), list(Review.objects.values())) == before


def test_corrections_are_numbered_signed_and_leave_the_record(cast: Cast, review: Review) -> None:
    with pytest.raises(Refused, match="is open"):
        add_addendum(cast.architect, review.pk, "Too early.")
    decided(cast.architect, review.entries.get())
    record = close(cast.architect, review.pk, STATEMENT, TODAY)
    first = add_addendum(cast.architect, review.pk, "The owner is Lena.")
    assert add_addendum(cast.architect, review.pk, "The owner is Lena.") == first
    second = add_addendum(cast.architect, review.pk, "No: Jonas.")
    with pytest.raises(Refused) as refused:
        add_addendum(cast.architect, review.pk, " ")
    assert refused.value.field == "text"
    assert [(a.number, a.written_by_name) for a in Addendum.objects.all()] == [(1, "architect"), (2, "architect")]
    stored = Addendum.objects.get(number=2)
    said = {
        "number": 2,
        "record": record.digest,
        "text": "No: Jonas.",
        "when": stored.written_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "who": "architect",
    }
    text = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert second.digest == hashlib.sha256(text.encode()).hexdigest() == addendum_digest(stored, record.digest)
    record_now = Record.objects.get()
    assert (record_now.text, bytes(record_now.csv)) == (record.text, bytes(record.csv))


def test_a_record_and_its_corrections_are_written_once(cast: Cast, review: Review) -> None:
    decided(cast.architect, review.entries.get())
    record = close(cast.architect, review.pk, STATEMENT, TODAY)
    for stored in (record, add_addendum(cast.architect, review.pk, "The owner is Lena.")):
        for act in (stored.save, stored.delete):
            with pytest.raises(TypeError, match="never"):
                act()
    with pytest.raises(ProtectedError):
        review.delete()


def test_a_record_holds_no_fractions() -> None:
    with pytest.raises(TypeError, match="no fractions"):
        canonical({"a": [{"b": 0.5}]})


def test_a_large_review_is_closed_with_queries_by_the_hundred(
    cast: Cast, shipped: None, django_assert_max_num_queries: Any
) -> None:
    generate(600, choose_target())
    review = open_review(cast.architect, Q4, TODAY)
    for entry in review.entries.select_related("stood"):
        verdict = entry.stood.verdict if entry.stood else "not-assessed"
        entry.decision = Decision.objects.create(
            entry=entry,
            target=entry.target,
            kind="agree",
            assessment=entry.stood,
            holds_for=entry.stood,
            engine_verdict=verdict,
            verdict=verdict,
            basis="0" * 64,
            made_by=cast.architect,
            made_by_name="architect",
        )
        entry.state = Entry.State.DECIDED
        entry.save()
    with django_assert_max_num_queries(90):
        record = close(cast.architect, review.pk, STATEMENT, TODAY)
    assert len(record_json(record)["entries"]) == 600
