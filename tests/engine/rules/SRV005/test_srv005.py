"""SRV005: frameworks offered for the part."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


def vllm(**declared: object) -> dict[str, object]:
    """A vLLM workload with one GPU."""
    return {
        "engine": "vllm",
        "engine_version": "0.23.0",
        "model_kind": "decoder-only",
        "gpus_per_replica": 1,
        **declared,
    }


@pytest.mark.parametrize(
    ("engine", "target", "effect"),
    [
        ("onnxruntime", {}, None),
        ("onnx", {"part": "rx-7900-xtx"}, Effect.BLOCKS),
        ("migraphx", {"part": "mi210"}, Effect.BLOCKS),
        ("migraphx", {"part": "rx-7900-xtx", "rocm": "10.0.0"}, None),
        ("sglang", {"part": "mi210"}, Effect.BLOCKS),
        ("sglang", {"rocm": "7.12.0"}, Effect.CONFIRM),
        ("tensorflow", {}, Effect.CONFIRM),
        ("tensorflow", {"rocm": "10.0.0", "part": "mi210"}, None),
        ("pytorch", {"part": "rx-7900-xtx"}, None),
        ("pytorch", {"part": "mi100"}, None),
        ("pytorch", {"rocm": "7.12.0"}, None),
        ("vllm", {"part": "mi210"}, None),  # another source lists it: KNO003
        ("vllm", {"part": "mi100"}, Effect.BLOCKS),
        ("vllm", {"part": "mi999x"}, Effect.CONFIRM),
        ("vllm", {"rocm": "8.8.0"}, Effect.CONFIRM),
        ("vllm", {"rocm": None}, Effect.CONFIRM),
        ("vllm", {"os": {"family": "rhcos", "version": "4.18"}}, None),
        ("tgi", {"part": "mi100"}, None),
        ("own-code", {}, None),
    ],
)
def test_offer(engine: str, target: dict[str, object], effect: Effect | None) -> None:
    findings = found("SRV005", workload=vllm(engine=engine), target=target)
    assert [f.effect for f in findings] == ([effect] if effect else [])


def test_no_table_of_frameworks_is_held_for_nvidia() -> None:
    assert not found("SRV005", workload=vllm(engine="migraphx"), target={"vendor": "nvidia", "part": "h100"})
