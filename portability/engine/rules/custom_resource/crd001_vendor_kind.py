"""CRD001: a kind that only another vendor's operator serves."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Example, Ground, Rule, Said
from portability.engine.rules.foreign import foreign, kind_key, literal, owner, target_vendor
from portability.engine.vendor_rows.rows import Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """A kind that runs the workload blocks; the platform's own settings stay behind."""
    row = foreign(ground, Table.KINDS, kind_key(said.key, said.value))
    if row is None:
        return
    if row.effect is Effect.BLOCKS:
        remedy = f"Write it anew with kinds that {target_vendor(ground)} clusters serve, or leave it where it is."
    elif row.counterpart:
        remedy = f"It stays behind; set {row.counterpart} on the target."
    else:
        remedy = f"Confirm what depends on it, and what {target_vendor(ground)} has for the purpose."
    yield literal(RULE, said, row, f"{said.value} ({said.key}) is a kind of {owner(row)}'s", remedy)


_OBJECT = """\
apiVersion: %s
kind: %s
metadata: {name: one}
spec: {}
"""

RULE = Rule(
    id="CRD001",
    name="vendor-custom-resource",
    class_="CRD",
    why="A kind whose operator is not installed is stored at best, and nothing acts on it.",
    fix="Describe the workload with neutral kinds; set up the platform with the target vendor's own.",
    references=(
        "https://docs.nvidia.com/nim-operator/latest/",
        "https://instinct.docs.amd.com/projects/gpu-operator/",
    ),
    reads=("apiVersion and kind of every object",),
    examples=(
        Example(
            "hit",
            "it runs the workload",
            _OBJECT % ("apps.nvidia.com/v1alpha1", "NIMService"),
            effect=Effect.BLOCKS,
        ),
        Example("hit", "settings of the platform", _OBJECT % ("nvidia.com/v1", "ClusterPolicy"), effect=Effect.CHANGE),
        Example(
            "hit",
            "AMD's settings on an NVIDIA target",
            _OBJECT % ("amd.com/v1alpha1", "DeviceConfig"),
            target={"vendor": "nvidia", "part": "h100"},
            effect=Effect.CHANGE,
        ),
        Example("miss", "a neutral kind", _OBJECT % ("serving.kserve.io/v1beta1", "InferenceService")),
        Example(
            "unknown",
            "a kind of NVIDIA's that no row tells more of",
            _OBJECT % ("nvidia.com/v1", "Novelty"),
            effect=Effect.CONFIRM,
        ),
    ),
    kinds=(SiteKind.KIND,),
    at=at,
)
