"""RES001: an accelerator asked for by a name that the target's nodes do not advertise."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Example, Ground, Rule, Said
from portability.engine.rules.resource.advertised import advertised, unserved
from portability.engine.vendor_rows.rows import Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """Whole devices; shares of a device are RES002's."""
    given = advertised(ground)
    row = ground.rows.find(Table.RESOURCES, said.key)
    if row is not None and not row.traits and said.key not in given:
        yield unserved(RULE, ground, given, row, said.key, said.value, said)


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - name: main
      image: python:3.12
      resources: {limits: {%s}}
"""

RULE = Rule(
    id="RES001",
    name="vendor-resource-name",
    class_="RESOURCE",
    why="A pod that asks for a resource no node advertises stays pending for ever.",
    fix="Ask for the name that the target's device plugin advertises under its naming and partitioning.",
    references=(
        "https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/",
        "https://instinct.docs.amd.com/projects/k8s-device-plugin/",
    ),
    reads=("resource keys in limits and requests", "the target's naming, partitions and observed resources"),
    examples=(
        Example("hit", "an NVIDIA name on an AMD target", _POD % "nvidia.com/gpu: 1", effect=Effect.CHANGE),
        Example(
            "hit",
            "the whole GPU's name where partitions have names of their own",
            _POD % "amd.com/gpu: 1",
            target={"resource_naming": "mixed", "partitions": {"cpx_nps4": 8}},
            effect=Effect.CHANGE,
        ),
        Example(
            "hit",
            "a node was seen to advertise none",
            _POD % "amd.com/gpu: 1",
            target={"advertises": {"amd.com/gpu": 0}},
            effect=Effect.CHANGE,
        ),
        Example(
            "hit",
            "an AMD name on an NVIDIA target",
            _POD % "amd.com/gpu: 1",
            target={"vendor": "nvidia", "part": "h100"},
            effect=Effect.CHANGE,
        ),
        Example("miss", "the name that the target advertises", _POD % "amd.com/gpu: 1"),
        Example(
            "miss",
            "a part without partitions keeps its name under mixed naming",
            _POD % "amd.com/gpu: 1",
            target={"part": "mi210", "resource_naming": "mixed"},
        ),
        Example("miss", "a network device is no accelerator", _POD % "rdma/hca_shared_devices: 1"),
        Example(
            "unknown",
            "a quantity of zero asks for nothing, and leaves the name",
            _POD % "nvidia.com/gpu: 0",
            effect=Effect.NOTE,
        ),
    ),
    kinds=(SiteKind.RESOURCE,),
    at=at,
    asks=advertised,
)
