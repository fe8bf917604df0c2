"""PAR003: memory of a replica against its devices."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


def sized(**declared: object) -> dict[str, object]:
    """A vLLM workload whose size is declared."""
    return {"engine": "vllm", "model_kind": "decoder-only", "dtype": "bfloat16", "gpus_per_replica": 1, **declared}


CPX = {"partitions": {"cpx_nps4": 8}}


@pytest.mark.parametrize(
    ("declared", "target", "fires"),
    [
        ({"parameters_b": 70}, CPX, True),
        ({"parameters_b": 70}, {}, False),
        ({"parameters_b": 8}, CPX, False),
        ({"parameters_b": 12}, CPX, True),
        ({"parameters_b": 12, "gpus_per_replica": 2}, CPX, False),
        ({"parameters_b": 16, "dtype": "fp8"}, CPX, False),
        ({"parameters_b": 30, "features": ["quantization=awq"]}, CPX, False),
        ({"memory_gb": 20}, CPX, False),
        ({"memory_gb": 25, "parameters_b": 1}, CPX, True),
        ({"memory_gb": 100}, {"part": "mi250"}, True),
        ({"memory_gb": 60}, {**CPX, "device_memory_gb": 64}, False),
        ({"parameters_b": 70}, {"vendor": "nvidia", "part": "h100"}, True),
        ({"memory_gb": 500}, {"part": "mi355x", **CPX}, False),  # size of a partition not published: PAR004
    ],
)
def test_fit(declared: dict[str, object], target: dict[str, object], fires: bool) -> None:
    findings = found("PAR003", workload=sized(**declared), target=target)
    assert [f.effect for f in findings] == ([Effect.CHANGE] if fires else [])


def test_an_estimate_is_marked_and_shows_its_numbers() -> None:
    (finding,) = found("PAR003", workload=sized(parameters_b=70), target=CPX)
    for word in ("estimate", "70 billion", "168 GB", "24 GB"):
        assert word in finding.reason
