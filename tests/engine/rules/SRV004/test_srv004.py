"""SRV004: quantization by hardware."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import VLLM_POD, vllm


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


def test_what_only_the_checkpoints_name_tells_is_to_be_confirmed() -> None:
    pod = VLLM_POD.replace("MODEL", "org/llama-8b-AWQ")
    assert [f.effect for f in found("SRV004", pod)] == [Effect.CONFIRM]
    assert not found("SRV004", VLLM_POD.replace("MODEL", "org/llama-8b-FP8"))
