"""What is in the history stays as it is: the application refuses to change it, and so does the database."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from portability.accounts.actions import deactivate_person
from portability.audit import triggers
from portability.audit.actions import record
from portability.audit.models import Entry, Kept
from portability.engine.manifests.secrets import MARKER
from portability.workloads.actions.erase import erase_value
from tests.conftest import Cast

pytestmark = pytest.mark.database


def _saved(entry: Entry) -> None:
    entry.subject = "another"
    entry.save()


@pytest.mark.parametrize(
    "change",
    [
        _saved,
        lambda entry: entry.delete(),
        lambda entry: Entry.objects.filter(pk=entry.pk).update(subject="another"),
        lambda entry: Entry.objects.filter(pk=entry.pk).delete(),
        lambda entry: Entry.objects.all().delete(),
        lambda entry: Entry.objects.bulk_update([entry], ["subject"]),
        lambda entry: Entry.objects.bulk_create([entry], update_conflicts=True),
        lambda entry: Entry.objects.update_or_create(pk=entry.pk, defaults={"subject": "another"}),
    ],
    ids=["save", "delete", "update", "delete-some", "delete-all", "bulk-update", "bulk-create", "update-or-create"],
)
def test_the_application_changes_nothing(cast: Cast, change: Callable[[Entry], object]) -> None:
    entry = record(cast.member, "workload.saved", "chat")
    with pytest.raises(Kept):
        change(entry)
    assert Entry.objects.get(pk=entry.pk).subject == "chat"


@pytest.fixture
def guarded(db: None) -> None:
    """SQLite's guard against deleting, which tests take away to empty their tables."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(triggers.SQLITE_DELETE)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_entry SET subject = 'another'",
        "UPDATE audit_entry SET who_name = 'somebody'",
        "UPDATE audit_entry SET at = '2020-01-01 00:00:00+00'",
        "UPDATE audit_entry SET action = 'REDACTED'",
        "UPDATE audit_entry SET who_id = NULL",
        "UPDATE audit_entry SET details = '{}'",
        "DELETE FROM audit_entry",
    ],
)
def test_nor_does_the_database(cast: Cast, guarded: None, statement: str) -> None:
    record(cast.member, "workload.saved", "chat", revision=2)
    before = list(Entry.objects.values())
    refused = pytest.raises(IntegrityError, match="the history is not changed")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert list(Entry.objects.values()) == before


def test_a_value_is_erased_from_it_all_the_same(cast: Cast, guarded: None) -> None:
    long = f"{'x' * 190}secret-of-old"[:200]
    ended = record(cast.member, "workload.saved", long)
    held = record(cast.member, "workload.saved", "chat", reason="its secret-of-old", parts=["secret-of-old"])
    erase_value(cast.administrator, "secret-of", everywhere=True)
    ended, held = Entry.objects.get(pk=ended.pk), Entry.objects.get(pk=held.pk)
    assert ended.subject.startswith("x" * 190) and "secret" not in ended.subject
    assert held.details == {"reason": f"its {MARKER}-old", "parts": [f"{MARKER}-old"]}
    assert held.who_name == "member"


def test_the_guard_knows_the_marker_of_erased_values() -> None:
    assert triggers.MARKER == MARKER
    assert MARKER.startswith(triggers.BEGUN) and len(triggers.BEGUN) == 6  # the shortest value that is erased


def test_people_keep_the_name_they_had(cast: Cast) -> None:
    entry = record(cast.member, "workload.saved", "chat")
    cast.member.username = "married"
    cast.member.save()
    deactivate_person(cast.administrator, cast.member)
    assert Entry.objects.get(pk=entry.pk).who_name == "member"
    with pytest.raises(ProtectedError):
        cast.member.delete()
