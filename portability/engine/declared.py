"""What a team says of its workload, from a workload file; a key or a value that is not understood is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from portability.engine.errors import InputError
from portability.engine.model import Declared, Feature

_ALIASES = {
    "onnx": "onnxruntime",
    "onnx-runtime": "onnxruntime",
    "ort": "onnxruntime",
    "trtllm": "tensorrt-llm",
    "trt-llm": "tensorrt-llm",
    "tensorrtllm": "tensorrt-llm",
    "text-generation-inference": "tgi",
    "text-embeddings-inference": "tei",
    "tritonserver": "triton",
    "triton-inference-server": "triton",
    "torch": "pytorch",
    "tf": "tensorflow",
    "rayserve": "ray-serve",
    "fasterwhisper": "faster-whisper",
    "llamacpp": "llama.cpp",
    "llama-cpp": "llama.cpp",
    "sgl": "sglang",
    "vllm-openai": "vllm",
    "vllm-cuda": "vllm",
    "vllm-rocm": "vllm",
    "onnxruntime-gpu": "onnxruntime",
    "onnxruntime-rocm": "onnxruntime",
    "nvidia-triton": "triton",
    "nvidia-nim": "nim",
    "nvidia-dynamo": "dynamo",
}
_MAX_NUMBER = 10_000_000


def canonical_engine(name: str) -> str:
    """The engine's one name: `onnx` is `onnxruntime`, and `ONNX Runtime` is too."""
    name = "-".join(name.lower().replace("_", " ").split())
    return _ALIASES.get(name, name)


def parse_declared(data: Mapping[str, Any], where: str) -> Declared:
    """Declared facts. Raises InputError naming the key that cannot be used, and why."""
    unknown = sorted(str(key) for key in data if key not in _PARSERS)
    if unknown:
        raise InputError(where, 0, f"unknown key {', '.join(unknown)}; known are {', '.join(_PARSERS)}")
    values: dict[str, Any] = {}
    for key, value in data.items():
        if value is None:
            continue
        try:
            values[key] = _PARSERS[key](value)
        except ValueError as error:
            raise InputError(where, 0, f"{key}: {error}") from None
    return Declared(**values)


def declared_to_json(declared: Declared) -> dict[str, Any]:
    """The mapping that `parse_declared` reads back; what is not said is left out."""
    out: dict[str, Any] = {}
    for field in fields(declared):
        value = getattr(declared, field.name)
        if field.name == "features":
            value = [{"name": f.name, "required": True} if f.required else f.name for f in value]
        elif field.name == "source_files":
            value = dict(value)
        if value is not None and value not in ("", [], {}):
            out[field.name] = value
    return out


def _text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("must be text")
    return str(value).strip()


def _version(value: Any) -> str:
    if isinstance(value, float):
        raise ValueError(f"write it in quotes: {value} is a number to YAML, and loses its last zeros")
    return _text(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("must be a number")
    try:
        number = float(value)
    except ValueError:
        raise ValueError(f"must be a number, not {value!r}") from None
    if not 0 < number <= _MAX_NUMBER:
        raise ValueError(f"must be above 0 and at most {_MAX_NUMBER:,}")
    return number


def _count(value: Any) -> int:
    if isinstance(value, bool) or not (
        isinstance(value, int) or (isinstance(value, str) and value.strip().isdecimal())
    ):
        raise ValueError("must be a whole number")
    number = int(value)
    if not 0 <= number <= _MAX_NUMBER:
        raise ValueError(f"must be from 0 to {_MAX_NUMBER:,}")
    return number


def _features(value: Any) -> tuple[Feature, ...]:
    """A list of names, or of mappings with `name` and `required`."""
    if not isinstance(value, list | tuple):
        raise ValueError("must be a list of names, or of {name: ..., required: true}")
    found: dict[str, Feature] = {}
    for item in value:
        if isinstance(item, Mapping):
            extra = sorted(set(map(str, item)) - {"name", "required"})
            if extra or not isinstance(item.get("required", False), bool) or not isinstance(item.get("name"), str):
                raise ValueError(f"{dict(item)} must be {{name: ..., required: true or false}}")
            feature = Feature(_feature_name(item["name"]), bool(item.get("required", False)), "declared")
        else:
            feature = Feature(_feature_name(_text(item)), False, "declared")
        if not feature.name:
            raise ValueError("a feature without a name")
        found[feature.name] = feature
    return tuple(found.values())


def _feature_name(text: str) -> str:
    name, equals, value = text.strip().partition("=")
    return name.strip().lower().replace("_", "-").replace(" ", "-") + equals + value.strip()


def _files(value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(v, str) for v in value.values()):
        raise ValueError("must map file names to their text")
    return {str(name): text for name, text in value.items()}


def _requirements(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "\n".join(_text(line) for line in value)
    return value if isinstance(value, str) else _text(value)


def _lower(value: Any) -> str:
    return _text(value).lower()


_PARSERS: dict[str, Callable[[Any], Any]] = {
    "name": _text,
    "vendor": _lower,
    "engine": lambda value: canonical_engine(_text(value)),
    "engine_version": _version,
    "model": _text,
    "model_kind": lambda value: _lower(value).replace("_", "-").replace(" ", "-"),
    "parameters_b": _number,
    "dtype": _lower,
    "memory_gb": _number,
    "gpus_per_replica": _count,
    "replicas": _count,
    "features": _features,
    "python_requirements": _requirements,
    "source_files": _files,
}
