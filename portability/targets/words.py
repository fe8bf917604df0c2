"""A target in words, for people to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from portability.engine.model import Target, Vendor
from portability.matrices.names import os_name

VENDOR_NAMES = {Vendor.AMD: "AMD", Vendor.NVIDIA: "NVIDIA"}
NOT_KNOWN = "not known"


def os_in_words(target: Target, kernel: bool = True) -> str:
    """`Ubuntu 24.04.4, kernel 6.8`."""
    if target.os is None:
        return NOT_KNOWN
    name = f"{os_name(target.os.family)} {target.os.version}".strip()
    return f"{name}, kernel {target.os.kernel}" if kernel and target.os.kernel else name


def runtime_in_words(target: Target) -> str:
    """`ROCm 7.14.0, amdgpu 31.40.1`, or the like for the other vendor."""
    named = [("ROCm", target.rocm), ("amdgpu", target.amdgpu), ("CUDA", target.cuda), ("driver", target.driver)]
    return ", ".join(f"{name} {version}" for name, version in named if version) or NOT_KNOWN


def part_in_words(target: Target) -> str:
    """`AMD MI300X`."""
    return f"{VENDOR_NAMES.get(target.vendor, target.vendor.value)} {target.part.upper()}"


def spec_in_words(target: Target) -> list[tuple[str, str]]:
    """The whole target as pairs of what and how, in the order a reader asks for them."""
    return [
        ("Part", part_in_words(target) + _per_node(target)),
        ("Operating system", os_in_words(target)),
        ("Runtime", runtime_in_words(target)),
        ("Cluster", _cluster(target)),
        ("GPU operator", _operator(target)),
        ("Devices come by", "resource claims (DRA)" if target.allocation == "dra" else "the device plugin"),
        ("Resource naming", target.resource_naming),
        ("Partitions", _counts(target.partitions, "{n} GPUs as {key}") or "none"),
        ("Metrics exporter", {True: "on", False: "off", None: NOT_KNOWN}[target.metrics_exporter]),
        *_observed(target),
    ]


def spec_as_yaml(spec: Mapping[str, Any]) -> str:
    """A target as a target file for the command line."""
    return yaml.safe_dump(dict(spec), sort_keys=False, allow_unicode=True)


def _per_node(target: Target) -> str:
    return f", {target.gpus_per_node} a node" if target.gpus_per_node else ""


def _cluster(target: Target) -> str:
    named = [("Kubernetes", target.kubernetes), ("OpenShift", target.openshift)]
    said = ", ".join(f"{name} {version}" for name, version in named if version) or NOT_KNOWN
    return said + (f", feature gates {', '.join(target.feature_gates)}" if target.feature_gates else "")


def _operator(target: Target) -> str:
    if not target.operator:
        return NOT_KNOWN
    return (
        f"{target.operator}, driver {'managed by the operator' if target.driver_managed else 'installed on the node'}"
    )


def _observed(target: Target) -> list[tuple[str, str]]:
    """What was seen on a real node, where anything was."""
    memory = f"{target.device_memory_gb:g} GB a visible device" if target.device_memory_gb else ""
    labels = ", ".join(f"{key}={value}" for key, value in (target.node_labels or {}).items())
    said = [
        ("Advertised, observed", _counts(target.advertises or {}, "{n} {key}")),
        ("Memory, observed", memory),
        ("Node labels, observed", labels),
        ("Taints", ", ".join(target.taints)),
        ("DeviceConfig", "given" if target.device_config else ""),
    ]
    return [(what, how) for what, how in said if how]


def _counts(counts: Mapping[str, int], form: str) -> str:
    return ", ".join(form.format(n=n, key=key) for key, n in counts.items())
