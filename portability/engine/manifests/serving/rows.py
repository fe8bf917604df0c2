"""The shipped tables of what names mean, compiled once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from portability.engine.manifests.serving.patterns import Patterns
from portability.engine.shipped_files import load


@dataclass(frozen=True, slots=True)
class EngineRow:
    """One engine. `tag`: an image's tag is its version. `hosts`: it may host another engine."""

    engine: str
    tag: bool
    hosts: bool


@dataclass(frozen=True, slots=True)
class FlagRow:
    """What a flag says of a feature."""

    feature: str
    form: str
    flag: bool
    above: int
    only: tuple[str, ...]


@cache
def _table(name: str) -> Any:
    """A table by the name of its file."""
    return load(resources.files("portability.engine.manifests").joinpath("data", f"{name}.yaml"))


@cache
def engines() -> tuple[EngineRow, ...]:
    """The engines, the more particular first."""
    return tuple(EngineRow(row["engine"], bool(row.get("tag")), bool(row.get("hosts"))) for row in _table("engines"))


@cache
def engine_images() -> Patterns[EngineRow]:
    """Engines by an image's reference in lower case, without its digest."""
    return _engines_by("image")


@cache
def engine_commands() -> Patterns[EngineRow]:
    """Engines by the words of a command line, or a line of a program."""
    return _engines_by("command")


def _engines_by(part: str) -> Patterns[EngineRow]:
    rows = zip(engines(), _table("engines"), strict=True)
    return Patterns((pattern, row) for row, given in rows for pattern in given.get(part) or ())


@cache
def hosts() -> frozenset[str]:
    """Engines that may host another one."""
    return frozenset(row.engine for row in engines() if row.hosts and row.engine != "vllm")


@cache
def flags() -> dict[str, FlagRow]:
    """What each flag, field or variable says."""
    return {
        name: FlagRow(
            row["feature"], row["form"], bool(row.get("flag")), int(row.get("above", 0)), tuple(row.get("only", ()))
        )
        for row in _table("flags")
        for name in row["names"]
    }


@cache
def custom_resources() -> dict[str, Any]:
    """What custom resources say by kind and by field."""
    table: dict[str, Any] = _table("custom_resources")
    return table


@cache
def passed_over() -> frozenset[str]:
    """Objects of which only the kind counts, by API group or version and kind: `v1/Secret`."""
    return frozenset(_table("custom_resources")["passed_over"])


@cache
def model_fields() -> dict[str, dict[str, int]]:
    """The rank of each name that carries a model, by where it stands."""
    return {part: {name: n for n, name in enumerate(names)} for part, names in _table("model_fields").items()}


@cache
def model_kinds() -> Patterns[str]:
    """The kinds of models by their names, the more particular first."""
    return Patterns((row["match"], row["kind"]) for row in _table("model_kinds"))


@cache
def quantizations() -> Patterns[str]:
    """The methods of quantization by checkpoints' names."""
    return Patterns((row["match"], row["method"]) for row in _table("quantizations"))


@cache
def architectures() -> Patterns[str]:
    """The kinds of models by the names of their architectures, the more particular first."""
    return Patterns((row["match"], row["kind"]) for row in _table("architectures"))
