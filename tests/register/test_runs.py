"""Runs: what is stored, who does it, and what happens when a worker, a message or the broker is lost."""

from __future__ import annotations

import functools
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from unittest import mock

import pytest
from celery import current_app
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.register import actions, batches, queries
from portability.register.judging import Judged, Judges
from portability.register.models import Assessment, Batch, Row, Run
from portability.targets.models import Target
from portability.workloads.models import Revision, Workload
from tests.conftest import Cast
from tests.register.registering import register_workload, started

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]


def test_a_run_stores_its_batches_and_wakes_workers_on_commit(
    cast: Cast, target: Target, woken: mock.Mock, django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    for n in range(5):
        register_workload(cast.search, f"w{n}")
    with mock.patch.object(actions, "BATCH_SIZE", 2), django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        run = started(target)
        assert not woken.called
    assert run.total == 5
    assert [len(b.pairs) for b in run.batches.order_by("pk")] == [2, 2, 1]
    woken.assert_called_once_with(list(run.batches.order_by("pk").values_list("pk", flat=True)))
    assert Entry.objects.filter(action="run.started").exists()


def test_nothing_to_do_is_no_run(target: Target) -> None:
    assert actions.start_run(cause="target", about="nothing", pairs=[], who=None) is None


def test_a_run_judges_moves_its_progress_and_ends(cast: Cast, target: Target, woken: mock.Mock) -> None:
    for n in range(3):
        register_workload(cast.search, f"w{n}")
    Row.objects.all().delete()
    run = started(target)
    for batch in run.batches.all():
        assert batches.do_batch(batch.pk)
    run.refresh_from_db()
    assert (run.state, run.done, run.failed) == (Run.State.DONE, 3, 0)
    assert run.finished_at is not None
    assert Row.objects.filter(target=target).count() == 3


def test_a_batch_delivered_twice_changes_nothing(cast: Cast, target: Target, woken: mock.Mock) -> None:
    register_workload(cast.search, "w")
    batch = started(target).batches.get()
    assert batches.do_batch(batch.pk)
    before = list(Assessment.objects.values()), list(Row.objects.values())
    assert not batches.do_batch(batch.pk), "the second delivery finds it done"
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.WAITING)
    Run.objects.update(state=Run.State.RUNNING)
    assert batches.do_batch(batch.pk), "and where it is done again all the same, it says the same"
    assert (list(Assessment.objects.values()), list(Row.objects.values())) == before


def test_two_workers_cannot_claim_one_batch(cast: Cast, target: Target, woken: mock.Mock) -> None:
    register_workload(cast.search, "w")
    batch = started(target).batches.get()
    assert batches._claim(batch.pk) is not None
    assert batches._claim(batch.pk) is None


def test_a_worker_that_fell_silent_is_taken_over_and_its_late_answer_dropped(
    cast: Cast, target: Target, woken: mock.Mock
) -> None:
    register_workload(cast.search, "w")
    run = started(target)
    first = batches._claim(run.batches.get().pk)
    assert first is not None
    long_ago = timezone.now() - batches.SILENT_AFTER - timedelta(seconds=1)
    Batch.objects.update(claimed_at=long_ago)
    Run.objects.update(started_at=long_ago)
    assert batches.take_over() == 1
    run.refresh_from_db()
    assert (run.state, run.done) == (Run.State.DONE, 1)
    assert not batches._finish(first, [], []), "the silent worker wakes up and finds the batch done by another"
    run.refresh_from_db()
    assert run.done == 1


def test_a_batch_in_work_is_not_taken_over(cast: Cast, target: Target, woken: mock.Mock) -> None:
    register_workload(cast.search, "w")
    run = started(target)
    Run.objects.update(started_at=timezone.now() - timedelta(hours=1))
    batches._claim(run.batches.get().pk)
    assert batches.take_over() == 0


