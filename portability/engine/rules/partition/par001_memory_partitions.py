"""PAR001: a partition style with more memory partitions than compute partitions."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import PARTITIONING
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import has_platform_source, shown_part
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.partitions import WHOLE, Known, devices_of, memory_partitions, mode_of

_KEY = "rule/memory-partitions"


def check(ctx: Context) -> Iterator[Finding]:
    """A finding for each style of the target that cannot be, or of which it cannot be told."""
    if not has_platform_source(ctx):
        return
    for style in ctx.target.partitions:
        memory = memory_partitions(style)
        if memory <= 1:
            continue
        compute = Known(1.0, ()) if mode_of(style) == WHOLE else devices_of(ctx, style)
        stated = ctx.ledger.evidence(PARTITIONING, ctx.ledger.cell(PARTITIONING, _KEY) or _KEY)
        if compute.number is None:
            reason = (
                f"{style.upper()} has {memory} memory partitions, and how many compute partitions"
                f" {shown_part(ctx.target)} has in {mode_of(style).upper()} is not published."
            )
            remedy = "Look at a node with amd-smi list; memory partitions may not exceed compute partitions."
            effect = Effect.CONFIRM
        elif memory > compute.number:
            reason = (
                f"{style.upper()} has {memory} memory partitions and {compute.number:g} compute"
                f" partition{'s' if compute.number != 1 else ''}: there may not be more of the former."
            )
            remedy = f"Choose NPS{compute.number:g} or less with {mode_of(style).upper()}, or a finer compute mode."
            effect = Effect.CHANGE
        else:
            continue
        yield RULE.finding(effect, reason, remedy, value=style, evidence=(stated, *compute.evidence))


RULE = Rule(
    id="PAR001",
    name="memory-partitions-exceed-compute",
    class_="PARTITION",
    why="A memory partition belongs to at least one compute partition; a mode with more of them cannot be set.",
    fix="Choose a memory mode with at most as many partitions as the compute mode has.",
    references=("https://instinct.docs.amd.com/projects/amdgpu-docs/en/latest/gpu-partitioning/mi300x/overview.html",),
    reads=("the target's part and partitions",),
    examples=(
        Example("hit", "SPX is one partition, NPS4 four", target={"partitions": {"spx_nps4": 8}}, effect=Effect.CHANGE),
        Example("miss", "CPX has eight on MI300X", target={"partitions": {"cpx_nps4": 8}}),
        Example(
            "unknown",
            "no page says how many partitions MI355X has in CPX",
            target={"part": "mi355x", "partitions": {"cpx_nps2": 8}},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
    scope="target",
)
