"""NOD001: nodes chosen by a vendor's label or product."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Context, Example, Ground, Rule, Said
from portability.engine.rules.foreign import foreign, literal, owner, target_vendor
from portability.engine.rules.node.labels import avoided, keyed, values
from portability.engine.vendor_rows.rows import Row, Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """Labels with their values."""
    return keyed(ground, said, _judge)


def check(ctx: Context) -> Iterable[Finding]:
    """Values of expressions, each with the key beside it."""
    return values(ctx, _judge)


def _judge(ground: Ground, said: Said, row: Row | None) -> Iterable[Finding]:
    """The label first; then a product in its value, unless that is an instance type (NOD002)."""
    if row is not None and row.foreign_to(ground.target.vendor):
        label = said.key or row.pattern.partition("=")[0]
        yield _finding(ground, said, row, f"{label} chooses nodes with devices of {owner(row)}")
    elif not ground.rows.find(Table.INSTANCES, said.value):
        product = foreign(ground, Table.PRODUCTS, said.value)
        if product is not None:
            yield _finding(ground, said, product, f"{said.value} names hardware of {owner(product)}")


def _finding(ground: Ground, said: Said, row: Row, reason: str) -> Finding:
    with_counterpart = f", such as {row.counterpart}" if row.counterpart else ""
    remedy = f"Choose nodes by a label of the {target_vendor(ground)} nodes{with_counterpart}, or by a neutral one."
    return literal(RULE, said, row, reason, remedy, avoided(said))


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  nodeSelector: {%s}
  containers: [{name: main, image: "python:3.12"}]
"""

RULE = Rule(
    id="NOD001",
    name="node-selection-on-vendor",
    class_="NODE",
    why="A selector on another vendor's label or product matches no node of the target: the pod stays pending.",
    fix="Select by the target's labels, or by one that both kinds of nodes carry.",
    references=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/",
        "https://instinct.docs.amd.com/projects/gpu-operator/",
    ),
    reads=("node selectors, affinity, flavors and hints",),
    examples=(
        Example("hit", "NVIDIA's label", _POD % "nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3", effect=Effect.CHANGE),
        Example("hit", "a product on a neutral label", _POD % "example.com/gpu-name: Tesla-V100", effect=Effect.CHANGE),
        Example(
            "hit",
            "AMD's label on an NVIDIA target",
            _POD % "amd.com/gpu.family: AI",
            target={"vendor": "nvidia", "part": "h100"},
            effect=Effect.CHANGE,
        ),
        Example(
            "hit",
            "a value that decides, in an expression",
            """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
          - matchExpressions: [{key: karpenter.k8s.aws/instance-category, operator: In, values: [p]}]
  containers: [{name: main, image: "python:3.12"}]
""",
            effect=Effect.CHANGE,
        ),
        Example("miss", "the target's own label", _POD % 'feature.node.kubernetes.io/amd-gpu: "true"'),
        Example("miss", "a host name says nothing of a vendor", _POD % "kubernetes.io/hostname: node-a100-3"),
        Example(
            "unknown",
            "a label that only names a driver",
            _POD % "cloud.google.com/gke-gpu-driver-version: latest",
            effect=Effect.NOTE,
        ),
    ),
    kinds=(SiteKind.NODE,),
    at=at,
    check=check,
)
