"""NOD002: a cloud's instance type that exists with one vendor only."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.foreign import foreign, is_placeholder, literal, owner, target_vendor
from portability.engine.rules.node.labels import avoided, selections
from portability.engine.vendor_rows.rows import Table


def check(ctx: Context) -> Iterable[Finding]:
    """Types and shapes, alone or as a part of a node group's name."""
    for site, label in selections(ctx):
        if label is not None and label.foreign_to(ctx.target.vendor):
            continue
        row = foreign(ctx, Table.INSTANCES, site.value)
        if row is not None:
            remedy = f"Choose {row.counterpart or 'a type of the target'}, or a label that says GPU and no type."
            yield literal(
                RULE, site, row, f"{site.value} names instances that come with {owner(row)} only", remedy, avoided(site)
            )
        elif site.key.endswith("/instance-type") and is_placeholder(site.value):
            yield RULE.finding(
                Effect.NOTE,
                f"The instance type {site.value} is filled in later.",
                f"Fill in a type with {target_vendor(ctx)} GPUs.",
                site=site,
            )


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  nodeSelector: {%s}
  containers: [{name: main, image: "python:3.12"}]
"""

RULE = Rule(
    id="NOD002",
    name="instance-type-of-vendor",
    class_="NODE",
    why="Clouds sell each accelerator under its own instance types: a type binds the pod to its vendor.",
    fix="Choose the target's instance types, or a label that both kinds of nodes carry.",
    references=(
        "https://aws.amazon.com/ec2/instance-types/",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/overview",
        "https://cloud.google.com/compute/docs/gpus",
    ),
    reads=("values of node selectors, affinity, flavors and hints",),
    examples=(
        Example("hit", "an AWS type", _POD % "node.kubernetes.io/instance-type: p5.48xlarge", effect=Effect.CHANGE),
        Example(
            "hit",
            "an Azure type with AMD GPUs on an NVIDIA target",
            _POD % "node.kubernetes.io/instance-type: Standard_ND96isr_MI300X_v5",
            target={"vendor": "nvidia", "part": "h100"},
            effect=Effect.CHANGE,
        ),
        Example("miss", "the target's own type", _POD % "node.kubernetes.io/instance-type: Standard_ND96isr_MI300X_v5"),
        Example("miss", "a type without accelerators", _POD % "node.kubernetes.io/instance-type: m5.large"),
        Example(
            "unknown",
            "a type that is filled in later",
            _POD % "node.kubernetes.io/instance-type: '$(GPU_TYPE)'",
            effect=Effect.NOTE,
        ),
    ),
    check=check,
)
