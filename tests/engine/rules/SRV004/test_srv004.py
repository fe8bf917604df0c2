"""SRV004: quantization by hardware."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import vllm


@pytest.mark.parametrize(
    ("method", "amd", "hopper"),
    [
        ("awq", True, False),
        ("awq_marlin", True, False),
        ("gptq", True, False),
        ("bitsandbytes", True, False),
        ("fp8", False, False),
        ("gguf", False, False),
        ("inc", True, True),
        ("none", False, False),
    ],
)
def test_methods(method: str, amd: bool, hopper: bool) -> None:
    workload = vllm(features=[f"quantization={method}"])
    assert bool(found("SRV004", workload=workload)) is amd
    assert bool(found("SRV004", workload=workload, target={"vendor": "nvidia", "part": "h100"})) is hopper


def test_required_blocks() -> None:
    workload = vllm(features=[{"name": "quantization=awq", "required": True}])
    assert [f.effect for f in found("SRV004", workload=workload)] == [Effect.BLOCKS]
