"""PAR004: it cannot be told whether the model fits a partition, or a part whose memory no source gives."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.model import Effect, Evidence, Finding
from portability.engine.rules.asking import has_platform_source, shown_part
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.memory_need import need, visible_devices
from portability.engine.rules.partitions import device_memory, partitioned


def check(ctx: Context) -> Iterator[Finding]:
    """Asked of workloads that use GPUs, where the target's are partitioned."""
    styles = partitioned(ctx)
    if not styles:
        yield from _of_a_whole_part(ctx)
    if not has_platform_source(ctx) or not styles or not _uses_gpus(ctx):
        return
    memory = device_memory(ctx, styles)
    missing: list[str] = []
    evidence: tuple[Evidence, ...] = ()
    if need(ctx) is None:
        missing.append("how much memory a replica needs (neither declared nor to be estimated)")
    if visible_devices(ctx) is None:
        missing.append("how many devices a replica is given")
    if memory.number is None:
        names = ", ".join(style.upper() for style in styles)
        missing.append(f"how much memory a device of {shown_part(ctx.target)} has in {names} (no page gives it)")
        evidence = memory.evidence
    if missing:
        yield RULE.finding(
            Effect.CONFIRM,
            f"Whether the model fits a partition is not known: it is open {' and '.join(missing)}.",
            "Declare the memory of a replica (or parameters and data type) and its GPUs; state the target's observed"
            " device_memory_gb where no page gives it.",
            evidence=evidence,
        )


def _of_a_whole_part(ctx: Context) -> Iterator[Finding]:
    """Asked where the need is known: that a model fits follows from no number that nobody stated."""
    wanted, memory = need(ctx), device_memory(ctx, [])
    if wanted is None or memory.number is not None or not _uses_gpus(ctx):
        return
    yield RULE.finding(
        Effect.CONFIRM,
        f"One replica needs {wanted.gb:.3g} GB ({wanted.how}); how much memory a device of {shown_part(ctx.target)} has"
        " is not known, so whether it fits is not either.",
        "State the target's observed device_memory_gb.",
        evidence=memory.evidence,
    )


def _uses_gpus(ctx: Context) -> bool:
    return bool(ctx.summary.gpus_per_replica) or any(c.asks_for_devices for c in ctx.facts.containers)


_SIZED = {"engine": "vllm", "model_kind": "decoder-only", "dtype": "bfloat16", "gpus_per_replica": 1}
RULE = Rule(
    id="PAR004",
    name="memory-not-known",
    class_="MEMORY",
    why="On partitions memory is what decides first, and nobody can plan with a number that nobody stated.",
    fix="Declare the memory of a replica, or parameters and data type; observe a device's memory on a node.",
    references=("https://rocm.docs.amd.com/en/latest/how-to/rocm-for-ai/inference-optimization/workload.html",),
    reads=("declared memory or parameters, devices of a replica, the target's part and partitions",),
    examples=(
        Example(
            "hit",
            "neither memory nor parameters are declared",
            workload=_SIZED,
            target={"partitions": {"cpx_nps4": 8}},
            effect=Effect.CONFIRM,
        ),
        Example("miss", "declared", workload={**_SIZED, "memory_gb": 20}, target={"partitions": {"cpx_nps4": 8}}),
        Example(
            "unknown",
            "no source gives the memory of the part",
            workload={**_SIZED, "memory_gb": 20},
            target={"vendor": "nvidia", "part": "b200"},
            effect=Effect.CONFIRM,
        ),
        Example(
            "unknown",
            "no page gives the size of a partition of MI355X",
            workload={**_SIZED, "memory_gb": 20},
            target={"part": "mi355x", "partitions": {"cpx_nps2": 8}},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
)