def test_a_pair_that_fails_is_set_aside_with_its_reason_and_stops_no_other(
    cast: Cast, target: Target, woken: mock.Mock
) -> None:
    for n in range(3):
        register_workload(cast.search, f"w{n}")
    bad = Workload.objects.get(name="w1")
    Row.objects.all().delete()
    run = started(target)
    Run.objects.update(started_at=timezone.now() - timedelta(minutes=1))
    genuine = Judges.judge

    def judge(self: Judges, revision: Revision, target: Target) -> Judged:
        if revision.workload_id == bad.pk:
            raise ValueError("this one is broken")
        return genuine(self, revision, target)

    with mock.patch.object(Judges, "judge", judge):
        assert batches.do_batch(run.batches.get().pk)
        run.refresh_from_db()
        assert (run.state, run.done, run.failed) == (Run.State.RUNNING, 2, 0)
        assert batches.take_over() == 2, "two further attempts"
    run.refresh_from_db()
    assert (run.state, run.done, run.failed) == (Run.State.DONE, 2, 1)
    assert set(Row.objects.values_list("workload__name", flat=True)) == {"w0", "w2"}
    [failed] = queries.progress(run).failed
    assert (failed.workload, failed.target, failed.reason) == ("w1", "mi300x-single", "ValueError: this one is broken")
    again = actions.retry_run(run.pk, cast.curator)
    assert again is not None and again.total == 1
    assert batches.do_batch(again.batches.get().pk)
    assert Row.objects.filter(workload=bad).exists()


def test_a_pair_that_kills_its_worker_is_found_and_set_aside(cast: Cast, target: Target, woken: mock.Mock) -> None:
    for n in range(3):
        register_workload(cast.search, f"w{n}")
    bad = Workload.objects.get(name="w1")
    run = started(target)
    Run.objects.update(started_at=timezone.now() - timedelta(minutes=1))
    genuine = batches._judge

    class Killed(BaseException):
        """The worker is gone: nothing catches this."""

    def judge(batch: Batch) -> tuple[list[Judged], list[batches.Failure]]:
        if any(workload == bad.pk for workload, _ in batch.pairs):
            raise Killed
        return genuine(batch)

    with mock.patch.object(batches, "_judge", judge):
        for _ in range(12):
            try:
                batches.take_over()
            except Killed:
                Batch.objects.filter(state=Batch.State.CLAIMED).update(claimed_at=timezone.now() - timedelta(hours=1))
    run.refresh_from_db()
    assert (run.state, run.done, run.failed) == (Run.State.DONE, 2, 1)
    assert "fell silent 3 times" in queries.progress(run).failed[0].reason


def test_what_was_revised_while_it_was_judged_is_left_to_the_save(cast: Cast, target: Target, woken: mock.Mock) -> None:
    workload = register_workload(cast.search, "w")
    batch = batches._claim(started(target).batches.get().pk)
    assert batch is not None
    judged, _ = batches._judge(batch)
    newer = register_workload(cast.search, "w", image="vllm/vllm-openai-rocm:v0.23.0")
    assert newer.current_id != workload.current_id
    before = Row.objects.values().get(workload=workload, target=target)
    assert batches._finish(batch, judged, [])
    assert Row.objects.values().get(workload=workload, target=target) == before


def test_cancelling_leaves_the_rest_undone_and_repeating_does_it(cast: Cast, target: Target, woken: mock.Mock) -> None:
    for n in range(3):
        register_workload(cast.search, f"w{n}")
    with mock.patch.object(actions, "BATCH_SIZE", 1):
        run = started(target)
    first, *rest = run.batches.order_by("pk")
    batches.do_batch(first.pk)
    with pytest.raises(PermissionDenied):
        actions.cancel_run(run.pk, cast.member)
    actions.cancel_run(run.pk, cast.curator)
    assert not batches.do_batch(rest[0].pk)
    Run.objects.filter(pk=run.pk).update(started_at=timezone.now() - timedelta(minutes=5))
    assert batches.take_over() == 0
    again = actions.retry_run(run.pk, cast.curator)
    assert again is not None and again.total == 2 and again.about == "again: a test"


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port on which somebody listens and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["closed", "silent"])
def test_a_broker_that_is_away_costs_less_than_a_second_and_no_work(
    cast: Cast, target: Target, caplog: pytest.LogCaptureFixture, silent_port: int, kind: str
) -> None:
    register_workload(cast.search, "w")
    Row.objects.all().delete()
    port = silent_port if kind == "silent" else 9  # the discard port: nobody listens
    wake, took = actions.wake, list[float]()

    def timed(batch_ids: Sequence[int]) -> None:
        began = time.monotonic()
        wake(batch_ids)
        took.append(time.monotonic() - began)

    away = functools.partial(current_app.connection_for_write, f"redis://127.0.0.1:{port}/0")
    with mock.patch.object(current_app, "connection_for_write", away), mock.patch.object(actions, "wake", timed):
        run = started(target)
    assert took and took[0] < 1
    assert "the broker is away" in caplog.text
    Run.objects.update(started_at=timezone.now() - timedelta(minutes=1))
    assert batches.take_over() == 1
    run.refresh_from_db()
    assert run.state == Run.State.DONE


