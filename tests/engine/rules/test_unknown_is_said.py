"""What nobody knows about a target is asked, never taken for a yes; and no target makes a rule fail."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portability.engine.model import Effect, Verdict
from tests.engine.rules.judging import judge

WORKLOAD = {
    "engine": "vllm",
    "engine_version": "0.23.0",
    "model": "acme/chat-8b",
    "model_kind": "decoder-only",
    "parameters_b": 8,
    "dtype": "bfloat16",
    "gpus_per_replica": 1,
}


@pytest.mark.parametrize("key", ["os", "rocm", "amdgpu", "kubernetes", "operator", "metrics_exporter"])
def test_a_target_that_leaves_something_out_is_to_be_confirmed(key: str) -> None:
    assert judge(workload=WORKLOAD).verdict is Verdict.MOVABLE
    judged = judge(workload=WORKLOAD, target={key: None})
    assert judged.verdict is Verdict.NEEDS_CHANGE
    assert {f.effect for f in judged.findings} <= {Effect.CONFIRM, Effect.NOTE}


@pytest.mark.parametrize("change", [{"rocm": "9.9.9"}, {"operator": "9.9.9"}, {"part": "mi999x"}])
def test_what_nobody_read_about_is_to_be_confirmed(change: dict[str, str]) -> None:
    judged = judge(workload=WORKLOAD, target=change)
    assert judged.verdict is Verdict.NEEDS_CHANGE
    assert Effect.CONFIRM in {f.effect for f in judged.findings}


def test_every_question_is_recorded_the_unanswered_ones_too() -> None:
    judged = judge(workload=WORKLOAD, target={"rocm": "9.9.9"})
    asked = {(c.source, c.version, c.key) for c in judged.consulted}
    assert ("rocm-compatibility-matrix", "9.9.9", "*release") in asked
    assert not any(r.source == "rocm-compatibility-matrix" for r in judged.releases)


NAMES = st.sampled_from(
    ["", "7.14.0", "7.14", "newest", "10.0.0", "x", "1.33", "4.18", "1.5.1", "31.40.1", "-", "9" * 50]
)
STYLES = st.dictionaries(
    st.sampled_from(["spx_nps1", "cpx_nps4", "qpx_nps4", "abc_nps0", "dpx_nps9"]), st.integers(0, 9)
)
TARGETS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"part": st.sampled_from(["mi300x", "mi250", "rx-7900-xtx", "max-395", "h100", "none"])},
    optional={
        "os": st.none()
        | st.builds(dict, family=st.sampled_from(["ubuntu", "rhcos", "sles", "x"]), version=NAMES, kernel=NAMES),
        "rocm": NAMES,
        "amdgpu": NAMES,
        "kubernetes": NAMES,
        "openshift": NAMES,
        "operator": NAMES,
        "partitions": STYLES,
        "resource_naming": st.sampled_from(["single", "mixed"]),
        "allocation": st.sampled_from(["dra", "device-plugin"]),
        "advertises": st.dictionaries(st.sampled_from(["amd.com/gpu", "amd.com/cpx_nps4", "cpu"]), st.integers(0, 99)),
        "gpus_per_node": st.none() | st.integers(0, 9),
        "driver_managed": st.booleans(),
        "vendor": st.sampled_from(["amd", "nvidia"]),
        "device_config": st.dictionaries(
            st.sampled_from(["spec", "kind", "metadata"]), st.none() | st.just("x") | st.just({})
        ),
    },
)


@settings(max_examples=150, deadline=None)
@given(TARGETS, st.sampled_from(["vllm", "onnx", "pytorch", "x"]))
def test_no_target_makes_a_rule_fail(target: dict[str, Any], engine: str) -> None:
    judged = judge(workload={**WORKLOAD, "engine": engine}, target=target)
    assert all(f.reason and f.remedy for f in judged.findings)
