"""PAR004: what is missing on a partitioned target, or of a part whose memory nobody gives."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


def sized(**declared: object) -> dict[str, object]:
    """A vLLM workload with one GPU."""
    return {"engine": "vllm", "model_kind": "decoder-only", "gpus_per_replica": 1, **declared}


CPX = {"partitions": {"cpx_nps4": 8}}


@pytest.mark.parametrize(
    ("declared", "target", "fires"),
    [
        ({}, CPX, True),
        ({}, {}, False),
        ({}, {"partitions": {"spx_nps1": 8}}, False),
        ({"parameters_b": 8}, CPX, False),
        ({"memory_gb": 20}, CPX, False),
        ({"memory_gb": 20}, {"part": "mi355x", **CPX}, True),
        ({"memory_gb": 20}, {"part": "mi355x", **CPX, "device_memory_gb": 36}, False),
        ({"gpus_per_replica": 0}, CPX, False),
        ({"parameters_b": 700}, {"part": "rx-7900-xtx"}, True),
        ({"parameters_b": 700}, {"vendor": "nvidia", "part": "b200"}, True),
        ({"memory_gb": 20}, {"vendor": "nvidia", "part": "b200", "device_memory_gb": 180}, False),
        ({"memory_gb": 20}, {"vendor": "nvidia", "part": "h100"}, False),
        ({"memory_gb": 20, "gpus_per_replica": 0}, {"vendor": "nvidia", "part": "b200"}, False),
        ({}, {"vendor": "nvidia", "part": "b200"}, False),
    ],
)
def test_missing(declared: dict[str, object], target: dict[str, object], fires: bool) -> None:
    findings = found("PAR004", workload=sized(**declared), target=target)
    assert [f.effect for f in findings] == ([Effect.CONFIRM] if fires else [])
