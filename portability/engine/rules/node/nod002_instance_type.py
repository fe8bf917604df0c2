"""NOD002: a cloud's instance type that exists with one vendor only."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Context, Example, Ground, Rule, Said
from portability.engine.rules.foreign import foreign, is_placeholder, literal, owner, target_vendor
from portability.engine.rules.node.labels import avoided, keyed, values
from portability.engine.vendor_rows.rows import Row, Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """Labels with their values."""
    return keyed(ground, said, _judge)


def check(ctx: Context) -> Iterable[Finding]:
    """Values of expressions, each with the key beside it."""
    return values(ctx, _judge)


def _judge(ground: Ground, said: Said, label: Row | None) -> Iterable[Finding]:
    """Types and shapes, alone or as a part of a node group's name."""
    if label is not None and label.foreign_to(ground.target.vendor):
        return
    row = foreign(ground, Table.INSTANCES, said.value)
    if row is not None:
        remedy = f"Choose {row.counterpart or 'a type of the target'}, or a label that says GPU and no type."
        reason = f"{said.value} names instances that come with {owner(row)} only"
        yield literal(RULE, said, row, reason, remedy, avoided(said))
    elif said.key.endswith("/instance-type") and is_placeholder(said.value):
        yield RULE.finding(
            Effect.NOTE,
            f"The instance type {said.value} is filled in later.",
            f"Fill in a type with {target_vendor(ground)} GPUs.",
            value=said.value,
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
    kinds=(SiteKind.NODE,),
    at=at,
    check=check,
)
