"""RES005: counts in whole GPUs on partitioned ones."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found

POD = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat}
spec:
  replicas: 2
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
        - {name: vllm, image: "vllm/vllm-openai-rocm:v0.23.0", resources: {limits: {amd.com/gpu: 1}}}
"""
CPX = {"partitions": {"cpx_nps4": 8}}


@pytest.mark.parametrize(
    ("manifest", "target", "fires"),
    [
        (POD, CPX, True),
        (POD, {}, False),
        (POD, {"partitions": {"spx_nps1": 8}}, False),
        (POD, {"advertises": {"amd.com/gpu": 64}}, True),
        (POD, {**CPX, "advertises": {"amd.com/gpu": 8}}, False),  # what the node shows beats the page
        (POD, {"part": "mi355x", "partitions": {"cpx_nps2": 8}}, True),
        (POD.replace("amd.com/gpu", "amd.com/cpx_nps4"), {**CPX, "resource_naming": "mixed"}, False),
        (POD.replace("amd.com/gpu: 1", "cpu: 1"), CPX, False),
        (POD, {"vendor": "nvidia", "part": "h100"}, False),
    ],
)
def test_counts(manifest: str, target: dict[str, object], fires: bool) -> None:
    findings = found("RES005", manifest, target=target)
    assert [f.effect for f in findings] == ([Effect.CONFIRM] if fires else [])


def test_the_arithmetic_stands_at_the_replicas() -> None:
    (finding,) = found("RES005", POD, target=CPX)
    assert finding.place is not None
    assert finding.place.line == 5
    assert "2 of these come to 0.25 of a GPU" in finding.reason


def test_parallelism_is_a_count_too() -> None:
    declared = {"engine": "vllm", "gpus_per_replica": 4, "features": ["tensor-parallel=4"]}
    findings = found("RES005", workload=declared, target=CPX)
    assert {f.value for f in findings} == {"4"}
    assert any("tensor-parallel=4" in f.reason for f in findings)


@pytest.mark.parametrize(
    ("name", "number", "says"), [("nvidia.com/gpu", "16", "come to 2 GPUs"), ("amd.com/gpu", "0", "")]
)
def test_quotas_are_counts_too(name: str, number: str, says: str) -> None:
    quota = (
        f'apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q}}\nspec: {{hard: {{requests.{name}: "{number}"}}}}\n'
    )
    findings = found("RES005", quota, target=CPX)
    assert len(findings) == bool(says)
    assert all(says in f.reason for f in findings)


def test_bounds_of_an_autoscaler_are_counts_too() -> None:
    scaler = (
        "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\nspec: {maxReplicas: 4}\n"
    )
    findings = found("RES005", POD + scaler, target=CPX)
    assert {f.place.resource.kind for f in findings if f.place} == {"Deployment", "HorizontalPodAutoscaler"}
    (bound,) = [f for f in findings if f.place and f.place.resource.kind == "HorizontalPodAutoscaler"]
    assert bound.place is not None
    assert (bound.place.line, bound.value) == (len((POD + scaler).splitlines()), "maxReplicas")
    assert "maxReplicas 4 of HorizontalPodAutoscaler h" in bound.reason
    assert not found("RES005", scaler, target=CPX)


def test_an_autoscaler_without_bounds_of_its_own_is_asked_about_as_a_whole() -> None:
    scaler = "---\napiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: s}\nspec: {triggers: []}\n"
    findings = found("RES005", POD + scaler, target=CPX)
    assert [f.value for f in findings if f.place and f.place.resource.kind == "ScaledObject"] == ["ScaledObject"]
