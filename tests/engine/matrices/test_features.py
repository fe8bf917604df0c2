"""Which cell answers for a feature, by every name it goes by."""

from __future__ import annotations

import pytest

from portability.engine.matrices.features import asked_of, asked_of_kind, framework, judged_by_vllm
from portability.engine.matrices.keys import VLLM_FEATURES, VLLM_QUANTIZATION


@pytest.mark.parametrize(
    ("feature", "row"),
    [
        ("lora", "lora"),
        ("Prompt_Embeds", "prompt-embeds"),
        ("speculative-decoding=eagle", "speculative-decoding"),
        ("multi-step-scheduling=8", "multi-step"),
        ("async-scheduling", "async-scheduling"),
        ("kv-cache-dtype=nvfp4", "kv-cache-dtype=nvfp4"),
        ("lora=false", None),
        ("tensor-parallel=8", None),
        ("expert-parallel", None),
        ("kv-cache-dtype=fp8", None),
        ("enforce-eager", None),
        ("decoder-only", None),
    ],
)
def test_features(feature: str, row: str | None) -> None:
    asked = asked_of(feature)
    assert (asked.row if asked else None) == row
    assert asked is None or asked.source == VLLM_FEATURES


@pytest.mark.parametrize(
    ("feature", "row"),
    [
        ("quantization=awq", "awq"),
        ("quantization=AWQ_Marlin", "marlin"),
        ("quantization=gptq-marlin", "marlin"),
        ("quantization=compressed-tensors", "compressed_tensors"),
        ("quantization=none", None),
        ("quantization", None),
    ],
)
def test_quantization(feature: str, row: str | None) -> None:
    asked = asked_of(feature)
    assert (asked.row if asked else None) == row
    assert asked is None or asked.source == VLLM_QUANTIZATION


def test_kinds() -> None:
    assert asked_of_kind("decoder-only") is None
    asked = asked_of_kind("embedding")
    assert asked is not None
    assert asked.row == "pooling"


def test_engines() -> None:
    assert framework("ONNX") == "ONNX Runtime"
    assert framework("tgi") is None
    assert judged_by_vllm("vLLM")
    assert not judged_by_vllm("sglang")
