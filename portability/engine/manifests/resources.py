"""Where devices are asked for or shared out: limits and requests, quotas, device classes, profiles, annotations."""

from __future__ import annotations

import re

from portability.engine.manifests.gather import Context
from portability.engine.manifests.nodes import Mapping, Node, Scalar, Sequence, is_null, line_of
from portability.engine.manifests.places import At
from portability.engine.memo import remembered
from portability.engine.model import SiteKind

# Extended resources that hand out no accelerator.
_NO_ACCELERATOR = re.compile(
    r"^hugepages|rdma|roce|hca|sriov|infiniband|mlnx|mlx|hostdev|netdev|\.network\.|sgx|nitro"
    r"|^(?:qat|dsa|iaa|dlb)\.intel\.com/|(?:^|[/_-])(?:ib|v?nics?|efa|eni|kvm|fuse|tun|vhost|ipoib|uverbs|qat)(?:[/_-]|$)"
    r"|^(?:ephemeral-storage|cpu|memory|storage|pods|requests\.|limits\.)|squat\.ai|smarter-devices|networking\.gke\.io"
    r"|kubernetes\.io/(?:batch-cpu|batch-memory)"
)
# Extended resources that say how large a share of a device is, not how many are asked for.
_MEASURES = re.compile(r"gpu-?mem|gpu-?cores|-percentage$|/priority$|/vcuda-", re.IGNORECASE)
_ABSTRACT = frozenset({"gpu", "gpus", "npu", "tpu", "xpu", "accelerator"})
_MIG_PROFILE = re.compile(r"^\d+g\.\d+gb(?:[+-][a-z0-9.+-]+)?$", re.IGNORECASE)
_CLASS_KEYS = re.compile(r"device-?_?class|dra-?_?driver|resource-?_?driver", re.IGNORECASE)
_CEL = re.compile(r"device\.(?:attributes|capacity|driver)\b")
_QUALIFIED = re.compile(r"^(?:[a-z0-9-]+\.)+[a-z]{2,}/[A-Za-z0-9][\w.-]*$")
_MIG_KEY = re.compile(r"^(?:mig_?-?)?profile(?:_?-?name)?$", re.IGNORECASE)
_PARTITION_KEYS = frozenset({"computePartition", "memoryPartition"})
_PROFILE_KEY = re.compile(r"^resource_?-?profile(?:_?name)?$", re.IGNORECASE)
_DRIVERS = frozenset({"driver", "driverName", "matchAttribute", "distinctAttribute"})
# How many replicas there may be: each is worth what one of them asks for.
_BOUNDS = frozenset({"minReplicas", "maxReplicas", "minReplicaCount", "maxReplicaCount"})
_COUNT_KEYS = frozenset({"requestGPU", "gpuCount", "gpu_count", "numGpus", "num_gpus", "gpus", "gpusPerPod"})
_CDI = "cdi.k8s.io/"
# Annotations by which a scheduler hands out a share of a GPU.
_SHARES = frozenset({"gpu-fraction", "gpu-memory"})
_DEVICE_FILE = re.compile(r"/dev/[\w./-]+")
CAPACITY = frozenset({"hard", "capability", "guarantee", "deserved", "quota", "capacity", "guaranteed"})


def is_extended(name: str) -> bool:
    """Whether a key under limits or requests is a device resource or stands for one."""
    return "/" in name or name in _ABSTRACT


def amounts(ctx: Context, role: str, node: Mapping, at: At) -> None:
    """`limits` or `requests`: each extended resource, placed at its quantity with the key's line."""
    found: dict[str, str] = {}
    for name, quantity in node.nodes.items():
        if isinstance(quantity, Mapping):  # some operators have what they do not know in a mapping of its own
            amounts(ctx, role, quantity, at.entry(node, name))
        if not isinstance(quantity, Scalar) or not is_extended(name):
            continue
        ctx.site(SiteKind.RESOURCE, at.entry(node, name), node.line_of(name), quantity.value, key=name, role=role)
        if not _NO_ACCELERATOR.search(name):
            found[name] = quantity.value
    draft = ctx.draft
    if draft is not None and found and not ctx.probe:
        for name, quantity_text in found.items():
            draft.accelerators.setdefault(name, quantity_text)
        draft.gpus = max(draft.gpus, _count(found))


