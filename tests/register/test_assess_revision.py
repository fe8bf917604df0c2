"""What a revision's judgement stores: an assessment a target, one row a workload, and how a verdict moved."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portability.matrices.models import Cell, Release
from portability.register import actions, queries
from portability.register.batches import do_batch
from portability.register.models import Assessment, Batch, ConsultedSet, Row
from portability.targets.models import Target
from tests.conftest import Cast
from tests.register.registering import register_workload

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("shipped")]
ROCM: dict[str, Any] = {"image": "vllm/vllm-openai-rocm:v0.23.0", "resource": "amd.com/gpu"}


def test_every_active_target_gets_an_assessment_and_a_row(cast: Cast) -> None:
    Target.objects.filter(name="h100").update(active=False)
    workload = register_workload(cast.search, "chat")
    active = set(Target.objects.filter(active=True).values_list("pk", flat=True))
    assert set(Assessment.objects.values_list("target", flat=True)) == active
    assert set(Row.objects.filter(workload=workload).values_list("target", flat=True)) == active


def test_a_row_says_why_in_short_and_in_full(cast: Cast) -> None:
    register_workload(cast.search, "chat")
    row = Row.objects.get(target__name="mi300x-single")
    assert row.verdict == "needs-change" and row.verdict_order == 1
    assert row.why.startswith("image vllm/vllm-openai:v0.23.0; nvidia.com/gpu")
    assert "|IMG001|" in row.rules and "|RES001|" in row.rules
    assert row.changes >= 2 and row.blocks == 0
    assert "IMG001 serving.yaml:12: " in row.reasons and "RES001 serving.yaml:16: " in row.reasons
    assert "rocm" in row.what_to_change and "amd.com/gpu" in row.what_to_change
    assert row.as_of == "ROCm compatibility matrix 7.14.0, read 7 August 2026"
    assert row.moved_at is None


def test_a_file_that_cannot_be_read_is_not_assessed_and_says_where(cast: Cast) -> None:
    register_workload(cast.search, "broken", text="kind: Deployment\nspec: {{ .Values.spec }}\n")
    row = Row.objects.get(target__name="mi300x-single")
    assert row.verdict == "not-assessed"
    assert "serving.yaml:2" in row.why and row.reasons.startswith("missing: serving.yaml:2")


def test_judging_the_same_again_stores_nothing_new(cast: Cast) -> None:
    workload = register_workload(cast.search, "chat")
    before = list(Assessment.objects.values()), list(Row.objects.values()), list(ConsultedSet.objects.values())
    assert workload.current is not None
    actions.assess_revision(workload.current, "target")
    after = list(Assessment.objects.values()), list(Row.objects.values()), list(ConsultedSet.objects.values())
    assert after == before


def test_a_new_revision_moves_the_verdict_and_keeps_the_cause(cast: Cast) -> None:
    first = register_workload(cast.search, "chat")
    second = register_workload(cast.search, "chat", **ROCM, cause="manifest")
    row = Row.objects.get(target__name="mi300x-single")
    assert row.verdict == "movable" and row.why == "nothing to change"
    assert row.moved_cause == "manifest" and row.moved_at is not None
    assert row.assessment.revision == second.current
    assert Assessment.objects.filter(revision=first.current, target=row.target).exists(), "history stays"


def test_an_edited_target_supersedes_the_assessment(cast: Cast) -> None:
    workload = register_workload(cast.search, "chat", **ROCM)
    target = Target.objects.get(name="mi300x-single")
    target.spec = {**target.spec, "amdgpu": "30.10"}
    target.version = 2
    target.save()
    assert (workload.pk, target.pk) in queries.outdated_pairs()
    actions.start_run(cause="target", about="edited", pairs=[(workload.pk, target.pk)], who=None)
    assert do_batch(Batch.objects.get().pk)
    found = Assessment.objects.filter(target=target).values_list("target_version", "current")
    assert sorted(found) == [(1, False), (2, True)]
    row = Row.objects.get(target=target)
    assert row.verdict == "needs-change" and row.own_verdict == "movable" and row.moved_cause == "target"
    assert row.why.startswith("to confirm: target: amdgpu 30.10")
    assert queries.outdated_pairs() == []


def test_a_changed_cell_makes_exactly_what_consulted_it_out_of_date(cast: Cast) -> None:
    register_workload(cast.search, "chat")
    assert queries.outdated_pairs() == []
    Release.objects.filter(version="7.14.0", source="rocm-compatibility-matrix").update(
        read=date(2026, 9, 1), digest="read again"
    )
    assert queries.outdated_pairs() == [], "read again with the same cells: no other answer"
    cell = Cell.objects.filter(release__version="7.14.0", key__startswith="driver").first() or Cell.objects.get(
        release__version="7.14.0", key="os/mi300x/ubuntu/24.04.4"
    )
    cell.value += ", 99.9"
    cell.save()
    Release.objects.filter(pk=cell.release_id).update(digest="another")
    outdated = {target for _, target in queries.outdated_pairs()}
    asked = set(
        Row.objects.filter(
            assessment__consulted__in=[s.pk for s in ConsultedSet.objects.all() if _asks(s, cell)]
        ).values_list("target", flat=True)
    )
    assert outdated == asked != set()


def _asks(consulted: ConsultedSet, cell: Cell) -> bool:
    return any(
        source == "rocm-compatibility-matrix"
        and version in ("7.14.0", "newest")
        and (key == cell.key or (key.endswith("*") and cell.key.startswith(key[:-1])))
        for source, version, key in consulted.keys
    )


def test_a_retired_workload_is_not_judged(cast: Cast) -> None:
    workload = register_workload(cast.search, "chat")
    workload.retired_at = Row.objects.all()[0].assessed_at
    workload.save()
    target = Target.objects.get(name="mi300x-single")
    actions.start_run(cause="target", about="retired since", pairs=[(workload.pk, target.pk)], who=None)
    before = Assessment.objects.count()
    assert do_batch(Batch.objects.get().pk)
    assert Assessment.objects.count() == before
    assert queries.pairs_of_target(target) == []


def test_a_save_costs_few_queries_whatever_the_number_of_targets(cast: Cast) -> None:
    workload = register_workload(cast.search, "chat")
    assert workload.current is not None
    Row.objects.all().delete()
    Assessment.objects.all().delete()
    with CaptureQueriesContext(connection) as found:
        actions.assess_revision(workload.current, "registered")
    assert len(found) <= 22, [q["sql"][:100] for q in found]
