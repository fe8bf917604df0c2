"""PAR003: the model does not fit into the devices that one replica is given on the target."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import shown_part
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.memory_need import need, visible_devices
from portability.engine.rules.partitions import device_memory, partitioned


def check(ctx: Context) -> Iterator[Finding]:
    """One finding at most; where a number is missing, PAR004 says so."""
    wanted, devices = need(ctx), visible_devices(ctx)
    if wanted is None or devices is None:
        return
    styles = _styles(ctx)
    memory = device_memory(ctx, styles)
    if memory.number is None or wanted.gb <= devices * memory.number:
        return
    what = f"a device of {shown_part(ctx.target)}"
    if styles and ctx.target.device_memory_gb is None:
        what += f" in {' or '.join(style.upper() for style in styles)}"
    given = f"{devices} x {memory.number:g} GB" if devices > 1 else f"{memory.number:g} GB"
    yield RULE.finding(
        Effect.CHANGE,
        f"One replica needs {wanted.gb:.3g} GB ({wanted.how}); it gets {given}: {what} has {memory.number:g} GB.",
        "Give a replica more devices with matching parallelism, use a coarser partition mode, or quantize the model;"
        " declare the measured memory where the estimate is off.",
        value=f"{wanted.gb:.3g} GB",
        evidence=memory.evidence,
    )


def _styles(ctx: Context) -> list[str]:
    """The partition styles a replica may land on: the one it asks for by name, or else every one of the target."""
    styles = partitioned(ctx)
    asked = {name.partition("/")[2] for c in ctx.facts.containers for name in c.accelerators}
    return [style for style in styles if style in asked] or styles


_SIZED = {"engine": "vllm", "model_kind": "decoder-only", "dtype": "bfloat16", "gpus_per_replica": 1}
RULE = Rule(
    id="PAR003",
    name="model-exceeds-device",
    class_="MEMORY",
    why="A partition is a device with a fraction of the memory; a model that fits a GPU may not fit one of them.",
    fix="Use more devices, larger partitions, or a smaller checkpoint.",
    references=("https://rocm.docs.amd.com/en/latest/how-to/rocm-for-ai/inference-optimization/workload.html",),
    reads=("declared memory or parameters, devices of a replica, the target's part and partitions",),
    examples=(
        Example(
            "hit",
            "70 billion parameters do not fit 24 GB",
            workload={**_SIZED, "parameters_b": 70},
            target={"partitions": {"cpx_nps4": 8}},
            effect=Effect.CHANGE,
        ),
        Example("miss", "they fit a whole MI300X", workload={**_SIZED, "parameters_b": 70}),
        Example(
            "unknown",
            "without a size nothing is claimed here; PAR004 asks for it on a partitioned target",
            workload=_SIZED,
            target={"partitions": {"cpx_nps4": 8}},
            effect=Effect.CONFIRM,
            by="PAR004",
        ),
    ),
    check=check,
)
