"""PAR002: a partition mode that one source lists for the part and another does not, or that none lists."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import DEVICE_PLUGIN, OPTIMIZATION, PARTITIONING
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import has_platform_source, shown_part
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.partitions import WHOLE, mode_of, unpartitionable


def check(ctx: Context) -> Iterator[Finding]:
    """A finding for each mode of the target on which the sources do not agree."""
    if not has_platform_source(ctx):
        return
    part = shown_part(ctx.target)
    for mode in dict.fromkeys(mode_of(style) for style in ctx.target.partitions):
        if mode == WHOLE:
            continue  # an unpartitioned GPU is every part's default
        key = f"mode/{ctx.target.part}/{mode}"
        cells = {source: ctx.ledger.cell(source, key) for source in (OPTIMIZATION, PARTITIONING)}
        if all(cells.values()):
            continue
        evidence = [ctx.ledger.evidence(source, cell or key) for source, cell in cells.items()]
        titles = {source: ctx.ledger.knowledge.sources[source].title for source in cells}
        having = [titles[source] for source, cell in cells.items() if cell]
        lacking = [titles[source] for source, cell in cells.items() if not cell]
        if having:
            reason = f"{having[0]} lists {mode.upper()} for {part}, and {lacking[0]} does not."
        elif none := unpartitionable(ctx):
            reason = f"The device plugin's pages know no partition modes of {part}; the target states {mode.upper()}."
            evidence.append(ctx.ledger.evidence(DEVICE_PLUGIN, none))
        else:
            reason = f"Neither {lacking[0]} nor {lacking[1]} lists {mode.upper()} for {part}."
        yield RULE.finding(
            Effect.CONFIRM,
            reason,
            "Confirm on a node with amd-smi list that the mode exists and how many devices it shows.",
            value=mode,
            evidence=evidence,
        )


RULE = Rule(
    id="PAR002",
    name="partition-mode-disputed",
    class_="PARTITION",
    why="AMD's own pages do not list the same modes; what a node shows decides.",
    fix="Look at a node before planning with the mode, or choose one that both pages list.",
    references=(
        "https://rocm.docs.amd.com/en/latest/how-to/rocm-for-ai/inference-optimization/workload.html",
        "https://instinct.docs.amd.com/projects/amdgpu-docs/en/latest/gpu-partitioning/mi300x/overview.html",
    ),
    reads=("the target's part and partitions",),
    examples=(
        Example(
            "hit",
            "one page lists QPX, the other does not",
            target={"partitions": {"qpx_nps4": 8}},
            effect=Effect.CONFIRM,
        ),
        Example("miss", "both list CPX", target={"partitions": {"cpx_nps4": 8}}),
        Example(
            "unknown",
            "no page lists modes of MI355X",
            target={"part": "mi355x", "partitions": {"dpx_nps2": 8}},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
    scope="target",
)
