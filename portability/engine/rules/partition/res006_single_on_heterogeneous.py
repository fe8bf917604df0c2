"""RES006: one name for all devices on a node whose GPUs are partitioned in more than one way."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import DEVICE_PLUGIN
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import has_platform_source
from portability.engine.rules.base import Context, Example, Rule


def check(ctx: Context) -> Iterator[Finding]:
    """One finding at most; it does not matter which workload comes."""
    styles = [style for style, count in ctx.target.partitions.items() if count]
    if not has_platform_source(ctx) or len(styles) < 2:
        return
    naming = ctx.target.resource_naming
    key = f"naming/{naming}/heterogeneous"
    cell = ctx.ledger.cell(DEVICE_PLUGIN, key)
    if cell is not None and cell.value == "supported":
        return
    shown = " and ".join(f"{ctx.target.partitions[style]} GPUs in {style.upper()}" for style in styles)
    evidence = [ctx.ledger.evidence(DEVICE_PLUGIN, cell or key)]
    if cell is None:
        reason = f"The nodes have {shown}, and whether naming {naming} is supported on such nodes is not stated."
        yield RULE.finding(Effect.CONFIRM, reason, "Use naming mixed.", value=naming, evidence=evidence)
        return
    yield RULE.finding(
        Effect.CHANGE,
        f"The nodes have {shown} under naming {naming}, which is not supported on a node of several styles.",
        "Set resource_naming_strategy to mixed in devicePluginArguments, or partition all GPUs of a node alike.",
        value=naming,
        evidence=evidence,
    )


RULE = Rule(
    id="RES006",
    name="single-naming-on-heterogeneous-node",
    class_="PARTITION",
    why="Under one name a pod cannot ask for the size it needs; the device plugin does not support it on such nodes.",
    fix="Use naming mixed, or one partition style a node.",
    references=("https://instinct.docs.amd.com/projects/gpu-operator/en/latest/device_plugin/device-plugin.html",),
    reads=("the target's naming and partitions",),
    examples=(
        Example(
            "hit",
            "two styles under single",
            target={"partitions": {"spx_nps1": 5, "cpx_nps1": 3}},
            effect=Effect.CHANGE,
        ),
        Example(
            "miss",
            "two styles under mixed",
            target={"resource_naming": "mixed", "partitions": {"spx_nps1": 5, "cpx_nps1": 3}},
        ),
        Example(
            "unknown",
            "a node whose styles are not stated counts as unpartitioned, so nothing is claimed",
            target={"partitions": {}},
        ),
    ),
    check=check,
    scope="target",
)
