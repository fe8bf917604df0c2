"""Whole extraction on input made to hurt: an answer, in time, and the other files are still read."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from portability.engine.assess import assess
from portability.engine.declared import parse_declared
from portability.engine.facts_json import facts_from_json, facts_to_json
from portability.engine.manifests import read_facts
from portability.engine.matrices.shipped import knowledge
from portability.engine.targets import parse_target, shipped_targets

GOOD = (
    "good.yaml",
    "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: 'a/b:1'}]}\n",
)


@pytest.mark.parametrize(
    "content",
    [
        "x: y\n" * 4_000_000,
        "---\na: 1\n" * 10_000,
        "[" * 1_000,
        b"\x00\x01\x02",
        "a: \xe4".encode("latin-1"),
        "a: &a [x]\n" + "".join(f"{c}: &{c} [{', '.join([f'*{p}'] * 9)}]\n" for p, c in pairwise("abcdefghij")),
        "kind: {{ .Values.kind }}\n",
    ],
)  # fmt: skip
def test_one_bad_file_does_not_hide_another(content: str | bytes) -> None:
    start = time.perf_counter()
    facts = read_facts([("bad.yaml", content), GOOD])
    assert time.perf_counter() - start < 10
    assert [p.file for p in facts.problems] == ["bad.yaml"]
    assert "a/b:1" in [s.value for s in facts.sites]
    assert facts.files == ("bad.yaml", "good.yaml")


@pytest.mark.parametrize(
    "text",
    [
        "args: [" + ", ".join(["--flag=value"] * 30_000) + "]\n",
        "kind: ConfigMap\napiVersion: v1\ndata:\n  a.sh: |\n" + "    run --x 'y' \"z\n" * 40_000,
        "kind: ConfigMap\napiVersion: v1\ndata:\n  a.py: |\n    import vllm\n" + "    a=a=a=a=" * 60_000 + "\n",
        "containers:\n" + "- {name: a, image: b/c, env: [{name: A, value: b}]}\n" * 8_000,
        "kind: ConfigMap\ndata:\n  a: |\n    a: |\n      a: |\n        a: |\n          a: |\n            a: b\n",
        "image: " + "a/" * 400_000 + "\n",
        "x: " + "a." * 400_000 + "\n",
        "model: " + "llama-" * 100_000 + "\n",
        "expr: " + "vllm:" * 200_000 + "\n",
    ],
)
def test_long_lists_scripts_and_names_take_reasonable_time(text: str) -> None:
    start = time.perf_counter()
    read_facts([("a.yaml", text)])
    assert time.perf_counter() - start < 15


def test_extraction_takes_time_in_proportion() -> None:
    item = "- {name: a%d, image: b/c, args: [--x=y], env: [{name: A, value: b}], resources: {limits: {x.io/gpu: 1}}}\n"

    def best(count: int) -> float:
        text = "spec:\n  containers:\n" + "".join("  " + item % n for n in range(count))
        times = []
        for _ in range(2):
            start = time.perf_counter()
            assert len(read_facts([("a.yaml", text)]).containers) == count
            times.append(time.perf_counter() - start)
        return min(times)

    assert best(3_200) < 8 * best(400) * 3


_scalars = st.sampled_from(
    ["", "a/b:1", "vllm/vllm-openai:v1", "1", "true", "--model=org/llama", "sh", "-c", "x.io/gpu", "{", "a: b\nc: d"]
)
_FIELDS = (
    "apiVersion kind metadata name image repository tag containers resources limits requests env value command args "
    "nodeSelector nodeAffinity tolerations key operator values annotations data hostPath path spec template replicas "
    "volumes volumeMounts mountPath emptyDir images newName newTag expr triggers metric selector extraPodSpec items "
    "mainContainer model prefill decode role draft claims securityContext coveredResources hard accelerator type"
)
_keys = st.sampled_from(_FIELDS.split())
_odd = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=5),
    max_leaves=30,
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_odd, min_size=1, max_size=2))
def test_fields_of_any_shape_are_survived(documents: list[object]) -> None:
    text = yaml.safe_dump_all(documents)
    facts = read_facts([("a.yaml", text)])
    lines = text.count("\n") + 1
    for site in facts.sites:
        assert 1 <= site.place.line <= lines
        assert site.container is None or site.container < len(facts.containers)
    for group in facts.pod_groups:
        assert all(n < len(facts.containers) for n in group.containers)
    assert facts_from_json(facts_to_json(facts)) == facts


NINES = "9" * 5_000


@pytest.mark.parametrize("number", ["²", "٣", NINES, f"-{NINES}"])
def test_numbers_that_are_none_or_too_long_count_nothing(number: str) -> None:
    text = f"""\
kind: Deployment
apiVersion: apps/v1
spec:
  replicas: {number}
  maxReplicas: {number}
  template:
    spec:
      containers:
        - name: a
          image: vllm/vllm-openai:v0.{number}
          args: [--tensor-parallel-size={number}]
          resources: {{limits: {{amd.com/gpu: {number}}}}}
---
kind: ResourceQuota
apiVersion: v1
spec: {{hard: {{requests.amd.com/gpu: {number}}}}}
---
kind: DeviceConfig
apiVersion: amd.com/v1alpha1
spec: {{driver: {{version: {number}}}}}
"""
    found = read_facts([("a.yaml", text)])
    assert found.problems == ()
    assert found.containers[0].gpus in (0, 3)  # Arabic-Indic digits are digits
    target = {**shipped_targets()["mi300x-single"], "partitions": {"cpx_nps4": 8}}
    declared = parse_declared({"name": "x"}, "x")
    assert assess(found, declared, parse_target(target, "x"), knowledge(), registered=False).findings


def test_a_connector_nested_without_end_names_nothing() -> None:
    text = f"kind: P\napiVersion: v1\nspec: {{containers: [{{args: [--kv-transfer-config, '{'[' * 100_000}']}}]}}\n"
    assert [f.name for f in read_facts([("a.yaml", text)]).containers[0].features] == ["kv-transfer"]
