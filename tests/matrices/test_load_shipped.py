"""The command that loads what ships: what it says, and what news makes the register do."""

from __future__ import annotations

from datetime import date
from io import StringIO

import pytest
from django.core.management import call_command

from portability.engine.matrices import shipped
from portability.engine.targets import shipped_targets
from portability.matrices.models import Cell, Release
from portability.register.models import Run
from portability.targets.queries import active_targets
from portability.workloads.actions import Entry, save_workload
from portability.workloads.contents import content
from tests.conftest import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def load() -> list[str]:
    """Run the command; its lines."""
    said = StringIO()
    call_command("load_shipped", stdout=said)
    return said.getvalue().splitlines()


def test_it_names_each_reading_and_target_once_and_is_silent_after() -> None:
    said = load()
    named = [line for line in said if line.startswith(("published ", "added target "))]
    assert len(set(named)) == len(named) == len(shipped.releases()) + len(shipped_targets())
    assert "published rocm-compatibility-matrix 7.14.0" in said
    assert "added target mi300x-single" in said
    assert load() == []


def test_a_reading_that_changes_answers_starts_one_run(cast: Cast) -> None:
    load()
    older = Release.objects.get(source="rocm-compatibility-matrix", version="7.14.0")
    Cell.objects.filter(release=older, key="os/mi300x/ubuntu/24.04.4").delete()
    Release.objects.filter(pk=older.pk).update(read=date(2026, 7, 20), digest="an earlier reading")
    declared = content([], {"engine": "vllm", "model_kind": "decoder-only"})
    save_workload(None, Entry(declared), team=cast.search, name="chat")
    said = load()
    run = Run.objects.get()
    assert said == [
        "published rocm-compatibility-matrix 7.14.0 in place of the earlier one",
        f"assessing again what is out of date: {run.total}",
    ]
    assert 0 < run.total <= len(active_targets())
    assert load() == []
    assert Run.objects.count() == 1


def test_a_reading_that_changes_no_answer_starts_none(cast: Cast) -> None:
    load()
    declared = content([], {"engine": "vllm", "model_kind": "decoder-only"})
    save_workload(None, Entry(declared), team=cast.search, name="chat")
    older = Release.objects.get(source="rocm-release-dates")
    Release.objects.filter(pk=older.pk).update(read=date(2026, 7, 20), digest="an earlier reading")
    assert load() == ["published rocm-release-dates in place of the earlier one"]
    assert not Run.objects.exists()
