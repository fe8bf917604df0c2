"""Which version of the product judges, where processes of more than one are running."""

from __future__ import annotations

from collections.abc import Callable
from unittest import mock

import pytest
from django.db import transaction

from portability.matrices.actions import Published
from portability.matrices.models import Release
from portability.register import actions, batches, queries
from portability.register.actions import assess_revision
from portability.register.in_force import is_in_force, put_in_force
from portability.register.models import Assessment, Batch, InForce, Run
from portability.rules import queries as rules_queries
from portability.targets.models import Target
from tests.conftest import Cast
from tests.matrices.keeping import publish, redraft
from tests.register.registering import register_workload, started

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("woken")]
OTHER = "0" * 64


def happened(run: Run) -> list[str]:
    """What the page of a run tells."""
    return [each.words for each in queries.progress(run).happened]


def test_what_was_prepared_last_is_in_force(target: Target) -> None:
    assert is_in_force(), "loading what ships is what prepares"
    InForce.objects.update(digest=OTHER)
    assert not is_in_force()
    put_in_force()
    put_in_force()
    assert is_in_force() and InForce.objects.count() == 1
    InForce.objects.all().delete()
    assert is_in_force(), "where none was ever prepared, any is"


def test_a_worker_of_another_version_leaves_batches_and_says_so(cast: Cast, target: Target) -> None:
    register_workload(cast.search, "chat")
    run = started(target)
    Run.objects.update(started_at=run.started_at - batches.UNWOKEN_AFTER * 2)
    InForce.objects.update(digest=OTHER)
    batch = run.batches.get()
    assert not batches.do_batch(batch.pk)
    assert batches.take_over() == 0
    batch.refresh_from_db()
    assert (batch.state, batch.attempts) == (Batch.State.WAITING, 0)
    [words] = happened(run)
    assert words.startswith("A worker of another version of the product") and words.endswith("Stop that worker.")


def test_what_it_had_in_hand_when_another_was_put_in_force_is_given_back(cast: Cast, target: Target) -> None:
    register_workload(cast.search, "chat")
    batch = batches._claim(started(target).batches.get().pk)
    assert batch is not None
    judged, failures = batches._judge(batch)
    before = list(Assessment.objects.values())
    InForce.objects.update(digest=OTHER)
    assert not batches._finish(batch, judged, failures)
    assert list(Assessment.objects.values()) == before
    batch.refresh_from_db()
    assert batch.state == Batch.State.WAITING


def test_what_a_page_of_another_version_saves_is_judged_again(cast: Cast, target: Target) -> None:
    InForce.objects.update(digest=OTHER)
    workload = register_workload(cast.search, "chat")
    run = Run.objects.get()
    assert [batch.pairs for batch in run.batches.all()] == [[[workload.pk, target.pk]]]
    assert run.about == "chat was judged by another version of the product"


def test_a_reading_published_while_a_batch_is_judged_is_judged_by(cast: Cast, target: Target) -> None:
    """The second reading takes back what the first said, so that its own run holds nothing that was not judged yet."""
    register_workload(cast.search, "chat")
    first = Release.objects.get(source="rocm-compatibility-matrix", version="7.14.0")
    driver = first.cells.get(key="driver/mi300x").value
    run = publish(cast.curator, redraft(first, {"driver/mi300x": "31.50.0"})).run
    assert run is not None
    judge = batches._judge
    back: list[Published] = []

    def slowly(batch: Batch) -> object:
        judged = judge(batch)
        if not back:
            present = Release.objects.get(source="rocm-compatibility-matrix", version="7.14.0", state="published")
            back.append(publish(cast.curator, redraft(present, {"driver/mi300x": driver})))
        return judged

    with mock.patch.object(batches, "_judge", slowly):
        assert batches.do_batch(run.batches.get().pk)
    assert back[0].run is None
    assert queries.outdated_pairs() == []
    assert happened(run)[0].startswith("What judges became another while a batch was judged.")


def test_a_save_is_judged_by_what_was_published_meanwhile(
    cast: Cast, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between judging and storing, as where two transactions run at once."""
    workload = register_workload(cast.search, "chat")
    first = Release.objects.get(source="rocm-compatibility-matrix", version="7.14.0")
    meanwhile: list[Callable[[], object]] = [
        lambda: publish(cast.curator, redraft(first, {"driver/mi300x": "31.50.0"})),
        lambda: Target.objects.filter(pk=target.pk).update(version=2),
        lambda: rules_queries.judged_by(),
    ]
    monkeypatch.setattr(actions, "while_nobody_changes_it", lambda: meanwhile.pop(0)())
    assert workload.current is not None
    while meanwhile:
        with transaction.atomic():
            assess_revision(workload.current, "manifest")
        assert queries.outdated_pairs() == []
