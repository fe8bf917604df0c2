"""Preparing a register for a new version starts one run of what the version makes out of date."""

from __future__ import annotations

from collections.abc import Callable
from unittest import mock

import pytest

from portability.ops.first_start import prepare
from portability.register import actions, batches, queries
from portability.register.models import Run
from portability.workloads.models import Revision, Workload

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def prepared() -> list[str]:
    """What preparing says; no broker is asked, as before worker and web server are started."""
    said: list[str] = []
    with mock.patch.object(actions, "wake"):
        prepare(said.append)
    return said


def test_an_upgrade_starts_one_run_and_a_start_of_the_same_version_none(
    registered: Workload, upgrade: Callable[[], None]
) -> None:
    assert prepared() == []
    assert not Run.objects.exists()
    upgrade()
    rows = registered.rows.count()
    assert prepared() == [f"Shipped matrices and targets: assessing again what is out of date: {rows}"]
    run = Run.objects.get()
    assert (run.cause, run.total) == ("rules", rows)
    assert prepared() == [], "started again before the run is done"
    for batch in run.batches.all():
        assert batches.do_batch(batch.pk)
    assert prepared() == []
    assert Run.objects.count() == 1
    assert queries.outdated_pairs() == []
    assert Revision.objects.get().extractor == 1 + Revision.objects.get().assessments.earliest("pk").extractor
