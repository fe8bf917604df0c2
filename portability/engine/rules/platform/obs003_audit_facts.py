"""OBS003: node labels do not carry what an audit asks for: driver, runtime and partition mode."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import OPERATOR, listed
from portability.engine.matrices.knowledge import NEWEST
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import has_platform_source
from portability.engine.rules.base import Context, Example, Rule

_FACTS = {
    "driver version": ("driver-version",),
    "runtime version": ("rocm", "runtime"),
    "partition mode": ("compute-memory-partition", "compute-partition", "partition-mode"),
}


def check(ctx: Context) -> Iterator[Finding]:
    """One note at most, naming what is missing."""
    if not has_platform_source(ctx):
        return
    labels = ctx.target.node_labels
    missing = [fact for fact, words in _FACTS.items() if not any(w in label for label in labels or () for w in words)]
    if not missing:
        return
    version = ctx.target.operator or NEWEST
    keys = ("node-labels/default", "node-labels/on-request")
    cells = [(key, ctx.ledger.cell(OPERATOR, key, version)) for key in keys]
    request = next(
        (name for name in listed(cells[1][1].value if cells[1][1] else "") if "memory-partition" in name), ""
    )
    seen = "No node labels of the target are known" if labels is None else "The target's node labels lack something"
    yield RULE.finding(
        Effect.NOTE,
        f"{seen}: an audit finds no {', '.join(missing)} on the nodes.",
        f"Add {request} to spec.devicePlugin.nodeLabellerArguments, and record what no label carries as a label of"
        " your own.",
        evidence=[ctx.ledger.evidence(OPERATOR, cell or key, version) for key, cell in cells],
    )


RULE = Rule(
    id="OBS003",
    name="audit-facts-not-emitted",
    class_="OBSERVABILITY",
    why="Whoever checks later on what a workload ran needs driver, runtime and partition mode recorded on the node.",
    fix="Ask the node labeller for the partition labels and add a label for the runtime.",
    references=("https://instinct.docs.amd.com/projects/gpu-operator/en/latest/device_plugin/device-plugin.html",),
    reads=("the target's observed node labels",),
    examples=(
        Example(
            "hit",
            "only what the labeller sets by default",
            target={"node_labels": {"amd.com/gpu.driver-version": "6.14.14"}},
            effect=Effect.NOTE,
        ),
        Example(
            "miss",
            "all three are there",
            target={
                "node_labels": {
                    "amd.com/gpu.driver-version": "6.14.14",
                    "amd.com/gpu.compute-memory-partition": "spx_nps1",
                    "example.com/rocm-version": "7.14.0",
                }
            },
        ),
        Example("unknown", "no node was looked at", target={"node_labels": None}, effect=Effect.NOTE),
    ),
    check=check,
    scope="target",
)
