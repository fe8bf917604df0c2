"""A closed review stays what it was, whatever happens to the register afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from portability.accounts.actions import deactivate_person
from portability.accounts.models import Person
from portability.accounts.team_actions import rename_team
from portability.matrices.models import Release
from portability.organisation.actions import save_settings
from portability.organisation.queries import stored
from portability.register.actions import reassess_outdated
from portability.register.models import Row
from portability.reviews import queries
from portability.reviews.actions import add_addendum, answer, ask, close, withdraw_waiver
from portability.reviews.comparison import compare
from portability.reviews.decided import with_decided
from portability.reviews.models import Entry, Record, Review
from portability.reviews.record.canonical import digest
from portability.reviews.report import report
from portability.reviews.report_file import report_html
from portability.rules.actions import RowValues, add_rows
from portability.rules.custom import actions as custom_rules
from portability.targets.actions import save_target
from portability.workloads.actions import rename, retire
from portability.workloads.models import Workload
from tests.conftest import Cast, let_tables_be_emptied
from tests.matrices.keeping import DAY, publish, redraft, work
from tests.reviews.making import (
    PINNED,
    SERVING,
    TODAY,
    body,
    choose_target,
    decided,
    entry_of,
    register,
    revise,
    target,
    waived,
)
from tests.reviews.test_follow import chosen
from tests.rules import custom

pytestmark = pytest.mark.database


def shown(reader: Client, review: Review) -> dict[str, str]:
    """What everyone is served of a closed review: both files, its page, the report's body, what stands at its foot."""
    found = {}
    for name, part in (
        ("record", "(?s).*"),
        ("csv", "(?s).*"),
        ("footer", "(?s).*"),
        ("review", "(?s)<h1>.*</main>"),
        ("report", "(?s)<article.*</article>"),
    ):
        said = re.search(part, body(reader.get(reverse(f"reviews:{name}", args=[review.quarter]))).decode())
        assert said is not None and len(said[0]) > 100, name
        found[name] = said[0]
    return found


def test_record_csv_report_and_comparison_stay_byte_for_byte_through_everything(
    cast: Cast,
    review: Review,
    chat: Workload,
    upgrade: Callable[[], None],
    client_of: Callable[[Person | None], Client],
) -> None:
    other = register(cast.member, cast.search, "other")
    waiver = waived(cast.architect, entry_of(review, chat), "IMG001")
    own = {"kind": "otherwise", "verdict": "movable", "reason": "It ran.", "evidence": "Rehearsed."}
    decided(cast.architect, entry_of(review, chat), **own)
    decided(cast.architect, entry_of(review, other))
    answer(cast.member, ask(cast.architect, entry_of(review, chat).pk, "Which tag?").pk, "The next one.")
    record = close(cast.architect, review.pk, "Reviewed.", TODAY)
    text, csv = record.text, bytes(record.csv)
    review.refresh_from_db()
    printed = report_html(report(record, []))
    reader = client_of(cast.viewer)
    before = shown(reader, review)
    assert [before["record"], before["csv"]] == [text, csv.decode()]
    for name in (stored().name, "Search", "chat", "other", "architect", "member", "mi300x-single", "IMG001"):
        assert name in printed and name in text, "or that it is called otherwise later would tell nothing"
    totals = compare(review, None, TODAY).totals[0]
    entries = list(Entry.objects.order_by("pk").values())

    plugin = Release.objects.get(source="amd-device-plugin", state="published")
    changed = redraft(plugin, {"naming/single/name": "amd.com/accelerator"}, read=DAY + timedelta(days=1))
    publish(cast.curator, changed, gone_through=True)
    work()
    revise(cast.member, chat, SERVING.replace("v0.23.0", "v0.24.0"), **PINNED)
    add_rows(cast.curator, [RowValues(table="images", pattern="vllm/vllm-openai", vendor="amd", effect="change")])
    work()
    few_replicas = custom.enable(cast.curator, condition="value > 1")
    save_target(cast.curator, target().name, target().version, target().spec | {"rocm": "10.0.0"})
    work()
    custom_rules.switch_off_rule(cast.curator, few_replicas.number, few_replicas.version, "It says too much.")
    work()
    choose_target(name="mi300x-cpx-mixed")
    rename(cast.member, other.pk, "assistant")
    rename_team(cast.administrator, cast.search, "Findability")
    for person, name in ((cast.architect, "someone-else"), (cast.member, "somebody")):
        person.username, person.first_name, person.last_name = name, "Renamed", "Later"
        person.save()
    deactivate_person(cast.administrator, cast.member)
    later = chosen(name="Renamed", not_waivable=("IMG001",), first_month=4, time_zone="Asia/Tokyo")
    save_settings(cast.administrator, stored().version, later)
    withdraw_waiver(cast.architect, waiver.pk, TODAY)
    retire(cast.member, other.pk, "replaced")
    upgrade()
    reassess_outdated(cast.curator)
    work()
    call_command("migrate", verbosity=0)
    call_command("load_shipped", verbosity=0)
    work()
    kept = Record.objects.get()
    assert report_html(report(kept, queries.addenda(review))) == printed
    assert shown(reader, review) == before
    correction = add_addendum(cast.architect, review.pk, "The team is called otherwise by now.")
    assert correction.text in report_html(report(kept, queries.addenda(review)))

    kept = Record.objects.get()
    again = shown(reader, review)
    assert all(again[name] == before[name] for name in ("record", "csv", "footer"))
    assert kept.text == text and bytes(kept.csv) == csv
    assert (digest(kept.text), digest(bytes(kept.csv))) == (kept.digest, kept.csv_digest)
    assert list(Entry.objects.order_by("pk").values()) == entries
    assert compare(review, None, TODAY).totals[0] == totals
    assert Row.objects.get(workload=chat, target=target()).verdict == "pinned"


def test_an_upgrade_keeps_what_was_decided_in_the_register(
    cast: Cast, review: Review, chat: Workload, upgrade: Callable[[], None]
) -> None:
    waived(cast.architect, entry_of(review, chat), "IMG001", ends=date(2027, 1, 31))
    own = {"kind": "otherwise", "verdict": "movable", "reason": "It ran.", "evidence": "Rehearsed."}
    decided(cast.architect, entry_of(review, chat), **own)
    before = Row.objects.get(workload=chat, target=target()).assessment_id
    upgrade()
    reassess_outdated(cast.curator)
    work()
    row: Any = with_decided(Row.objects.filter(workload=chat, target=target()), TODAY)
    assert row.get().assessment_id != before
    assert row.values_list("verdict", "decided_verdict", "waived").get() == ("needs-change", "movable", 1)


@pytest.mark.django_db(transaction=True)
def test_a_database_of_before_is_migrated_and_its_record_stays(
    cast: Cast, review: Review, chat: Workload, client_of: Callable[[Person | None], Client]
) -> None:
    decided(cast.architect, entry_of(review, chat))
    record = close(cast.architect, review.pk, "Reviewed.", TODAY)
    reader = client_of(cast.viewer)
    before = shown(reader, review)
    kept = (record.text, record.digest, bytes(record.csv), record.csv_digest)
    printed = report_html(report(record, []))
    try:
        call_command("migrate", "reviews", "0001", verbosity=0)
    finally:
        call_command("migrate", verbosity=0)
        let_tables_be_emptied()
    again = Record.objects.get()
    assert (again.text, again.digest, bytes(again.csv), again.csv_digest) == kept
    assert report_html(report(again, queries.addenda(review))) == printed
    assert shown(reader, review) == before
