"""Rehearsals: who records them, what the register carries of them, how they lapse, and how one is taken back."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.organisation.models import Organisation
from portability.refused import Refused
from portability.register.actions import assess_revision
from portability.register.models import Row
from portability.rehearsals import actions
from portability.rehearsals.actions import Said, record_rehearsal, withdraw
from portability.rehearsals.models import Rehearsal
from portability.targets.models import Target
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]

TODAY = date(2026, 11, 30)
TARGET = "mi300x-single"


@pytest.fixture(autouse=True)
def on_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages are asked for on this day."""
    monkeypatch.setattr(timezone, "localdate", lambda *_: TODAY)


def said(**changes: Any) -> Said:
    """What a person says of a rehearsal."""
    values: dict[str, Any] = {
        "target": TARGET,
        "day": date(2026, 10, 3),
        "outcome": "ran",
        "permanent": False,
        "traffic": "a tenth of production, two days",
        "observed": "ran as it is",
    }
    return Said(**values | changes)


def recorded(cast: Cast, workload: Workload, **changes: Any) -> Rehearsal:
    """One rehearsal, by a member of the team."""
    return record_rehearsal(cast.member, workload.pk, said(**changes), today=TODAY)


def marked(workload: Workload) -> tuple[str, date | None]:
    """What the row carries."""
    row = Row.objects.get(workload=workload, target__name=TARGET)
    return row.rehearsed, row.rehearsed_on


def form(**changes: Any) -> dict[str, Any]:
    """What the page sends."""
    sent = {
        "target": TARGET,
        "day": "2026-10-03",
        "outcome": "ran",
        "traffic": "a tenth of production",
        "observed": "12 tokens a second\nno errors",
        "link": "https://wiki.example.com/rehearsal",
    }
    return sent | changes


def test_members_of_the_team_and_architects_record_and_withdraw(cast: Cast, registered: Workload) -> None:
    for person in (cast.member, cast.teammate, cast.architect):
        made = record_rehearsal(person, registered.pk, said(), today=TODAY)
        assert made.recorded_by_name == person.username
        withdraw(person, made.pk, "a slip")
    made = recorded(cast, registered)
    for person in (cast.viewer, cast.outsider, cast.curator, cast.administrator):
        with pytest.raises(PermissionDenied):
            record_rehearsal(person, registered.pk, said(), today=TODAY)
        with pytest.raises(PermissionDenied):
            withdraw(person, made.pk, "not mine")


