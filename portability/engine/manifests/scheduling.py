"""Which nodes are chosen: selectors, affinity, flavors and their hints, tolerations, runtime classes."""

from __future__ import annotations

import re
from functools import lru_cache

from portability.engine.manifests.gather import Context
from portability.engine.manifests.nodes import Mapping, Node, Scalar, Sequence, is_null, line_of
from portability.engine.manifests.places import At
from portability.engine.model import SiteKind

_HINT_KEY = re.compile(
    r"^(?:gpu|accelerator|gpu_?accelerator)_?(?:type|types|product|model|name|sku|kind)s?$|^sku(?:_?hint)?$"
    r"|^(?:instance|machine|node|vm)_?-?types?$|^accelerators?$|^interconnect$|^gpuFamily$|^gpu_family$|^shape$",
    re.IGNORECASE,
)
_VENDOR_KEY = re.compile(r"^(?:gpu|accelerator|device)?_?-?vendor$", re.IGNORECASE)
_DEVICE_PARENT = re.compile(r"^(?:gpu|accelerator|gpus|accelerators|device)$", re.IGNORECASE)
_WHERE_ONLY = frozenset(
    {"metadata.name", "kubernetes.io/hostname", "topology.kubernetes.io/zone", "topology.kubernetes.io/region"}
)


_AVOIDS = frozenset({"NotIn", "DoesNotExist"})


def selector(ctx: Context, node: Mapping, at: At, role: str) -> None:
    """Labels a node must have: one site an entry."""
    for name, value in node.nodes.items():
        if isinstance(value, Scalar):
            ctx.site(SiteKind.NODE, at.entry(node, name), line_of(value), value.value, key=name, role=role)
        elif isinstance(value, Sequence):
            expressions(ctx, value, at.entry(node, name), role)


def expressions(ctx: Context, node: Node, at: At, role: str = "affinity") -> None:
    """Requirements on node labels at any depth below. The label and each of its values are sites of their own."""
    if isinstance(node, Sequence):
        for n, item in enumerate(node.items):
            expressions(ctx, item, at.item(node, n), role)
        return
    if not isinstance(node, Mapping):
        return
    key = node.nodes.get("key")
    if not isinstance(key, Scalar):
        for name, child in node.nodes.items():
            if (name != "preference" and not isinstance(child, Scalar)) or isinstance(child, Mapping):
                expressions(ctx, child, at.entry(node, name), role)
        return
    if node.text("operator") in _AVOIDS:
        role = "avoid"
    ctx.site(SiteKind.NODE, at.entry(node, "key"), line_of(key), "", key=key.value, role=role)
    values = node.nodes.get("values")
    if isinstance(values, Sequence) and key.value not in _WHERE_ONLY:
        here = at.entry(node, "values")
        for n, value in enumerate(values.items):
            if isinstance(value, Scalar):
                ctx.site(SiteKind.NODE, here.item(values, n), line_of(value), value.value, role=role)


def tolerations(ctx: Context, node: Sequence, at: At) -> None:
    """Tolerations and taints, by the taint's key."""
    for n, item in enumerate(node.items):
        if isinstance(item, Mapping):
            toleration(ctx, item, at.item(node, n))


def toleration(ctx: Context, node: Mapping, at: At) -> None:
    """One of them."""
    key = node.nodes.get("key")
    if isinstance(key, Scalar) and key.value:
        ctx.site(SiteKind.TOLERATION, at.entry(node, "key"), line_of(key), key.value)


def hint(ctx: Context, name: str, parent: str, node: Scalar, at: At) -> bool:
    """A field that names hardware: a vendor is shared-out capacity, anything else a product. Whether it was one."""
    if not names_hardware(name, parent):
        return False
    value = node.value.strip()
    if not value or is_null(node) or value.isdigit() or value.lower() in ("true", "false"):
        return False
    kind = SiteKind.QUOTA if value.isalpha() and value.islower() else SiteKind.NODE
    if "/" in value and re.match(r"^(?:[a-z0-9-]+\.)+[a-z]{2,}/", value):
        kind = SiteKind.QUOTA
    if kind is SiteKind.QUOTA:
        ctx.site(kind, at, line_of(node), value, role="gpu-type")
    else:
        ctx.site(kind, at, line_of(node), value, role="hint")
    return True


@lru_cache(maxsize=8_192)
def names_hardware(name: str, parent: str) -> bool:
    """Whether a field's name, under the name above it, says that its value names hardware."""
    under = bool(_DEVICE_PARENT.match(parent))
    return bool(_VENDOR_KEY.match(name) or (under and name in ("type", "vendor", "kind")) or _HINT_KEY.match(name))
