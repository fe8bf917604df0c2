"""Which published cell answers for a feature or a model kind, told from the names that manifests and people use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from portability.engine.matrices.keys import VLLM_FEATURES, VLLM_QUANTIZATION
from portability.engine.memo import remembered
from portability.engine.shipped_files import load

PATH = Path(__file__).parent.parent / "data" / "features.yaml"
_OFF = frozenset({"false", "off", "no", "0", "none", "disabled"})


@dataclass(frozen=True, slots=True)
class Question:
    """One question to vLLM's tables: `row` of the table that `source` publishes."""

    source: str
    row: str


@cache
def _words() -> dict[str, Any]:
    loaded: dict[str, Any] = load(PATH)
    return loaded


def framework(engine: str) -> str | None:
    """The engine's name in AMD's table of frameworks; None for an engine that no matrix covers."""
    found: str | None = _words()["engines"].get(engine.lower())
    return found


def judged_by_vllm(engine: str) -> bool:
    """Whether vLLM's tables speak of this engine."""
    return engine.lower() in _words()["judged_by_vllm"]


def kinds_with_cell() -> list[str]:
    """The model kinds that vLLM's table has a row for."""
    kinds: list[str] = _words()["kinds_with_cell"]
    return kinds


def is_architecture(row: str) -> bool:
    """Whether a row says what a model is: the workload cannot do without it."""
    return row in kinds_with_cell()


@remembered
def asked_of_kind(kind: str) -> Question | None:
    """The question for a model kind; None for the baseline."""
    row = _canonical(kind)
    return None if row in _words()["kinds_without_cell"] else Question(VLLM_FEATURES, row)


@remembered
def asked_of(feature: str) -> Question | None:
    """The question for a feature; None for what is switched off or needs no cell."""
    base, _, value = feature.strip().lower().partition("=")
    base = base.replace("_", "-")
    if base == "quantization":
        method = value.replace("-", "_")
        if not method or method in _words()["quantization_none"]:
            return None
        return Question(VLLM_QUANTIZATION, _words()["quantization_aliases"].get(method, method))
    bare = _words()["without_cell"]
    if value in _OFF or base in bare or f"{base}={value}" in bare:
        return None
    row = _canonical(base)
    # A value that changes what is asked belongs to the row (a cache type); a number or a method of it does not.
    return Question(VLLM_FEATURES, f"{row}={value}" if row == "kv-cache-dtype" else row)


def _canonical(name: str) -> str:
    plain = name.strip().lower().replace("_", "-")
    row: str = _words()["aliases"].get(plain, plain)
    return row
