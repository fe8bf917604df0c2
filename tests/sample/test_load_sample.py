"""Loading the sample: through the same acts that people take, once, and never into a register that is used."""

from __future__ import annotations

from io import StringIO

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import connection

from portability.accounts.models import Person, Team
from portability.audit.models import Entry
from portability.organisation.models import DefaultTarget
from portability.register.models import Row
from portability.targets.queries import active_targets
from portability.workloads.models import ManifestFile, Revision, Workload
from portability.workloads.sample import read_sample

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture(autouse=True)
def embedded(settings: LazySettings) -> None:
    """As where no DATABASE_URL is set, on whichever database the tests run."""
    settings.SERVED = False


def load() -> str:
    """Run the command; what it says."""
    said = StringIO()
    call_command("load_sample", stdout=said)
    return said.getvalue()


def everything() -> dict[str, int]:
    """How many rows each table holds."""
    tables = connection.introspection.table_names()
    counts = {}
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f'SELECT count(*) FROM "{table}"')
            counts[table] = cursor.fetchone()[0]
    return counts


def test_every_workload_is_registered_and_judged_for_every_target() -> None:
    sample = read_sample()
    assert f"Registered {len(sample.workloads)} sample workloads" in load()
    assert set(Team.objects.values_list("name", flat=True)) == set(sample.teams)
    assert Workload.objects.count() == len(sample.workloads)
    assert Revision.objects.count() == sum(len(w.revisions) for w in sample.workloads)
    assert Row.objects.count() == len(sample.workloads) * len(active_targets())
    moved = Row.objects.filter(target__name="mi300x-single", moved_at__isnull=False)
    assert set(moved.values_list("workload__name", flat=True)) == {
        "contract-extraction",
        "nightly-scoring",
        "policy-search",
    }


def test_default_targets_and_rehearsals_are_there() -> None:
    load()
    assert {d.vendor: d.target.name for d in DefaultTarget.objects.all()} == {"nvidia": "mi300x-single", "amd": "h100"}
    rows = Row.objects.filter(target__name="mi300x-single").exclude(rehearsed="")
    assert dict(rows.values_list("workload__name", "rehearsed")) == {
        "code-completion": "kept",
        "picture-captions": "ran",
        "retrieval-tier": "failed",
    }


def test_a_second_run_changes_nothing() -> None:
    load()
    before = everything()
    assert "already there" in load()
    assert everything() == before


def test_what_was_retired_or_edited_since_stays_so() -> None:
    load()
    Workload.objects.filter(name="transcribe").update(owner="Someone Else")
    load()
    assert Workload.objects.get(name="transcribe").owner == "Someone Else"


def test_logins_are_not_made_here() -> None:
    load()
    assert not Person.objects.exists()


def test_the_samples_secret_is_not_stored() -> None:
    load()
    taken = [r["why"] for r in Revision.objects.get(workload__name="adverse-media").redactions]
    assert taken == ["the value of DATABASE_PASSWORD"]
    assert not ManifestFile.objects.filter(text__contains="example-only").exists()


def test_it_refuses_where_the_register_is_served(settings: LazySettings) -> None:
    settings.SERVED = True
    with pytest.raises(CommandError, match="Unset DATABASE_URL"):
        load()
    assert not Workload.objects.exists()


def test_it_refuses_a_register_with_workloads_of_its_own() -> None:
    team = Team.objects.create(name="Mine", slug="mine")
    Workload.objects.create(team=team, name="mine")
    with pytest.raises(CommandError, match="workloads of its own"):
        load()
    assert Workload.objects.count() == 1
    assert not Entry.objects.filter(action="sample.loaded").exists()