def _count(asked: dict[str, str]) -> int:
    """How many devices quantities come to: a share of a device, whatever its size, is of one."""
    counts = [whole(quantity) for name, quantity in asked.items() if not _MEASURES.search(name)]
    return sum(counts) if counts else int(any(whole(quantity) for quantity in asked.values()))


def whole(text: str) -> int:
    """A whole number, or none at all."""
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def quotas(ctx: Context, name: str, node: Node, at: At) -> bool:
    """Where capacity is shared out by name. Whether that was it."""
    if name == "coveredResources" and isinstance(node, Sequence):
        for n, item in enumerate(node.items):
            if isinstance(item, Scalar):
                ctx.site(SiteKind.QUOTA, at.item(node, n), line_of(item), item.value, role="covered")
        return True
    if name in CAPACITY and isinstance(node, Mapping):
        _named_amounts(ctx, name, node, at)
        return True
    if name == "limits" and isinstance(node, Sequence):  # LimitRange
        for n, item in enumerate(node.items):
            if isinstance(item, Mapping):
                for part, value in item.nodes.items():
                    if isinstance(value, Mapping):
                        _named_amounts(ctx, part, value, at.item(node, n).entry(item, part))
        return True
    if name == "resources" and isinstance(node, Sequence):  # Kueue's flavors
        named = [(n, i) for n, i in enumerate(node.items) if isinstance(i, Mapping) and "nominalQuota" in i.nodes]
        for n, item in named:
            child = item.nodes.get("name")
            if isinstance(child, Scalar):
                here = at.item(node, n).entry(item, "name")
                ctx.site(SiteKind.QUOTA, here, line_of(child), child.value, role="flavor")
        mapped = [(n, i) for n, i in enumerate(node.items) if isinstance(i, Mapping) and "deviceClassNames" in i.nodes]
        for n, item in mapped:
            child = item.nodes.get("name")
            if isinstance(child, Scalar) and "." in child.value:
                here = at.item(node, n).entry(item, "name")
                ctx.site(SiteKind.DEVICE_CLASS, here, line_of(child), child.value, role="flavor")
        return bool(named)
    return False


def _named_amounts(ctx: Context, role: str, node: Mapping, at: At) -> None:
    for key, quantity in node.nodes.items():
        if isinstance(quantity, Scalar) and "/" in key:
            name = key.removeprefix("requests.").removeprefix("limits.")
            ctx.site(SiteKind.QUOTA, at.entry(node, key), node.line_of(key), name, key=quantity.value, role=role)


def cel(ctx: Context, name: str, node: Scalar, at: At) -> bool:
    """An expression over the attributes of devices, of one line or more. Whether it was one."""
    if "device." not in node.value or not _CEL.search(node.value):
        return False
    ctx.lines(SiteKind.DEVICE_CLASS, at, node, role=name)
    return True


def device_scalar(ctx: Context, name: str, node: Scalar, at: At) -> bool:
    """A scalar that names a device class, a profile, a resource or a count of devices. Whether it was one."""
    value = node.value.strip()
    if not value or is_null(node):
        return False
    if is_qualified(name):
        return _amount(ctx, name, value, at)
    names = _named_by(name)
    if names == "class" or (name in _DRIVERS and "." in value):
        ctx.lines(SiteKind.DEVICE_CLASS, at, node, role=name)
        return True
    if names == "mig":
        return mig_profile(ctx, value, at, line_of(node))
    if names == "partition":
        ctx.site(SiteKind.QUOTA, at, line_of(node), value, role="partition")
        return True
    if names == "profile":
        ctx.site(SiteKind.QUOTA, at, line_of(node), value, role="profile")
        profile, _, count = value.rpartition(":")
        if ctx.draft is not None and "cpu" not in (profile or value).lower():
            ctx.draft.gpus = max(ctx.draft.gpus, whole(count) or 1)
        return True
    if name in _BOUNDS:
        if ctx.kind and value.isdecimal() and len(value) < 9:
            ctx.site(SiteKind.QUOTA, at, line_of(node), name, key=value, role="bound")
        return False
    if name in _COUNT_KEYS:
        if ctx.draft is not None:
            ctx.draft.gpus = max(ctx.draft.gpus, whole(value))
        return False
    if "/" in value and _QUALIFIED.match(value):
        ctx.site(SiteKind.QUOTA, at, line_of(node), value, role=name)
        return True
    return False


