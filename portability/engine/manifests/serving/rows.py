"""The shipped tables of what names mean, compiled once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from portability.engine.shipped_files import load


@dataclass(frozen=True, slots=True)
class EngineRow:
    """One engine, and how an image or a command tells it."""

    engine: str
    image: re.Pattern[str] | None
    command: re.Pattern[str] | None
    tag: bool
    hosts: bool


@dataclass(frozen=True, slots=True)
class FlagRow:
    """What a flag says of a feature."""

    feature: str
    form: str
    flag: bool
    above: int


def _table(name: str) -> Any:
    """A table by the name of its file."""
    return load(resources.files("portability.engine.manifests").joinpath("data", f"{name}.yaml"))


@cache
def engines() -> tuple[EngineRow, ...]:
    """The engines, the more particular first."""
    return tuple(
        EngineRow(
            row["engine"],
            _any(row.get("image")),
            _any(row.get("command")),
            bool(row.get("tag")),
            bool(row.get("hosts")),
        )
        for row in _table("engines")
    )


@cache
def hosts() -> frozenset[str]:
    """Engines that may host another one."""
    return frozenset(row.engine for row in engines() if row.hosts and row.engine != "vllm")


@cache
def flags() -> dict[str, FlagRow]:
    """What each flag, field or variable says."""
    return {
        name: FlagRow(row["feature"], row["form"], bool(row.get("flag")), int(row.get("above", 0)))
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
def model_kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The kinds of models and how names tell them, the more particular first."""
    return tuple((row["kind"], re.compile(row["match"])) for row in _table("model_kinds"))


@cache
def quantizations() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The methods of quantization and how checkpoints' names tell them."""
    return tuple((row["method"], re.compile(row["match"])) for row in _table("quantizations"))


def _any(patterns: list[str] | None) -> re.Pattern[str] | None:
    return re.compile("|".join(f"(?:{p})" for p in patterns)) if patterns else None
