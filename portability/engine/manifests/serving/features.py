"""Settings to features in use, by the table of flags."""

from __future__ import annotations

import json
from collections.abc import Iterable

from portability.engine.manifests.gather import Setting, kebab
from portability.engine.manifests.serving.rows import FlagRow, flags
from portability.engine.memo import remembered_beside
from portability.engine.model import Feature

_NO = frozenset({"false", "0", "no", "off", "none", "null", "disabled", "~"})
_NO_METHOD = _NO | {"auto", "", "bf16", "bfloat16", "fp16", "float16", "fp32", "float32", "half", "default"}
_PREFIXES = ("vllm-", "sglang-", "tgi-", "engine-")
_OFFLOAD = ("offload", "lmcache", "mooncakestore", "hicache", "cpuconnector", "simplecpu")


def features(found: Iterable[tuple[Setting, bool]]) -> list[Feature]:
    """Each feature once, in order. The flag says whether a setting is a command line's own."""
    out: dict[str, Feature] = {}
    for setting, is_flag in found:
        row = row_of(setting.name, is_flag)
        if row is not None:
            for name in _named(row, setting.value.strip()):
                out.setdefault(name, Feature(name, False, "detected", setting.place))
    # What is switched off and on in one place is on: the worse is judged.
    return [f for f in out.values() if not (f.switched_off and f.name.removesuffix("=false") in out)]


@remembered_beside
def row_of(name: str, is_flag: bool) -> FlagRow | None:
    """What a setting's name says of a feature."""
    table = flags()
    if name.startswith("env:"):
        name = kebab(name[4:].lower())
    row = table.get(name)
    if row is None:
        for prefix in _PREFIXES:
            if name.startswith(prefix):
                row = table.get(name.removeprefix(prefix))
                break
    return None if row is not None and row.flag and not is_flag else row


def _named(row: FlagRow, value: str) -> list[str]:
    """The features that a value of a setting says are in use."""
    low = value.lower()
    if row.only and low not in row.only:
        return []
    if row.form == "switch":
        return [row.feature + ("=false" if low in _NO else "")]
    if row.form == "off":
        return [] if low in _NO else [row.feature + "=false"]
    if row.form == "present":
        return [] if low in _NO or value in ("[]", "{}") else [row.feature]
    if row.form == "value":
        method = low.strip("\"'")
        return [] if method in _NO_METHOD or "$" in method or " " in method else [f"{row.feature}={method}"]
    if row.form == "count":
        count = int(value) if value.isdecimal() and len(value) < 9 else 0
        return [f"{row.feature}={count}"] if count > row.above else []
    if row.form == "positive":
        return [row.feature] if _number(value) > row.above else []
    return _transfer(row.feature, value)


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        return 0.0


def _transfer(feature: str, value: str) -> list[str]:
    """A connector for the KV cache: handed to other instances, or kept beside the device."""
    connectors: list[str] = []
    roles: list[str] = []
    try:
        data = json.loads(value)
    except (ValueError, RecursionError):
        return [feature]
    if not isinstance(data, dict):
        return [feature]
    connectors.append(str(data.get("kv_connector", "")))
    roles.append(str(data.get("kv_role", "")))
    names: list[str] = []
    if any(word in connectors[0].lower() for word in _OFFLOAD):
        names.append("kv-cache-offload")
    elif connectors[0]:
        names.append(f"{feature}={connectors[0]}")
    if roles[0] in ("kv_producer", "kv_consumer"):
        names.append("disaggregated-prefill")
    return names or [feature]
