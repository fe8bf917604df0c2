"""Declared and detected facts put together."""

from portability.engine.declared import parse_declared
from portability.engine.manifests import read_facts
from portability.engine.summary import merge_summary

SERVING = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat}
spec:
  replicas: 3
  template:
    spec:
      containers:
        - name: vllm
          image: vllm/vllm-openai:v0.11.0
          args: [--model=Qwen/Qwen3-8B, --tensor-parallel-size=2, --enable-lora]
          resources: {limits: {nvidia.com/gpu: 2}}
"""


def _summary(manifest: str = "", **declared: object):  # type: ignore[no-untyped-def]
    facts = read_facts([("serving.yaml", manifest)] if manifest else [])
    return merge_summary(facts, parse_declared({"name": "chat", **declared}, "test"))


def test_detected_facts_are_taken_where_nothing_is_declared() -> None:
    summary = _summary(SERVING)
    assert summary.engine and summary.engine.value == "vllm" and summary.engine.origin == "detected"
    assert summary.engine_version and summary.engine_version.value == "0.11.0"
    assert summary.model_kind and summary.model_kind.value == "decoder-only"
    assert summary.model_kind.origin == "inferred"
    assert (summary.gpus_per_replica, summary.replicas) == (2, 3)
    assert {f.name for f in summary.features} == {"tensor-parallel=2", "lora"}
    assert summary.contradictions == ()


def test_declared_facts_fill_the_gaps() -> None:
    summary = _summary(engine="vllm", model_kind="pooling", gpus_per_replica=4, replicas=2)
    assert summary.engine and summary.engine.origin == "declared"
    assert (summary.gpus_per_replica, summary.replicas) == (4, 2)


def test_a_contradiction_is_said_with_the_place() -> None:
    summary = _summary(SERVING, engine="sglang", replicas=5)
    assert any("sglang" in c and "vllm" in c and "serving.yaml:" in c for c in summary.contradictions)
    assert any("declared 5" in c and "3" in c for c in summary.contradictions)


def test_the_same_version_written_otherwise_is_no_contradiction() -> None:
    for same in ("v0.11.0", "0.11"):
        assert _summary(SERVING, engine_version=same).contradictions == ()


def test_versions_are_told_apart_by_their_numbers_and_not_by_their_text() -> None:
    (contradiction,) = _summary(SERVING, engine_version="0.1").contradictions
    assert "declared 0.1" in contradiction


def test_a_declared_feature_keeps_that_it_is_required() -> None:
    summary = _summary(SERVING, features=[{"name": "lora", "required": True}])
    lora = next(f for f in summary.features if f.name == "lora")
    assert lora.required and lora.place is not None