def test_the_pages_of_a_run(cast: Cast, target: Target, woken: mock.Mock, client_of: ClientOf) -> None:
    register_workload(cast.search, "w")
    run = started(target)
    viewer, curator = client_of(cast.viewer), client_of(cast.curator)
    page = viewer.get(f"/register/runs/{run.pk}/").content.decode()
    assert "0 done · 1 left" in page and "Refresh" in page and "every 2s" in page
    assert "Cancel this run" not in page
    assert "a test" in viewer.get("/register/runs/").content.decode()
    fragment = viewer.get(f"/register/runs/{run.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert fragment.lstrip().startswith('<div id="run"')
    assert viewer.post(f"/register/runs/{run.pk}/cancel/").status_code == 403
    assert viewer.post("/register/re-evaluate/").status_code == 403
    assert "Cancel this run" in curator.get(f"/register/runs/{run.pk}/").content.decode()
    after = curator.post(f"/register/runs/{run.pk}/cancel/", follow=True).content.decode()
    assert "Try again what is left" in after and "every 2s" not in after
    repeated = curator.post(f"/register/runs/{run.pk}/retry/")
    assert repeated.headers["Location"] != f"/register/runs/{run.pk}/"
    assert viewer.get("/register/runs/999999/").status_code == 404


def test_a_runs_page_tells_its_rate_and_what_is_left(target: Target, client_of: ClientOf, cast: Cast) -> None:
    run = Run.objects.create(cause="rules", about="the rules changed", total=300, done=100, failed=20)
    Run.objects.filter(pk=run.pk).update(started_at=timezone.now() - timedelta(minutes=2))
    page = client_of(cast.viewer).get(f"/register/runs/{run.pk}/").content.decode()
    assert 'max="300" value="120"' in page
    assert "100 done" in page and "180 left" in page and "20 failed" in page
    assert "60 a minute" in page and "about 3 minutes to go" in page


def test_what_workers_do_is_kept_in_the_database_and_no_result_of_a_task_anywhere() -> None:
    assert current_app.conf.result_backend is None and current_app.conf.task_ignore_result


def test_what_is_out_of_date_or_was_never_judged_is_evaluated_on_demand(
    cast: Cast, target: Target, woken: mock.Mock, client_of: ClientOf
) -> None:
    first = register_workload(cast.search, "first")
    second = register_workload(cast.search, "second")
    Row.objects.filter(workload=second).delete()
    assert queries.outdated_pairs() == [(second.pk, target.pk)]
    Target.objects.filter(pk=target.pk).update(version=2)
    assert queries.outdated_pairs() == [(first.pk, target.pk), (second.pk, target.pk)]
    page = client_of(cast.curator).get("/register/").content.decode()
    assert "1 out of date" in page and "1 not yet judged" in page and "Re-evaluate what is out of date" in page
    answer = client_of(cast.curator).post("/register/re-evaluate/")
    run = Run.objects.get()
    assert answer.headers["Location"] == f"/register/runs/{run.pk}/"
    again = client_of(cast.curator).post("/register/re-evaluate/")
    assert again.headers["Location"] == answer.headers["Location"], "asked for twice, done once"
    batches.do_batch(run.batches.get().pk)
    assert queries.outdated_pairs() == []
