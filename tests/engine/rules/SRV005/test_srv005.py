"""SRV005: frameworks offered for the part."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import vllm


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


@pytest.mark.parametrize(
    ("image", "effect"),
    [("rocm/tensorflow:latest", Effect.NOTE), ("registry.example/ml/tensorflow:2.19", Effect.CONFIRM)],
)
def test_a_framework_that_is_not_named_comes_with_the_vendors_image(image: str, effect: Effect) -> None:
    pod = f"""\
    apiVersion: v1
    kind: Pod
    spec:
      containers:
        - {{name: t, image: "{image}", resources: {{limits: {{amd.com/gpu: 1}}}}}}
    """
    assert [f.effect for f in found("SRV005", pod)] == [effect]
