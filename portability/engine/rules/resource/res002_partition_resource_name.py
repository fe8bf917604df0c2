"""RES002: a share of a device asked for by a name that the target's nodes do not advertise."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Example, Ground, Rule, Said
from portability.engine.rules.resource.advertised import advertised, unserved
from portability.engine.vendor_rows.rows import Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """MIG profiles, time-sliced shares, and compute partitions."""
    given = advertised(ground)
    row = ground.rows.find(Table.RESOURCES, said.key)
    if row is not None and row.traits and said.key not in given:
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
    id="RES002",
    name="partition-resource-name",
    class_="RESOURCE",
    why="MIG slices, shared GPUs and compute partitions have names of their own, and differ in size between vendors.",
    fix="Ask for what the target advertises, and size it anew: memory and compute of one device there.",
    references=(
        "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/",
        "https://instinct.docs.amd.com/projects/k8s-device-plugin/",
    ),
    reads=("resource keys in limits and requests", "the target's naming, partitions and observed resources"),
    examples=(
        Example("hit", "a MIG profile", _POD % "nvidia.com/mig-1g.10gb: 1", effect=Effect.CHANGE),
        Example("hit", "a shared GPU", _POD % "nvidia.com/gpu.shared: 1", effect=Effect.CHANGE),
        Example("hit", "a partition under single naming", _POD % "amd.com/cpx_nps4: 1", effect=Effect.CHANGE),
        Example(
            "miss",
            "the partition that the target advertises",
            _POD % "amd.com/cpx_nps4: 1",
            target={"resource_naming": "mixed", "partitions": {"cpx_nps4": 8}},
        ),
        Example("miss", "a whole device", _POD % "amd.com/gpu: 1"),
        Example("unknown", "a quantity of zero", _POD % "nvidia.com/mig-1g.10gb: 0", effect=Effect.NOTE),
    ),
    kinds=(SiteKind.RESOURCE,),
    at=at,
    asks=advertised,
)
