"""What judges: own rows before shipped ones, one digest for both, and who is left out when they change."""

from __future__ import annotations

from datetime import date
from typing import Any
from unittest import mock

import pytest
from pytest_django import DjangoAssertNumQueries

from portability.engine.rules.catalogue import digest
from portability.engine.vendor_rows.rows import OWN_SOURCE, Table, shipped
from portability.register import batches
from portability.register import queries as register
from portability.register.actions import current_revisions, let_stand
from portability.register.models import Batch, Run
from portability.rules import actions
from portability.rules.effects import effects
from portability.rules.models import VendorRow
from portability.rules.own_rows import TABLES
from portability.rules.queries import judged_by, judging, judging_rows, own_with
from portability.targets.models import Target
from portability.workloads.actions import Entry, save_workload
from portability.workloads.contents import content
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.registering import register_workload
from tests.rules.own import CLAIMS, effects_of, enter, values, work

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_without_own_rows_the_shipped_ones_judge(db: None) -> None:
    assert judging_rows() is shipped()
    assert judged_by() == digest()


def test_own_rows_answer_first_and_the_digest_follows_them(cast: Cast) -> None:
    row = enter(cast.curator, "vllm/vllm-openai", "amd")
    found = judging_rows().find(Table.IMAGES, "vllm/vllm-openai:v1")
    assert found is not None
    assert (found.source, found.by, found.link) == (OWN_SOURCE, "curator", f"/rules/own/{row.pk}/")
    first = judged_by()
    actions.save_row(cast.curator, row.pk, 1, values("vllm/vllm-openai", "none"))
    second = judged_by()
    actions.remove_row(cast.curator, row.pk, 2)
    assert len({first, second, digest()}) == 3
    assert judged_by() == digest()


