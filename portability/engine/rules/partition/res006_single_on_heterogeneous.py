"""RES006: one name for all devices on a node whose GPUs are partitioned in more than one way."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import DEVICE_PLUGIN
from portability.engine.model import Effect, Evidence, Finding
from portability.engine.rules.asking import has_platform_source
from portability.engine.rules.base import Context, Example, Rule


def check(ctx: Context) -> Iterator[Finding]:
    """One finding at most; it does not matter which workload comes."""
    if not has_platform_source(ctx):
        return
    styles = [style for style, count in ctx.target.partitions.items() if count]
    naming = ctx.target.resource_naming
    if len(styles) < 2:
        yield from _seen_otherwise(ctx, naming)
        return
    key = f"naming/{naming}/heterogeneous"
    cell = ctx.ledger.cell(DEVICE_PLUGIN, key)
    if cell is not None and cell.value == "supported":
        return
    shown = " and ".join(f"{ctx.target.partitions[style]} GPUs in {style.upper()}" for style in styles)
    value = f"{naming}: {shown}"
    evidence = [ctx.ledger.evidence(DEVICE_PLUGIN, cell or key)]
    if cell is None:
        reason = f"The nodes have {shown}, and whether naming {naming} is supported on such nodes is not stated."
        yield RULE.finding(Effect.CONFIRM, reason, "Use naming mixed.", value=value, evidence=evidence)
        return
    yield RULE.finding(
        Effect.CHANGE,
        f"The nodes have {shown} under naming {naming}, which is not supported on a node of several styles.",
        "Set resource_naming_strategy to mixed in devicePluginArguments, or partition all GPUs of a node alike.",
        value=value,
        evidence=evidence,
    )


def _seen_otherwise(ctx: Context, naming: str) -> Iterator[Finding]:
    """A node that advertises several styles, where the target states at most one."""
    seen = [name for name, count in (ctx.target.advertises or {}).items() if count and "_nps" in name]
    if naming != "single" or len(seen) < 2:
        return
    names = ", ".join(sorted(seen))
    yield RULE.finding(
        Effect.CONFIRM,
        f"The target states naming single and one partition style, and a node of it advertises {names}.",
        "Look at the node with amd-smi list, and state its naming and the GPUs of each partition style.",
        value=names,
        evidence=[Evidence("observed", "", None, "advertises", names)],
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
            "the target states no styles, and a node advertises two",
            target={"advertises": {"amd.com/spx_nps1": 5, "amd.com/cpx_nps1": 24}},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
    scope="target",
)
