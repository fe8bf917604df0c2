"""Target files: text from outside to a `Target`, and the targets that ship with the product.

What a target leaves out, or sets to null, is not known; the rules then ask to confirm it and never assume it. How
devices are named and handed out, and who manages the driver, start from the documented defaults instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from portability.engine.errors import InputError
from portability.engine.input_files import parse_mapping
from portability.engine.model import OperatingSystem, Target, Vendor
from portability.engine.shipped_files import load

FOLDER = Path(__file__).parent / "data" / "targets"
DEFAULT = "mi300x-single"
MAX_DEVICE_CONFIG = 1_000_000  # bytes; a DeviceConfig is a page of text
_OS_NAMES = {  # as people write them -> as the matrices do
    "oracle": "oracle-linux",
    "oraclelinux": "oracle-linux",
    "ol": "oracle-linux",
    "rocky": "rocky-linux",
    "rockylinux": "rocky-linux",
    "redhat": "rhel",
    "red-hat": "rhel",
    "red-hat-enterprise-linux": "rhel",
    "suse": "sles",
    "sle": "sles",
    "coreos": "rhcos",
    "red-hat-coreos": "rhcos",
}


def parse_target(data: Mapping[str, Any], where: str, folder: Path | None = None) -> Target:
    """A target from a file's mapping. `folder`: where a `device_config` path is looked up; None allows no path.

    Raises InputError, naming `where`, on anything that is not a target.
    """
    if not isinstance(data, Mapping):
        raise InputError(where, 0, "a target is a mapping of keys such as name, vendor and part")
    given = {key: value for key, value in data.items() if value is not None}
    unknown = sorted(str(key) for key in given if key not in _READERS)
    if unknown:
        raise InputError(where, 0, f"unknown key {unknown[0]}; a target knows {', '.join(_READERS)}")
    for key in ("name", "vendor", "part"):
        if given.get(key, "") == "":
            raise InputError(where, 0, f"{key} is missing")
    values: dict[str, Any] = {}
    for key, value in given.items():
        try:
            values[key] = _READERS[key](value)
        except _Wrong as wrong:
            raise InputError(where, 0, f"{key}{wrong}") from None
    if isinstance(values.get("device_config"), str):
        values["device_config"] = _device_config(values["device_config"], where, folder)
    target = Target(**values)
    return replace(target, part=target.part.lower())


def target_to_json(target: Target) -> dict[str, Any]:
    """The target in the form of a target file; what is not known is left out."""
    shown: dict[str, Any] = {}
    for item in fields(target):
        value = getattr(target, item.name)
        if value is None or value == "" or (value in ((), {}) and item.name not in ("partitions", "feature_gates")):
            continue
        if isinstance(value, OperatingSystem):
            value = {k: v for k in ("family", "version", "kernel") if (v := getattr(value, k))}
        elif isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, Mapping):
            value = dict(value)
        elif isinstance(value, Vendor):
            value = value.value
        if value in ({}, []):
            continue
        shown[item.name] = value
    return shown


@cache
def shipped_targets() -> dict[str, dict[str, Any]]:
    """The shipped targets by name, the default one first, each in the form of a target file."""
    found = {}
    for path in sorted(FOLDER.glob("*.yaml"), key=lambda p: (p.stem != DEFAULT, p.stem)):
        found[path.stem] = load(path)
    return found


class _Wrong(Exception):
    """What is wrong with a value, said after its key."""


def _text(value: Any) -> str:
    """Text. A number without quotes is taken where nothing can be lost: 1.33 is clear, 1.3 may have been 1.30."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _Wrong(f" must be text, not {_kind(value)}")
    if isinstance(value, float) and not re.fullmatch(r"\d+\.\d{2,}", str(value)):
        raise _Wrong(f': write it in quotes, "{value}" (a number loses the zero of 1.30)')
    text = str(value).strip()
    if len(text) > 200:
        raise _Wrong(" is longer than 200 characters")
    return text


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Wrong(f" must be true or false, not {_kind(value)}")
    return value


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _Wrong(" must be a whole number, 0 or more")
    return value


