"""Which model is served, and of which kind its name tells it is."""

from __future__ import annotations

import re

from portability.engine.manifests.serving.rows import architectures, model_fields, model_kinds, quantizations
from portability.engine.memo import remembered, remembered_beside

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

LOOSE = 200  # the first rank of names whose value only holds a model's name somewhere


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


def at_path(path: str, served: str) -> str:
    """`org/name` where a local path ends in the name under which the model is served."""
    return served if hub_name(served) == served and path.rstrip("/").endswith("/" + served) else ""


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
        kind = model_kinds().first(name)
        if kind is not None:
            return kind
    return ""


@remembered
def quantization_of(value: str) -> str:
    """The method of quantization that a checkpoint's name tells, or nothing."""
    last = re.split(r"[?@#]", value.strip().strip("\"'/"), maxsplit=1)[0].rpartition("/")[2]
    name = f"-{_NOT_A_NAME.sub('-', last.lower()).strip('-')}-"
    if len(name) > 300:
        return ""
    return quantizations().first(name) or ""


_TASKS = frozenset({"task", "runner", "convert", "features"})
_EMBEDS = frozenset({"is-embedding", "embedding", "embeddings"})
_MEDIA = frozenset({"limit-mm-per-prompt", "mm-processor-kwargs", "enable-multimodal"})
ARCHITECTURES = frozenset({"model-architecture", "architecture", "architectures", "hf-overrides"})
_ARCHITECTURE = re.compile(r"\b[A-Z]\w+(?:For[A-Z]\w+|Model|LM)\b")
KIND_SETTINGS = _TASKS | _EMBEDS | _MEDIA | ARCHITECTURES


@remembered_beside
def rank(name: str, is_flag: bool) -> int | None:
    """How well a setting by this name tells the model, the lower the better; None where it does not.

    A command line's own flags stand before fields, those before variables. From `LOOSE` on, the value is a text in
    which a model's name may stand, and no name itself.
    """
    table = model_fields()
    if name.startswith("env:"):
        found, base = table["variables"].get(name[4:]), 100
    elif is_flag:
        found, base = table["flags"].get(name), 0
    else:
        found, base = table["fields"].get(name), 50
    if found is None:
        found, base = table["hints"].get(name), LOOSE
    return None if found is None else base + found


def kind_of_setting(name: str, value: str) -> str:
    """The kind a setting says outright: an engine told to embed or to score serves a pooling model."""
    if name not in KIND_SETTINGS:
        return ""
    if name in ARCHITECTURES:
        found = _ARCHITECTURE.search(value[:500])
        return (architectures().first(found.group().lower()) or "") if found else ""
    low = value.strip().lower()
    if name in _TASKS and low in _POOLING_TASKS:
        return "pooling"
    if name in _EMBEDS and low not in ("false", "0", "no"):
        return "pooling"
    if name == "task" and low == "transcription":
        return "encoder-decoder"
    if name in _MEDIA and low not in ("false", "0"):
        return "multimodal"
    return ""
