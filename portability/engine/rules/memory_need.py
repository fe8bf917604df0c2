"""How much memory one replica needs: declared, or estimated from parameters, data type and quantization."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from portability.engine.rules.base import Context
from portability.engine.shipped_files import load

PATH = Path(__file__).parent.parent / "data" / "memory.yaml"


@dataclass(frozen=True, slots=True)
class Need:
    """Gigabytes of one replica, and in words how they were come by."""

    gb: float
    how: str


@cache
def _assumptions() -> dict[str, Any]:
    loaded: dict[str, Any] = load(PATH)
    return loaded


def need(ctx: Context) -> Need | None:
    """None where it is neither declared nor can be estimated."""
    said = ctx.declared
    if said.memory_gb is not None:
        return Need(said.memory_gb, f"{said.memory_gb:g} GB are declared")
    if said.parameters_b is None:
        return None
    given = _assumptions()
    methods = [f.name.partition("=")[2].lower() for f in ctx.summary.features if f.name.startswith("quantization=")]
    methods = [each.replace("-", "_") for each in methods if each not in ("", "none", "auto", "false")]
    kind = methods[0] if methods else (said.dtype or "").lower()
    assumed = " (assumed)" if kind in ("", "auto") else ""
    kind = given["default_dtype"] if assumed else kind
    size = given["bytes_per_parameter"].get(kind)
    if size is None:
        return None
    gb = said.parameters_b * size * given["allowance"]
    how = (
        f"an estimate of {gb:.3g} GB: {said.parameters_b:g} billion parameters x {size:g} bytes ({kind}{assumed})"
        f" x {given['allowance']:g} for cache and activations"
    )
    return Need(gb, how)


def visible_devices(ctx: Context) -> int | None:
    """The devices one replica is given: asked for, declared, or implied by its parallelism."""
    if ctx.summary.gpus_per_replica:
        return ctx.summary.gpus_per_replica
    product = 0
    for feature in ctx.summary.features:
        name, _, value = feature.name.partition("=")
        if name in ("tensor-parallel", "pipeline-parallel") and value.isdecimal() and len(value) < 10:
            product = max(product, 1) * int(value)
    return product or None
