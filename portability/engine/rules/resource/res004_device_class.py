"""RES004: a device class, driver or selector of dynamic resource allocation that belongs to another vendor."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Example, Ground, Rule, Said
from portability.engine.rules.foreign import foreign, literal, owner
from portability.engine.vendor_rows.rows import Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """Claims, claim templates, classes, expressions and the annotations that carry them."""
    row = foreign(ground, Table.DEVICE_CLASSES, said.value)
    if row is not None:
        counterpart = row.counterpart or "the target's device class"
        remedy = f"Claim devices of {counterpart}, and write its selectors with that driver's attributes."
        yield literal(RULE, said, row, f"The claim names a device class or driver of {owner(row)}", remedy)
    elif said.role == "deviceClassName" and ground.rows.find(Table.DEVICE_CLASSES, said.value) is None:
        yield RULE.finding(
            Effect.NOTE,
            f"Which vendor serves the device class {said.value} cannot be told from its name.",
            "Look which driver its DeviceClass selects.",
            value=said.value,
        )


_CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one}
spec:
  spec:
    devices:
      requests:
        - {name: gpu, exactly: {deviceClassName: %s}}
"""

RULE = Rule(
    id="RES004",
    name="device-class-of-other-vendor",
    class_="RESOURCE",
    why="A claim on another vendor's device class is never allocated on the target.",
    fix="Claim the target's device class; write selectors with the attributes that its driver publishes.",
    references=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
        "https://github.com/ROCm/k8s-gpu-dra-driver",
    ),
    reads=("device classes, CEL selectors, and annotations that carry them",),
    examples=(
        Example("hit", "NVIDIA's class", _CLAIM % "gpu.nvidia.com", effect=Effect.CHANGE),
        Example(
            "hit",
            "AMD's class on an NVIDIA target",
            _CLAIM % "gpu.amd.com",
            target={"vendor": "nvidia", "part": "h100"},
            effect=Effect.CHANGE,
        ),
        Example("miss", "the target's own class", _CLAIM % "gpu.amd.com"),
        Example("unknown", "a class whose name says nothing", _CLAIM % "large-accelerator", effect=Effect.NOTE),
    ),
    kinds=(SiteKind.DEVICE_CLASS,),
    at=at,
)
