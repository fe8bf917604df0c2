"""What a team declares: read, refused with a reason, and written back."""

from __future__ import annotations

from typing import Any

import pytest

from portability.engine.declared import canonical_engine, declared_to_json, parse_declared
from portability.engine.errors import InputError
from portability.engine.model import Declared, Feature

FULL: dict[str, Any] = {
    "name": "transcribe",
    "vendor": "nvidia",
    "engine": "vllm",
    "engine_version": "0.23.0",
    "model": "org/name",
    "model_kind": "encoder-decoder",
    "parameters_b": 8.0,
    "dtype": "bfloat16",
    "memory_gb": 20.0,
    "gpus_per_replica": 1,
    "replicas": 2,
    "features": ["lora", {"name": "async-output", "required": True}],
    "python_requirements": "torch==2.11.0\n",
    "source_files": {"serve.py": "import torch"},
}


def test_every_key_of_the_format() -> None:
    declared = parse_declared(FULL, "w.yaml")
    assert declared.features == (Feature("lora", False, "declared"), Feature("async-output", True, "declared"))
    assert (declared.parameters_b, declared.gpus_per_replica, declared.engine_version) == (8.0, 1, "0.23.0")
    assert declared_to_json(declared) == FULL


def test_nothing_said_is_nothing_written() -> None:
    assert parse_declared({}, "w.yaml") == Declared()
    assert declared_to_json(Declared()) == {}


def test_a_null_says_nothing() -> None:
    assert parse_declared({"model_kind": None, "model": None}, "w.yaml") == Declared()


@pytest.mark.parametrize(
    ("said", "engine"),
    [
        ("ONNX Runtime", "onnxruntime"),
        ("vllm-openai", "vllm"),
        ("NVIDIA NIM", "nim"),
        ("tensorrt_llm", "tensorrt-llm"),
        ("onnx", "onnxruntime"),
        ("vLLM", "vllm"),
        ("TRT-LLM", "tensorrt-llm"),
        ("own-code", "own-code"),
    ],
)
def test_engines_have_one_name(said: str, engine: str) -> None:
    assert canonical_engine(said) == engine
    assert parse_declared({"engine": said}, "w.yaml").engine == engine


def test_feature_names_are_written_one_way() -> None:
    declared = parse_declared({"features": ["Prefix_Caching", "quantization=awq", "lora", "lora"]}, "w.yaml")
    assert [f.name for f in declared.features] == ["prefix-caching", "quantization=awq", "lora"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"modelkind": "x"}, ["modelkind", "model_kind"]),
        ({"parameters_b": "many"}, ["parameters_b", "number"]),
        ({"parameters_b": -1}, ["parameters_b", "above 0"]),
        ({"parameters_b": float("nan")}, ["parameters_b"]),
        ({"memory_gb": True}, ["memory_gb"]),
        ({"gpus_per_replica": 1.5}, ["gpus_per_replica", "whole"]),
        ({"replicas": "two"}, ["replicas", "whole"]),
        ({"engine_version": 0.1}, ["engine_version", "quotes"]),
        ({"features": "lora"}, ["features", "list"]),
        ({"features": [{"name": "lora", "needed": True}]}, ["features", "required"]),
        ({"features": [{"name": "lora", "required": "yes"}]}, ["features", "required"]),
        ({"features": [""]}, ["features", "without a name"]),
        ({"source_files": ["a.py"]}, ["source_files"]),
        ({"model": ["a"]}, ["model", "text"]),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_reason(data: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        parse_declared(data, "w.yaml")
    said = str(caught.value)
    assert said.startswith("w.yaml: ") and "\n" not in said
    assert all(word in said for word in words)
