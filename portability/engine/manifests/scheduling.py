"""Which nodes are chosen: selectors, affinity, flavors and their hints, tolerations, runtime classes."""

from __future__ import annotations

import re

from portability.engine.manifests.gather import Context
from portability.engine.manifests.nodes import Mapping, Node, Scalar, Sequence, is_null, line_of
from portability.engine.manifests.places import At
from portability.engine.memo import remembered_beside
from portability.engine.model import SiteKind

_HINT_KEY = re.compile(
    r"^(?:gpu|accelerator|gpu_?accelerator)_?(?:type|types|product|model|name|sku|kind)s?$|^sku(?:_?hint)?$"
    r"|^(?:instance|machine|node|vm)_?-?types?$|^accelerators?$|^interconnect$|^gpuFamily$|^gpu_family$|^shape$",
    re.IGNORECASE,
)
_MACHINE_PARENT = re.compile(r"^(?:instances?|machine|vm)$")
_FAMILY_KEY = re.compile(r"^machine_?family$", re.IGNORECASE)
# Annotations whose value names the hardware, by the last part of their name.
_HARDWARE = re.compile(
    r"(?:^|[.-])(?:accelerators?|(?:gpu|accelerator)-?(?:type|product|model|name)s?|instance-?type)$"
)
_VENDOR_KEY = re.compile(r"^(?:gpu|accelerator|device)?_?-?vendor$", re.IGNORECASE)
_DEVICE_PARENT = re.compile(r"^(?:gpus?|(?:guest_?|gpu_?)?accelerators?|device)$", re.IGNORECASE)
_LABEL_FIELDS = frozenset({"topologyKey", "nodeLabel"})  # whose value is the key of a label of nodes
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


def spread(ctx: Context, node: Node, at: At) -> None:
    """By which labels of nodes pods are kept together or apart, at any depth below."""
    if isinstance(node, Sequence):
        for n, item in enumerate(node.items):
            spread(ctx, item, at.item(node, n))
    elif isinstance(node, Mapping):
        for name, child in node.nodes.items():
            if not isinstance(child, Scalar):
                spread(ctx, child, at.entry(node, name))
            elif name in _LABEL_FIELDS:
                hint(ctx, name, "", child, at.entry(node, name))


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
    if name in _LABEL_FIELDS:
        ctx.site(SiteKind.NODE, at, line_of(node), "", key=value, role="topology")
        return True
    if _FAMILY_KEY.match(name):
        ctx.site(SiteKind.NODE, at, line_of(node), value, key="cloud.google.com/machine-family", role="hint")
        return True
    kind = SiteKind.QUOTA if value.isalpha() and value.islower() else SiteKind.NODE
    if "/" in value and re.match(r"^(?:[a-z0-9-]+\.)+[a-z]{2,}/", value):
        kind = SiteKind.QUOTA
    if kind is SiteKind.QUOTA:
        ctx.site(kind, at, line_of(node), value, role="gpu-type")
    else:
        ctx.site(kind, at, line_of(node), value, role="hint")
    return True


@remembered_beside
def names_hardware(name: str, parent: str) -> bool:
    """Whether a field's name, under the name above it, says that its value names hardware."""
    under = bool(_DEVICE_PARENT.match(parent))
    return bool(
        _VENDOR_KEY.match(name)
        or (under and name in ("type", "vendor", "kind", "model", "product", "device"))
        or (name == "type" and _MACHINE_PARENT.match(parent))
        or _HINT_KEY.match(name)
        or _FAMILY_KEY.match(name)
        or name in _LABEL_FIELDS
    )


def annotation(ctx: Context, name: str, node: Scalar, at: At) -> None:
    """An annotation by which a scheduler or an operator chooses nodes with some hardware, or shuns them."""
    last, value = name.rpartition("/")[2].lower(), node.value.strip()
    if _HARDWARE.search(last) and value and not is_null(node) and not value.startswith("[") and "/" not in value:
        role = "avoid" if last.startswith("nouse") else "hint"
        ctx.site(SiteKind.NODE, at, line_of(node), value, role=role)


def hardware_counts(ctx: Context, node: Mapping, at: At) -> None:
    """Accelerators by name and count, `L4: 1` or `L4:1`, of which any will do."""
    for name in node.nodes:
        ctx.site(SiteKind.NODE, at.entry(node, name), node.line_of(name), name, role="hint")


def labels_given(ctx: Context, rule: Mapping, at: At) -> None:
    """The labels that a rule gives to nodes, told by what the rule holds beside them (`at` is that step).

    Nobody else looks at labels, so that they are not put together: they are read off as they were composed.
    """
    if at.parent is None:
        return
    here = at.parent.entry(rule, "labels")
    for key, value in rule.pairs:
        if getattr(key, "value", "") == "labels" and isinstance(value.value, list):
            for name, label in (pair for pair in value.value if isinstance(pair, tuple)):
                if isinstance(name, Scalar) and isinstance(label, Scalar):
                    place = here.entry(rule, name.value)
                    ctx.site(SiteKind.NODE, place, line_of(label), label.value, key=name.value, role="flavor")


def features(ctx: Context, node: Sequence, at: At) -> None:
    """What a node's devices and modules have to be for a rule of Node Feature Discovery: one site a value."""
    for n, item in enumerate(node.items):
        feature = item.text("feature") if isinstance(item, Mapping) else ""
        wanted = item.mapping("matchExpressions") if isinstance(item, Mapping) else None
        if feature and wanted is not None and isinstance(item, Mapping):
            here = at.item(node, n).entry(item, "matchExpressions")
            for name, expression in wanted.nodes.items():
                if isinstance(expression, Mapping):
                    _feature(ctx, f"{feature}.{name}", expression, here.entry(wanted, name), wanted.line_of(name))


def _feature(ctx: Context, name: str, node: Mapping, at: At, line: int) -> None:
    role = "avoid" if node.text("op") in _AVOIDS else "feature"
    values = node.nodes.get("value")
    if not isinstance(values, Sequence):
        ctx.site(SiteKind.NODE, at, line, node.text("value"), key=name, role=role)
        return
    for n, value in enumerate(values.items):
        if isinstance(value, Scalar):
            here = at.entry(node, "value").item(values, n)
            ctx.site(SiteKind.NODE, here, line_of(value), value.value, key=name, role=role)


def pci_vendors(ctx: Context, node: Mapping, at: At) -> None:
    """The vendors of a rule in the older form of Node Feature Discovery: `pciId: {vendor: [...]}`."""
    for value in node.sequence("vendor"):
        if isinstance(value, Scalar):
            here = at.entry(node, "vendor")
            ctx.site(SiteKind.NODE, here, line_of(value), value.value, key="pci.device.vendor", role="feature")
