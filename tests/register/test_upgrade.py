"""An upgrade whose extractor takes other facts: a run takes them anew from the stored texts and judges by them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portability.accounts.models import Person, Team
from portability.engine.facts_json import EXTRACTOR_VERSION, facts_from_json, facts_to_json
from portability.engine.manifests import read_facts
from portability.engine.manifests.limits import MAX_DEPTH
from portability.register import actions, batches, judging, queries
from portability.register.models import Assessment, Batch, Row, Run
from portability.targets.models import Target
from portability.workloads import contents
from portability.workloads.actions import Retaken, erase_value, keep_facts, restore, retire
from portability.workloads.models import ManifestFile, Revision, Workload
from tests.conftest import Cast
from tests.register.registering import SERVING, register_workload

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("woken")]
Upgrade = Callable[[], None]
WRITTEN = SERVING.format(image="vllm/vllm-openai:v0.23.0", resource="nvidia.com/gpu")
TAKEN = SERVING.format(image="vllm/vllm-openai-rocm:v0.23.0", resource="amd.com/gpu")


def kept(team: Team, name: str, text: str = WRITTEN) -> Workload:
    """A workload of which the extractor of its day took other facts than the text has: those of `TAKEN`."""
    workload = register_workload(team, name, text=TAKEN)
    assert workload.current is not None
    ManifestFile.objects.create(revision=workload.current, position=1, name="serving.yaml", text=text)
    return workload


def state() -> list[list[dict[str, Any]]]:
    """All that a run may change besides itself."""
    managers = (Revision.objects, Workload.objects, Assessment.objects, Row.objects)
    return [[dict(row) for row in manager.order_by("pk").values()] for manager in managers]


def started() -> Run:
    """A run over what is out of date."""
    run = actions.reassess_outdated(None)
    assert run is not None
    return run


def done(run: Run) -> Run:
    """The run after all its batches."""
    for batch in run.batches.order_by("pk"):
        assert batches.do_batch(batch.pk)
    run.refresh_from_db()
    return run


def test_the_run_takes_the_facts_anew_keeps_them_and_moves_the_verdict(
    cast: Cast, target: Target, upgrade: Upgrade
) -> None:
    workload = kept(cast.search, "chat")
    before = Row.objects.get()
    assert queries.outdated_pairs() == []
    upgrade()
    assert queries.outdated_pairs() == [(workload.pk, target.pk)]
    run = done(started())
    assert (run.state, run.done, run.failed) == (Run.State.DONE, 1, 0)
    row = Row.objects.select_related("assessment").get()
    assert (before.verdict, row.verdict, row.moved_cause) == ("movable", "needs-change", "rules")
    assert row.assessment.extractor == EXTRACTOR_VERSION + 1
    revision = Revision.objects.get()
    assert revision.extractor == EXTRACTOR_VERSION + 1
    assert revision.facts == facts_to_json(read_facts([("serving.yaml", WRITTEN)]))
    workload.refresh_from_db()
    assert (workload.vendor_today, workload.engine, workload.gpus, workload.version) == ("nvidia", "vllm", 2, 1)
    assert queries.outdated_pairs() == []
    assert actions.reassess_outdated(None) is None


def test_done_again_it_changes_nothing_and_reads_no_text(cast: Cast, target: Target, upgrade: Upgrade) -> None:
    kept(cast.search, "chat")
    upgrade()
    run = done(started())
    before = state()
    Batch.objects.update(state=Batch.State.WAITING)
    Run.objects.update(state=Run.State.RUNNING)
    with mock.patch.object(contents, "read_facts", side_effect=AssertionError("a text was read")):
        assert done(run).failed == 0
    assert state() == before


def test_a_worker_that_is_killed_leaves_all_as_it_was(cast: Cast, target: Target, upgrade: Upgrade) -> None:
    kept(cast.search, "chat")
    upgrade()
    run, before = started(), state()

    class Killed(BaseException):
        """The worker is gone: nothing catches this."""

    with mock.patch.object(batches, "_progress", side_effect=Killed), pytest.raises(Killed):
        batches.do_batch(run.batches.get().pk)
    assert state() == before
    long_ago = timezone.now() - batches.SILENT_AFTER - timedelta(seconds=1)
    Batch.objects.update(claimed_at=long_ago)
    Run.objects.update(started_at=long_ago)
    assert batches.take_over() == 1
    assert Revision.objects.get().extractor == EXTRACTOR_VERSION + 1
    assert Row.objects.get().verdict == "needs-change"


def test_two_workers_take_the_facts_of_one_workload_at_once(cast: Cast, target: Target, upgrade: Upgrade) -> None:
    Target.objects.filter(name="mi355x-single").update(active=True)
    kept(cast.search, "chat")
    upgrade()
    with mock.patch.object(actions, "BATCH_SIZE", 1):
        run = started()
    first, second = (batches._claim(batch.pk) for batch in run.batches.order_by("pk"))
    assert first is not None and second is not None
    outcomes = [(batch, *batches._judge(batch)) for batch in (first, second)]
    assert batches._finish(*outcomes[0])
    facts = Revision.objects.values().get()
    assert batches._finish(*outcomes[1])
    assert Revision.objects.values().get() == facts
    assert queries.outdated_pairs() == []


def test_a_value_erased_while_its_text_was_read_does_not_come_back(
    cast: Cast, target: Target, upgrade: Upgrade
) -> None:
    kept(cast.search, "chat", WRITTEN.replace("Qwen/Qwen3-8B", "acme/unannounced"))
    upgrade()
    run = started()
    batch = batches._claim(run.batches.get().pk)
    assert batch is not None
    judged, failures = batches._judge(batch)
    erase_value(cast.administrator, "unannounced")
    before = state()
    keep_facts(Retaken(j.revision, j.facts, j.judgement.summary) for j in judged)
    assert state() == before, "what was taken from the text of before is dropped"
    assert not batches._finish(batch, judged, failures), "left to be done again"
    assert state() == before
    assert done(run).done == 1
    assert Revision.objects.get().extractor == EXTRACTOR_VERSION + 1
    assert "unannounced" not in repr(state())


def test_a_text_that_passes_a_limit_by_now_is_not_assessed_and_says_why(
    cast: Cast, target: Target, upgrade: Upgrade
) -> None:
    kept(cast.search, "chat", "a: " + "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))
    upgrade()
    run = done(started())
    assert (run.state, run.done, run.failed) == (Run.State.DONE, 1, 0)
    row = Row.objects.get()
    assert row.verdict == "not-assessed"
    assert row.why.startswith("serving.yaml:1: ") and f"more than {MAX_DEPTH} deep" in row.why


def test_a_workload_that_is_restored_after_it_is_judged_by_facts_of_today(
    cast: Cast, target: Target, upgrade: Upgrade
) -> None:
    workload = kept(cast.search, "chat")
    retire(cast.member, workload.pk, "a test")
    upgrade()
    assert actions.reassess_outdated(None) is None
    restore(cast.member, workload.pk)
    assert Revision.objects.get().extractor == EXTRACTOR_VERSION + 1
    assert Row.objects.get().verdict == "needs-change"
    assert queries.outdated_pairs() == []


def test_pages_show_what_is_in_the_texts_before_and_after_the_run(
    cast: Cast, target: Target, upgrade: Upgrade, client_of: Callable[[Person | None], Client]
) -> None:
    workload, member = kept(cast.search, "chat"), client_of(cast.member)
    Revision.objects.update(facts={"of": "another form"})
    upgrade()
    run = started()
    pages = [f"/workloads/{workload.pk}/", f"/workloads/{workload.pk}/edit/", "/register/"]
    for _ in ("before", "after"):
        answers = [member.get(page) for page in pages]
        assert [answer.status_code for answer in answers] == [200, 200, 200]
        assert 'value="Qwen/Qwen3-8B"' in answers[1].content.decode()
        batches.do_batch(run.batches.get().pk)
    assert Row.objects.get().verdict == "needs-change"


def test_a_batch_costs_the_same_queries_however_many_are_taken_anew(
    cast: Cast, target: Target, upgrade: Upgrade
) -> None:
    def cost(*names: str) -> int:
        for name in names:
            kept(cast.search, name)
        upgrade()
        batch = started().batches.get()
        with CaptureQueriesContext(connection) as found:
            assert batches.do_batch(batch.pk)
        return len(found)

    cost("first")  # what stands in the way is stored with the first of a kind
    assert cost("w0") == cost("w1", "w2", "w3", "w4")


def test_facts_are_read_once_for_all_targets(cast: Cast, shipped: None) -> None:
    pairs = [(kept(cast.search, name).pk, t.pk) for name in ("a", "b") for t in Target.objects.filter(active=True)]
    run = actions.start_run(cause="target", about="a test", pairs=pairs, who=None)
    assert run is not None and run.total > 2
    with mock.patch.object(judging, "facts_from_json", wraps=facts_from_json) as read:
        done(run)
    assert read.call_count == 2


def test_a_second_upgrade_during_the_run_adds_only_what_the_run_has_done(
    cast: Cast, target: Target, upgrade: Upgrade
) -> None:
    early, late = kept(cast.search, "early"), kept(cast.search, "late")
    upgrade()
    with mock.patch.object(actions, "BATCH_SIZE", 1):
        run = started()
    assert batches.do_batch(run.batches.order_by("pk")[0].pk)
    assert started() == run
    upgrade()
    further = started()
    assert [batch.pairs for batch in further.batches.all()] == [[[early.pk, target.pk]]]
    assert batches.do_batch(run.batches.order_by("pk")[1].pk)
    done(further)
    assert queries.outdated_pairs() == []
    assert set(Revision.objects.values_list("extractor", flat=True)) == {EXTRACTOR_VERSION + 2}
    assert {early.pk, late.pk} == set(Row.objects.filter(verdict="needs-change").values_list("workload", flat=True))
