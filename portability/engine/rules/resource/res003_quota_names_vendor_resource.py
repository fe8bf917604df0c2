"""RES003: capacity shared out, or an accelerator chosen, by a vendor's name."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Example, Ground, Rule, Said
from portability.engine.rules.foreign import foreign, literal, owner, target_vendor
from portability.engine.rules.resource.advertised import Advertised, advertised, unserved
from portability.engine.vendor_rows.rows import Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """Quotas, queues and flavors by resource name; profiles and types by vendor or product."""
    finding = _by_resource(ground, advertised(ground), said) if "/" in said.value else _by_type(ground, said)
    if finding is not None:
        yield finding


def _by_resource(ground: Ground, given: Advertised, said: Said) -> Finding | None:
    row = ground.rows.find(Table.RESOURCES, said.value)
    if row is None or said.value in given:
        return None
    return unserved(RULE, ground, given, row, said.value, said.key, said)


def _by_type(ground: Ground, said: Said) -> Finding | None:
    row = foreign(ground, Table.PROFILES, said.value) or foreign(ground, Table.PRODUCTS, said.value)
    if row is None:
        return None
    remedy = f"Choose {row.counterpart or 'the target vendor’s type'} for {target_vendor(ground)}."
    return literal(RULE, said, row, f"{said.value} chooses accelerators of {owner(row)}", remedy)


_QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: gpus}
spec: {hard: {"%s": %s}}
"""

RULE = Rule(
    id="RES003",
    name="quota-names-vendor-resource",
    class_="RESOURCE",
    why="Quotas, queues, flavors and profiles name a vendor's capacity: on the target they share out none.",
    fix="Name the target's resource, flavor or profile beside the old one, so that both vendors can be served.",
    references=(
        "https://kubernetes.io/docs/concepts/policy/resource-quotas/",
        "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/",
    ),
    reads=("quotas, limit ranges, queues, flavors, resource profiles, GPU types, accelerator annotations",),
    examples=(
        Example("hit", "a quota on NVIDIA's name", _QUOTA % ("requests.nvidia.com/gpu", 4), effect=Effect.CHANGE),
        Example(
            "hit",
            "a resource profile of a serving operator",
            "apiVersion: kubeai.org/v1\nkind: Model\nmetadata: {name: chat}\n"
            "spec: {url: 'hf://Qwen/Qwen3-8B', engine: VLLM, resourceProfile: 'nvidia-gpu-l4:1'}\n",
            effect=Effect.CHANGE,
        ),
        Example("miss", "the name that the target advertises", _QUOTA % ("requests.amd.com/gpu", 4)),
        Example("miss", "no accelerator", _QUOTA % ("requests.cpu", 4)),
        Example("unknown", "a quota of none", _QUOTA % ("requests.nvidia.com/gpu", 0), effect=Effect.NOTE),
    ),
    kinds=(SiteKind.QUOTA,),
    at=at,
    asks=advertised,
)
