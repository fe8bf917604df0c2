"""KNO003: one question, two answers."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import vllm


@pytest.mark.parametrize(
    ("target", "about"),
    [
        ({}, []),
        ({"part": "mi350p", "amdgpu": "30.20.0"}, ["target"]),
        ({"part": "mi350p", "amdgpu": "31.40.1"}, []),
        ({"part": "mi350p", "amdgpu": "30.10.9"}, []),  # both say no: PLT003's
        ({"part": "mi210"}, ["workload"]),
        ({"part": "rx-7600"}, ["workload"]),  # AMD offers it, vLLM's page does not list gfx1102
        ({"part": "rx-7900-xtx"}, []),
        ({"advertises": {"amd.com/gpu": 8}}, []),
        ({"advertises": {"amd.com/gpu": 8, "cpu": 96}}, []),
        ({"advertises": {"amd.com/gpu": 7}}, ["target"]),
        ({"partitions": {"cpx_nps4": 8}, "advertises": {"amd.com/gpu": 64}}, []),
        ({"partitions": {"cpx_nps4": 8}, "advertises": {"amd.com/gpu": 0}}, ["target"]),
        ({"resource_naming": "mixed", "advertises": {"amd.com/spx_nps1": 8}}, []),
        ({"resource_naming": "mixed", "advertises": {"amd.com/gpu": 8}}, ["target"]),
        ({"part": "mi250", "gpus_per_node": 4, "rocm": "7.14.0", "advertises": {"amd.com/gpu": 8}}, ["workload"]),
        ({"device_memory_gb": 191.98}, []),
        ({"device_memory_gb": 96}, ["target"]),
        ({"partitions": {"cpx_nps4": 8}, "device_memory_gb": 24}, []),
    ],
)
def test_questions(target: dict[str, object], about: list[str]) -> None:
    findings = found("KNO003", workload=vllm(memory_gb=10), target=target)
    assert [f.about for f in findings] == about
    assert {f.effect for f in findings} <= {Effect.CONFIRM}
    assert all(len({e.source for e in f.evidence}) == 2 for f in findings)


def test_an_engine_of_another_kind_is_not_asked_about() -> None:
    assert not found("KNO003", workload=vllm(engine="pytorch"), target={"part": "mi210"})