def _size(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
        raise _Wrong(" must be a number of gigabytes above 0")
    return float(value)


def _one_of(*allowed: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value.strip().lower() not in allowed:
            raise _Wrong(f" must be one of {', '.join(allowed)}")
        return value.strip().lower()

    return read


def _vendor(value: Any) -> Vendor:
    return Vendor(_one_of("amd", "nvidia")(value))


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _Wrong(f" must be a mapping, not {_kind(value)}")
    return value


def _system(value: Any) -> OperatingSystem:
    known = ("family", "version", "kernel")
    given = {key: item for key, item in _mapping(value).items() if item is not None}
    for key in given:
        if key not in known:
            raise _Wrong(f": unknown key {key}; an operating system has {', '.join(known)}")
    texts = {}
    for key, item in given.items():
        try:
            texts[key] = _text(item)
        except _Wrong as wrong:
            raise _Wrong(f".{key}{wrong}") from None
    if not texts.get("family"):
        raise _Wrong(".family is missing")
    family = texts["family"].lower().replace("_", "-").replace(" ", "-")
    return OperatingSystem(_OS_NAMES.get(family, family), texts.get("version", ""), texts.get("kernel", ""))


def _counts(value: Any) -> dict[str, int]:
    counts = {}
    for key, item in _mapping(value).items():
        number = int(item) if isinstance(item, str) and item.isdecimal() else item
        try:
            counts[_text(key)] = _count(number)
        except _Wrong as wrong:
            raise _Wrong(f".{key}{wrong}") from None
    return counts


def _partitions(value: Any) -> dict[str, int]:
    styles = {style.lower().replace("-", "_"): count for style, count in _counts(value).items()}
    for style in styles:
        compute, _, memory = style.partition("_")
        if not (compute.isalpha() and memory.startswith("nps") and memory[3:].isdecimal()):
            raise _Wrong(f": {style} is not a partition style; write it like cpx_nps4")
    return styles


def _labels(value: Any) -> dict[str, str]:
    labels = {}
    for key, item in _mapping(value).items():
        labels[str(key)] = str(item).lower() if isinstance(item, bool) else str(item)
    return labels


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise _Wrong(" must be a list of texts")
    return tuple(item.strip() for item in value)


def _object_or_path(value: Any) -> str | Mapping[str, Any]:
    if isinstance(value, str):
        return value
    return dict(_mapping(value))


def _kind(value: Any) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list" if isinstance(value, list | tuple) else f"{value!r}"[:60]


def _device_config(name: str, where: str, folder: Path | None) -> Mapping[str, Any]:
    """The object in a file beside the target's own, and nowhere else."""
    if folder is None:
        raise InputError(where, 0, "device_config must be the object itself here, not the name of a file")
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise InputError(where, 0, f"device_config {name} lies outside the target file's folder")
    try:
        if path.stat().st_size > MAX_DEVICE_CONFIG:
            raise InputError(where, 0, f"device_config {name} is larger than {MAX_DEVICE_CONFIG:,} bytes")
        raw = path.read_bytes()
    except OSError as problem:
        raise InputError(where, 0, f"device_config {name} cannot be read: {problem.strerror}") from None
    document = parse_mapping(raw, name)
    if document.get("kind") != "DeviceConfig":
        raise InputError(name, 0, "not a DeviceConfig; give one object of that kind")
    return document


_READERS: dict[str, Callable[[Any], Any]] = {
    "name": _text,
    "vendor": _vendor,
    "part": _text,
    "os": _system,
    "rocm": _text,
    "amdgpu": _text,
    "cuda": _text,
    "driver": _text,
    "kubernetes": _text,
    "openshift": _text,
    "operator": _text,
    "driver_managed": _flag,
    "resource_naming": _one_of("single", "mixed"),
    "gpus_per_node": _count,
    "partitions": _partitions,
    "allocation": _one_of("device-plugin", "dra"),
    "feature_gates": _texts,
    "metrics_exporter": _flag,
    "advertises": _counts,
    "device_memory_gb": _size,
    "node_labels": _labels,
    "taints": _texts,
    "device_config": _object_or_path,
}