def is_qualified(name: str) -> bool:
    """Whether a field is named as an extended resource is, by its vendor's domain."""
    return "/" in name and bool(_QUALIFIED.match(name))


def _amount(ctx: Context, name: str, value: str, at: At) -> bool:
    """A count of a resource under a name of the chart's own: `gpuResources: {vendor.com/gpu: 1}`."""
    owner = at.owner
    if not isinstance(owner, Mapping) or not (value.isdecimal() or value.startswith(("{{", "$"))):
        return False
    ctx.site(SiteKind.RESOURCE, at, owner.line_of(name), value, key=name, role="limits")
    return True


def names_devices(name: str) -> bool:
    """Whether a field's name says that its value names or counts devices."""
    return bool(_named_by(name)) or name in _DRIVERS or name in _COUNT_KEYS or name in _BOUNDS


@remembered
def _named_by(name: str) -> str:
    """What a field's name says that its value names: a device class, a profile, or nothing of the kind."""
    if _CLASS_KEYS.search(name):
        return "class"
    if _MIG_KEY.match(name):
        return "mig"
    return "profile" if _PROFILE_KEY.match(name) else "partition" if name in _PARTITION_KEYS else ""


def mig_profile(ctx: Context, profile: str, at: At, line: int, count: str = "") -> bool:
    """A MIG profile by its own name, which is a resource's but for the prefix. Whether it was one."""
    profile = profile.removeprefix("mig-").removeprefix("MIG-")
    if not _MIG_PROFILE.match(profile):
        return False
    ctx.site(SiteKind.RESOURCE, at, line, count, key=f"nvidia.com/mig-{profile}", role="profile")
    return True


def mig_profiles(ctx: Context, node: Mapping, at: At) -> None:
    """Into which profiles GPUs are to be cut, by nvidia-mig-parted's configuration: a profile and how many of it."""
    for name, count in node.nodes.items():
        if isinstance(count, Scalar):
            mig_profile(ctx, name, at.entry(node, name), node.line_of(name), count.value)


def annotation(ctx: Context, name: str, node: Scalar, at: At) -> None:
    """An annotation that carries a device class, a selector, resource names, devices, or a share of one."""
    if (
        ("dra" in name and ("class" in name or "selector" in name))
        or _CLASS_KEYS.search(name)
        or _CEL.search(node.value)
    ):
        ctx.lines(SiteKind.DEVICE_CLASS, at, node, role="annotation")
        ctx.hint("dra", node.value, at, line_of(node))
        return
    value = node.value.strip()
    if value.startswith("[") or _QUALIFIED.match(value) or name.startswith(_CDI):
        for line, text in ctx.scope.source.of(node):
            for item in re.findall(r"[A-Za-z0-9.-]+\.[a-z]{2,}/[\w.-]+", text):
                ctx.site(SiteKind.QUOTA, at, line, item, role="annotation")
    elif name in _SHARES:
        ctx.site(SiteKind.QUOTA, at, line_of(node), name, key=value, role="annotation")
    if "/dev/" in value:
        for line, text in ctx.scope.source.of(node):
            for path in _DEVICE_FILE.findall(text):
                ctx.site(SiteKind.PATH, at, line, path, role="host")