def test_the_form_keeps_what_was_said_and_leads_to_its_page(
    cast: Cast, registered: Workload, client_of: ClientOf
) -> None:
    member = client_of(cast.member)
    address = f"/workloads/{registered.pk}/rehearsals/new/"
    assert f'href="{address}?target={TARGET}"' in member.get(f"/workloads/{registered.pk}/").content.decode()
    assert f'<option value="{TARGET}" selected>' in member.get(f"{address}?target={TARGET}").content.decode()
    answer = member.post(address, form(), follow=True)
    page = answer.content.decode()
    assert answer.redirect_chain and "12 tokens a second<br>no errors" in page
    assert "https://wiki.example.com/rehearsal" in page
    entry = Entry.objects.get(action="rehearsal.recorded")
    assert (entry.subject, entry.who_name) == ("chat-assistant", "member")
    assert entry.details == {"target": TARGET, "day": "2026-10-03", "outcome": "ran", "permanent": False}


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"day": "2026-12-01"}, "yet to come"),
        ({"day": "3.10.2026"}, "Write the day as 2026-11-30"),
        ({"outcome": "failed", "permanent": "on"}, "was not left running there"),
        ({"target": "nowhere"}, "Select a valid choice"),
        ({"traffic": ""}, "required"),
        ({"observed": " "}, "required"),
        ({"observed": "a\x00b"}, "Null characters"),
        ({"link": "javascript:alert(1)"}, "Give a web address"),
        ({"link": "ftp://files.example.com/x"}, "Give a web address"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_kept(
    cast: Cast, registered: Workload, client_of: ClientOf, changes: dict[str, str], what: str
) -> None:
    answer = client_of(cast.member).post(f"/workloads/{registered.pk}/rehearsals/new/", form(**changes))
    assert answer.status_code == 422
    assert what in answer.content.decode()
    assert 'value="https://wiki.example.com/rehearsal"' in answer.content.decode() or "link" in changes
    assert not Rehearsal.objects.exists() and marked(registered) == ("", None)


def test_a_form_sent_twice_counts_once(cast: Cast, registered: Workload, client_of: ClientOf) -> None:
    member, address = client_of(cast.member), f"/workloads/{registered.pk}/rehearsals/new/"
    token = str(uuid4())
    first = member.post(address, form(token=token))
    assert member.post(address, form(token=token)).headers["Location"] == first.headers["Location"]
    assert Rehearsal.objects.count() == 1
    answer = member.post(address, form(token=token, traffic="something else"))
    assert answer.status_code == 422 and "Open a new one" in answer.content.decode()


def test_nothing_is_recorded_of_a_retired_workload_or_for_a_target_it_was_not_judged_for(
    cast: Cast, registered: Workload
) -> None:
    Row.objects.filter(workload=registered, target__name="h100").delete()
    with pytest.raises(Refused, match="was not judged for h100 yet"):
        recorded(cast, registered, target="h100")
    Target.objects.filter(name="mi300x-newest").update(active=False)
    with pytest.raises(Refused, match="target that is active"):
        recorded(cast, registered, target="mi300x-newest")
    retire(cast.member, registered.pk, "gone")
    with pytest.raises(Refused, match="is retired"):
        recorded(cast, registered)


def test_the_newest_decides_and_what_was_left_running_stays_proven_until_it_fails(
    cast: Cast, registered: Workload
) -> None:
    recorded(cast, registered, day=date(2026, 3, 1))
    assert marked(registered) == ("ran", date(2026, 3, 1))
    recorded(cast, registered, day=date(2026, 4, 1), permanent=True)
    assert marked(registered) == ("kept", date(2026, 4, 1))
    recorded(cast, registered, day=date(2026, 5, 1))
    assert marked(registered) == ("kept", date(2026, 4, 1))
    failed = recorded(cast, registered, day=date(2026, 6, 1), outcome="failed")
    assert marked(registered) == ("failed", date(2026, 6, 1))
    ran = recorded(cast, registered, day=date(2026, 7, 1))
    assert marked(registered) == ("ran", date(2026, 7, 1)), "left running before it failed is no proof any more"
    withdraw(cast.member, failed.pk, "it was another workload")
    assert marked(registered) == ("kept", date(2026, 4, 1))
    recorded(cast, registered, day=date(2026, 2, 1), outcome="failed")
    assert marked(registered) == ("kept", date(2026, 4, 1)), "recorded late, and older"
    assert ran.withdrawn_at is None


def test_a_claim_lapses_by_the_organisations_limit_and_what_is_kept_there_does_not(
    cast: Cast, registered: Workload, client_of: ClientOf
) -> None:
    client = client_of(cast.viewer)
    made = recorded(cast, registered, day=TODAY - timedelta(days=365))

    def shown() -> tuple[str, str]:
        page = client.get("/register/").content.decode()
        file = b"".join(client.get("/register/export.csv?columns=all")).decode()
        (row,) = csv.DictReader(io.StringIO(file))
        found = [word for word in ("lapsed: ran there on", "ran there on", "proven: kept there since") if word in page]
        return found[0], row["rehearsed"]

    assert shown() == ("ran there on", "ran 2025-11-30"), "on the last day"
    Organisation.objects.update_or_create(pk=1, defaults={"rehearsal_days": 364})
    assert shown() == ("lapsed: ran there on", "lapsed 2025-11-30")
    assert "the claim is lapsed" in client.get(f"/rehearsals/{made.pk}/").content.decode()
    assert "<b>lapsed</b>" in client.get(f"/workloads/{registered.pk}/").content.decode()
    assert "<b>lapsed</b>" in client.get(f"/targets/{TARGET}/").content.decode()
    recorded(cast, registered, day=date(2020, 1, 1), permanent=True)
    assert shown() == ("proven: kept there since", "proven 2020-01-01")


@pytest.mark.parametrize(
    ("changes", "filtered"),
    [
        ({}, "ran"),
        ({"day": date(2024, 1, 1)}, "lapsed"),
        ({"permanent": True}, "proven"),
        ({"outcome": "failed"}, "failed"),
        (None, "never"),
    ],
)
def test_the_register_is_filtered_by_them(
    cast: Cast, registered: Workload, client_of: ClientOf, changes: dict[str, Any] | None, filtered: str
) -> None:
    if changes is not None:
        recorded(cast, registered, **changes)
    for value in ("ran", "lapsed", "proven", "failed", "never"):
        page = client_of(cast.viewer).get(f"/register/?target={TARGET}&rehearsed={value}").content.decode()
        assert (f">{registered.name}</a>" in page) == (value == filtered), value


def test_the_verdict_stays_whatever_ran_and_judging_again_keeps_the_mark(cast: Cast, registered: Workload) -> None:
    before = Row.objects.get(workload=registered, target__name=TARGET)
    recorded(cast, registered, permanent=True)
    after = Row.objects.get(pk=before.pk)
    assert (after.verdict, after.why, after.assessment_id) == (before.verdict, before.why, before.assessment_id)
    target = Target.objects.get(name=TARGET)
    target.version += 1
    target.save()
    assert registered.current is not None
    assess_revision(registered.current, "target")
    again = Row.objects.get(pk=before.pk)
    assert again.assessment_id != before.assessment_id
    assert marked(registered) == ("kept", date(2026, 10, 3))


@pytest.mark.parametrize(
    ("verdict", "changes", "confirms", "outcome", "both"),
    [
        ("pinned", 0, 0, "ran", "says no, and yet it ran"),
        ("needs-change", 0, 2, "ran", "leaves open whether it can run, and it ran"),
        ("needs-change", 3, 1, "ran", "leaves open whether it can run, and it ran"),
        ("not-assessed", 0, 0, "ran", "does not suffice for a verdict, and yet it ran"),
        ("movable", 0, 0, "failed", "stands against it, and yet it did not run"),
        ("needs-change", 3, 0, "ran", ""),
        ("pinned", 0, 0, "failed", ""),
    ],
)
def test_against_what_is_documented_both_are_said(
    cast: Cast,
    registered: Workload,
    client_of: ClientOf,
    verdict: str,
    changes: int,
    confirms: int,
    outcome: str,
    both: str,
) -> None:
    recorded(cast, registered, outcome=outcome)
    Row.objects.filter(workload=registered).update(verdict=verdict, changes=changes, confirms=confirms)
    page = client_of(cast.viewer).get(f"/workloads/{registered.pk}/").content.decode()
    assert ("Both stand" in page) == bool(both) and both in page
    assert "never changes it" in page


def test_one_is_taken_back_with_a_reason_and_stays_readable(
    cast: Cast, registered: Workload, client_of: ClientOf
) -> None:
    made = recorded(cast, registered)
    member = client_of(cast.member)
    answer = member.post(f"/rehearsals/{made.pk}/withdraw/", {"reason": " "})
    assert answer.status_code == 422 and "Say why it is withdrawn" in answer.content.decode()
    page = member.post(f"/rehearsals/{made.pk}/withdraw/", {"reason": "wrong cluster"}, follow=True).content.decode()
    assert "by member: wrong cluster" in page and "ran as it is" in page
    member.post(f"/rehearsals/{made.pk}/withdraw/", {"reason": "again"})
    assert Rehearsal.objects.get().withdrawn_reason == "wrong cluster"
    assert Entry.objects.filter(action="rehearsal.withdrawn").count() == 1
    assert marked(registered) == ("", None)
    assert "Withdraw it" not in client_of(cast.viewer).get(f"/rehearsals/{made.pk}/").content.decode()


def test_where_nothing_is_recorded_pages_say_so(cast: Cast, registered: Workload, client_of: ClientOf) -> None:
    viewer = client_of(cast.viewer)
    page = viewer.get(f"/workloads/{registered.pk}/").content.decode()
    assert "nobody has said that it was tried there" in page and "Record a rehearsal" not in page
    assert "None is recorded" in viewer.get(f"/targets/{TARGET}/").content.decode()
    assert actions.may_record(cast.viewer, registered.team) is False


def test_credentials_and_control_characters_are_not_kept(cast: Cast, registered: Workload) -> None:
    found = recorded(
        cast, registered, traffic="all\x07 of it", observed="ran\r\nsee https://lena:hunter2@logs.example/1"
    )
    assert (found.traffic, found.observed) == ("all of it", "ran\nsee https://lena:REDACTED@logs.example/1")
    for link in ("https://lena:hunter2@logs.example/1", "https://logs.example/\u202egnp.exe"):
        with pytest.raises(Refused, match="without the password") as refused:
            recorded(cast, registered, link=link)
        assert refused.value.field == "link"
