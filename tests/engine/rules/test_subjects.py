"""What a workload serves, taken apart: each container for itself, and of two contradicting facts the worse one."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: serve}
spec:
  containers:
"""


def container(name: str, image: str, model: str = "", gpus: int = 1, *flags: str) -> str:
    """One container, written on one line."""
    args = ", ".join(f'"{text}"' for text in ([f"--model={model}"] if model else []) + list(flags))
    return f'    - {{name: {name}, image: "{image}", args: [{args}], resources: {{limits: {{amd.com/gpu: {gpus}}}}}}}\n'


VLLM = "vllm/vllm-openai-rocm:v0.23.0"
TGI = "ghcr.io/huggingface/text-generation-inference:3.3-rocm"
WHISPER = "openai/whisper-large-v3"


def effects(rule: str, manifest: str, **workload: object) -> list[Effect]:
    """The effects of one rule, worst first."""
    return [f.effect for f in found(rule, manifest, workload=workload)]


def test_two_containers_with_one_engine_are_judged_each() -> None:
    manifest = POD + container("asr", VLLM, WHISPER) + container("chat", VLLM, "Qwen/Qwen3-8B")
    (finding,) = found("SRV001", manifest)
    assert finding.place is not None
    assert finding.place.line == 6


def test_a_declared_engine_that_contradicts_is_judged_besides() -> None:
    manifest = POD + container("asr", TGI, WHISPER)
    assert effects("SRV001", manifest) == []
    assert effects("SRV001", manifest, engine="vllm") == [Effect.BLOCKS]
    assert effects("SRV001", POD + container("asr", VLLM, WHISPER), engine="tgi") == [Effect.BLOCKS]


def test_a_declared_engine_stands_for_an_image_that_tells_none() -> None:
    manifest = POD + container("asr", "registry.example/ml/asr:7", WHISPER)
    assert effects("SRV001", manifest) == []
    assert effects("SRV002", manifest) == [Effect.CONFIRM]
    assert effects("SRV001", manifest, engine="vllm") == [Effect.BLOCKS]
    assert effects("SRV002", manifest, engine="faster-whisper") == []


def test_a_feature_declared_as_required_is_required_where_it_is_seen() -> None:
    manifest = POD + container("chat", VLLM, "Qwen/Qwen3-8B", 1, "--quantization=awq")
    assert effects("SRV004", manifest) == [Effect.CHANGE]
    declared = [{"name": "quantization=awq", "required": True}]
    assert effects("SRV004", manifest, features=declared) == [Effect.BLOCKS]


def test_a_feature_that_is_only_declared_is_judged_once() -> None:
    manifest = POD + container("chat", VLLM, "Qwen/Qwen3-8B") + container("two", VLLM, "Qwen/Qwen3-8B")
    (finding,) = found("SRV001", manifest, workload={"features": ["async-output"]})
    assert finding.place is None


def test_a_declared_kind_answers_for_a_name_that_tells_nothing() -> None:
    manifest = POD + container("chat", VLLM, "acme/house-special")
    assert effects("SRV002", manifest) == [Effect.CONFIRM]
    assert effects("SRV002", manifest, model_kind="decoder-only") == []


@pytest.mark.parametrize(("same", "confirms"), [("", []), ("acme/house-special", [Effect.CONFIRM])])
def test_a_worker_without_a_model_serves_its_leaders(same: str, confirms: list[Effect]) -> None:
    manifest = POD + container("leader", VLLM, "Qwen/Qwen3-8B") + container("worker", VLLM, same)
    assert effects("SRV002", manifest) == confirms


def test_one_engine_by_two_names_is_judged_once() -> None:
    manifest = POD + container("onnx", "registry.example/onnxruntime:1.20")
    (finding,) = found("SRV006", manifest, workload={"engine": "onnx"})
    assert finding.place is not None


def test_a_quantity_that_is_filled_in_later_asks_for_gpus() -> None:
    manifest = POD + container("asr", VLLM, WHISPER).replace("amd.com/gpu: 1", 'amd.com/gpu: "$(GPUS)"')
    assert effects("SRV001", manifest) == [Effect.BLOCKS]
