"""SRV001: what the engine does not do on the target."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import VLLM_POD, vllm


@pytest.mark.parametrize(
    ("declared", "effect"),
    [
        ({"model_kind": "encoder-decoder"}, Effect.BLOCKS),
        ({"model_kind": "Encoder_Decoder"}, Effect.BLOCKS),
        ({"features": ["async-output"]}, Effect.CHANGE),
        ({"features": [{"name": "async-output", "required": True}]}, Effect.BLOCKS),
        ({"features": ["async-output=false"]}, None),
        ({"features": ["lora", "multi-step-scheduling=8", "tensor-parallel=4"]}, None),
        ({"model_kind": "multimodal"}, None),
        ({"engine": "tgi", "model_kind": "encoder-decoder"}, None),
    ],
)
def test_declared(declared: dict[str, object], effect: Effect | None) -> None:
    assert [f.effect for f in found("SRV001", workload=vllm(**declared))] == ([effect] if effect else [])


def test_each_column_is_its_own() -> None:
    assert not found("SRV001", workload=vllm(model_kind="encoder-decoder"), target={"vendor": "nvidia", "part": "h100"})
    volta = found("SRV001", workload=vllm(features=["chunked-prefill"]), target={"vendor": "nvidia", "part": "v100"})
    assert [f.effect for f in volta] == [Effect.CHANGE]


def test_an_inferred_kind_is_judged_where_the_model_is_named() -> None:
    (finding,) = found("SRV001", VLLM_POD.replace("MODEL", "openai/whisper-large-v3"))
    assert finding.effect is Effect.BLOCKS
    assert finding.place is not None
    assert finding.place.line == 9
    assert "inferred" in finding.reason


def test_the_worse_of_declared_and_detected_is_judged() -> None:
    manifest = VLLM_POD.replace("MODEL", "Qwen/Qwen3-8B")
    assert not found("SRV001", manifest)
    declared = found("SRV001", manifest, workload={"model_kind": "encoder-decoder"})
    assert [f.effect for f in declared] == [Effect.BLOCKS]
    whisper = VLLM_POD.replace("MODEL", "openai/whisper-large-v3")
    assert [f.effect for f in found("SRV001", whisper, workload={"model_kind": "decoder-only"})] == [Effect.BLOCKS]


def test_a_container_without_gpus_is_not_judged() -> None:
    manifest = VLLM_POD.replace("MODEL", "openai/whisper-large-v3").replace("amd.com/gpu: 1", "cpu: 1")
    assert not found("SRV001", manifest)


def test_each_container_is_judged_by_its_own_facts() -> None:
    second = "    - {name: asr, image: example/faster-whisper:1, args: [--model=openai/whisper-large-v3]}\n"
    assert not found("SRV001", VLLM_POD.replace("MODEL", "Qwen/Qwen3-8B") + second)