def test_the_rows_are_built_once_for_what_they_say(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    enter(cast.curator)
    with django_assert_num_queries(4):  # own rows and custom rules, each time: another process may have changed them
        assert judging() is judging()


def test_the_more_particular_own_row_is_tried_first(cast: Cast) -> None:
    for pattern in ("ml/*", "ml/scorer-*", "ml/scorer"):
        enter(cast.curator, pattern)
    assert [row.pattern for row in judging().own] == ["ml/scorer-*", "ml/scorer", "ml/*"]


def test_a_batch_that_was_judged_by_the_rows_of_before_is_done_again(cast: Cast, world: Target) -> None:
    """Rows may change between judging and writing; who changes them starts a run only of what they touch."""
    Target.objects.update(version=2)
    public = Workload.objects.get(name="public")
    run = Run.objects.create(cause="target", about="target was edited", total=1)
    batch = Batch.objects.create(run=run, pairs=[[public.pk, world.pk]])
    judge = batches._judge

    def slowly(claimed: Batch) -> object:
        judged = judge(claimed)
        if claimed.attempts == 1:
            enter(cast.curator)
        return judged

    with mock.patch.object(batches, "_judge", slowly):
        assert batches.do_batch(batch.pk), "and that at once"
    work()
    assert register.outdated_pairs() == []
    assert [told.words[:31] for told in register.progress(run).happened] == ["What judges became another whil"]


def test_what_a_table_spells_out_finds_every_workload_that_it_touches(cast: Cast, world: Target) -> None:
    """Each place of a manifest, turned into an own row: whoever is judged otherwise was among those looked at."""
    register_workload(cast.search, "all-sorts", text=ALL_SORTS)
    touched = {}
    for table, pattern in PATTERNS.items():
        row = VendorRow(
            table=table,
            pattern=pattern,
            vendor="other",
            effect=TABLES[table].effects[0],
            entered=date(2026, 11, 30),
            entered_by_name="curator",
        )
        found = effects((), own_with([row]))
        touched[table] = [t.workload.name for t in found.touched]
    assert touched == {table: ["all-sorts"] for table in TABLES}


def test_letting_stand_moves_only_what_is_not_touched(cast: Cast, world: Target) -> None:
    before = judged_by()
    private = Workload.objects.get(name="private")
    assert let_stand(before, "x" * 64, {(private.pk, world.pk)}, current_revisions()) == 2
    assert let_stand(before, before, set(), current_revisions()) == 0
    assert effects_of("private", "IMG003") == ["confirm"]


def test_what_is_revised_while_a_change_is_looked_into_does_not_stand(cast: Cast, world: Target) -> None:
    """It was judged by the rows of before, and nobody looked whether the change touches it."""
    public = Workload.objects.get(name="public")

    def slowly(*rows: Any) -> object:
        found = effects(*rows)
        # as another connection would, which read what judges before the change
        with mock.patch("portability.register.judging.judging", return_value=before):
            files = [("serving.yaml", CLAIMS)]
            save_workload(None, Entry(content(files, {})), workload=public.pk, version=public.version)
        return found

    before = judging()
    with mock.patch.object(actions, "effects", slowly):
        enter(cast.curator)
    work()
    assert [workload for workload, _ in register.outdated_pairs()] == [public.pk]


PATTERNS = {
    Table.IMAGES: "team/thing",
    Table.REGISTRIES: "builds.example:5000",
    Table.LABELS: "example.com/pool=blue",
    Table.INSTANCES: "huge-*",
    Table.ENVIRONMENT: "SCORER_*=fast",
    Table.RESOURCES: "example.com/accelerator",
    Table.TAINTS: "example.com/dedicated",
    Table.RUNTIME_CLASSES: "sandboxed",
    Table.DEVICE_CLASSES: "big.example.com",
    Table.PROFILES: "small-box",
    Table.KINDS: "ml.example.com/Job",
    Table.PATHS: "/opt/example/*",
}
ALL_SORTS = """\
apiVersion: v1
kind: Pod
metadata: {name: thing}
spec:
  runtimeClassName: sandboxed
  nodeSelector: {example.com/pool: blue, node.kubernetes.io/instance-type: huge-7}
  tolerations: [{key: example.com/dedicated, operator: Exists}]
  resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]
  volumes: [{name: cuda, hostPath: {path: /opt/example/lib}}]
  containers:
    - name: main
      image: builds.example:5000/team-mirror/Team/Thing:1@sha256:%s
      env: [{name: SCORER_MODE, value: fast}]
      resources: {limits: {example.com/accelerator: 1}, claims: [{name: gpu}]}
    - {name: other, image: "builds.example:5000/x/y:1"}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: big.example.com}}]}}}
---
apiVersion: kubeai.org/v1
kind: Model
metadata: {name: chat}
spec: {url: 'hf://Qwen/Qwen3-8B', engine: VLLM, resourceProfile: 'small-box:1'}
---
apiVersion: ml.example.com/v2
kind: Job
metadata: {name: j}
""" % ("0" * 64)


def test_what_application_material_builds_on_is_found_too(cast: Cast, world: Target) -> None:
    dockerfile = "ARG TEAM=ml\nFROM registry.example/${TEAM}/ranker:1\nCOPY . .\n"
    register_workload(cast.search, "built", declared={"source_files": {"Dockerfile": dockerfile}})
    row = VendorRow(table="images", pattern="ml/ranker", vendor="other", effect="change", entered=date(2026, 11, 30))
    assert [t.workload.name for t in effects((), own_with([row])).touched] == ["built"]


def test_a_row_that_changes_what_is_said_of_a_target_touches_every_workload_for_it(
    cast: Cast, world: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No rule on targets reads rows today; one that does is not to leave verdicts behind."""
    monkeypatch.setattr("portability.rules.effects.known", lambda _spec, _published, rows: rows.digest)
    row = VendorRow(table="images", pattern="ml/ranker", vendor="amd", effect="change", entered=date(2026, 11, 30))
    found = effects((), own_with([row]))
    assert (found.touched, len(found.pairs)) == ((), 3)
