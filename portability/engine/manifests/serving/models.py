"""Which model is served, and of which kind its name tells it is."""

from __future__ import annotations

import re

from portability.engine.manifests.serving.rows import model_kinds, quantizations
from portability.engine.memo import remembered

_HUB = re.compile(r"^[A-Za-z0-9][\w.-]*/[\w][\w.-]*$")
_LOCAL = frozenset(
    {"models", "model", "data", "mnt", "checkpoints", "checkpoint", "root", "workspace", "opt", "tmp", "app", "home",
     "cache", "weights", "var", "srv", "storage", "local", "engines", "repository", "usr", "etc"}
)  # fmt: skip
_FILE = re.compile(
    r"\.(?:json|ya?ml|txt|sh|py|jinja2?|gguf|bin|safetensors|pt|onnx|plan|log|csv|tar|gz|zip)$", re.IGNORECASE
)
_HUB_SCHEMES = ("hf://", "huggingface://", "hf:", "https://huggingface.co/", "http://huggingface.co/")
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://")
_NOT_A_NAME = re.compile(r"[^a-z0-9.]+")
_POOLING_TASKS = frozenset(
    {"embed", "embedding", "score", "classify", "reward", "pooling", "rerank", "encode", "textembedding", "reranking"}
)


@remembered
def hub_name(value: str) -> str:
    """`org/name` where a value names a model of a hub, or nothing: local paths and buckets are no model's name."""
    value = value.strip().strip("\"'")
    for scheme in _HUB_SCHEMES:
        if value.startswith(scheme):
            name = re.split(r"[?@:#]", value.removeprefix(scheme).strip("/"), maxsplit=1)[0]
            return "/".join(name.split("/")[:2])
    if value.startswith("ollama://"):
        return value.removeprefix("ollama://").strip("/")
    if _SCHEME.match(value) or not _HUB.match(value) or "$" in value:
        return ""
    owner = value.partition("/")[0].lower()
    return "" if owner in _LOCAL or _FILE.search(value) else value


@remembered
def kind_of(value: str) -> str:
    """The kind a model's name tells, or nothing. The last two parts of a path or address are its name."""
    value = re.split(r"[?@#]", value.strip().strip("\"'"), maxsplit=1)[0]
    parts = [part for part in re.split(r"[/\\]", _SCHEME.sub("", value)) if part]
    # In a catalogue's path (`google/gemma/framework/2b-it/2`) the name stands further up; in a local path the
    # directories say nothing.
    catalogue = len(parts) > 2 and value[:1] not in "/." and not _SCHEME.match(value) and parts[0].lower() not in _LOCAL
    for text in [*parts[-1:], *(["/".join(parts[-4:])] if catalogue else [])]:
        name = f"-{_NOT_A_NAME.sub('-', text.lower()).strip('-')}-"
        if len(name) > 300:
            continue
        for kind, pattern in model_kinds():
            if pattern.search(name):
                return kind
    return ""


@remembered
def quantization_of(value: str) -> str:
    """The method of quantization that a checkpoint's name tells, or nothing."""
    last = re.split(r"[?@#]", value.strip().strip("\"'/"), maxsplit=1)[0].rpartition("/")[2]
    name = f"-{_NOT_A_NAME.sub('-', last.lower()).strip('-')}-"
    if len(name) > 300:
        return ""
    return next((method for method, pattern in quantizations() if pattern.search(name)), "")


def kind_of_setting(name: str, value: str) -> str:
    """The kind a setting says outright: an engine told to embed or to score serves a pooling model."""
    low = value.strip().lower()
    if name in ("task", "runner", "convert", "features") and low in _POOLING_TASKS:
        return "pooling"
    if name in ("is-embedding", "embedding", "embeddings") and low not in ("false", "0", "no"):
        return "pooling"
    if name == "task" and low == "transcription":
        return "encoder-decoder"
    if name in ("limit-mm-per-prompt", "mm-processor-kwargs", "enable-multimodal") and low not in ("false", "0"):
        return "multimodal"
    return ""
