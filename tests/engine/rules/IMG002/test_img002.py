"""IMG002: images and engines without a path on the target."""

import pytest

from portability.engine.model import Effect, Verdict
from tests.engine.rules.judging import NVIDIA, found, judge
from tests.engine.rules.manifests import POD_WITH_IMAGE


@pytest.mark.parametrize(
    "image",
    [
        "registry.example/team/tensorrt-llm:1.1.0",
        "nvcr.io/nvidia/tritonserver:25.03-trtllm-python-py3",
        "nvcr.io/nim/meta/llama-3.1-8b-instruct:1.8",
        "mirror.example/ai-dynamo/vllm-runtime:0.3.2",
        "nvcr.io/nvidia/nemo-rl:v0.3",
    ],
)
def test_it_blocks(image: str) -> None:
    (finding,) = found("IMG002", POD_WITH_IMAGE % (image, "nvidia.com/gpu"))
    assert finding.effect is Effect.BLOCKS
    assert not found("IMG001", POD_WITH_IMAGE % (image, "nvidia.com/gpu"))


@pytest.mark.parametrize("engine", ["tensorrt-llm", "nim"])
def test_a_declared_engine_pins_without_a_manifest(engine: str) -> None:
    judged = judge(workload={"engine": engine, "model_kind": "decoder-only"})
    assert judged.verdict is Verdict.PINNED
    (finding,) = [f for f in judged.findings if f.rule == "IMG002"]
    assert finding.place is None


def test_what_the_image_says_is_not_said_again() -> None:
    image = POD_WITH_IMAGE % ("registry.example/team/tensorrt-llm:1.1.0", "nvidia.com/gpu")
    assert len(found("IMG002", image, workload={"engine": "tensorrt-llm"})) == 1


def test_at_home_it_is_fine() -> None:
    assert not found("IMG002", workload={"engine": "tensorrt-llm"}, target=NVIDIA)
    assert found("IMG002", workload={"engine": "migraphx"}, target=NVIDIA)
