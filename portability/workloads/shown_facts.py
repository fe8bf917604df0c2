"""The judged facts of a workload as pages show them: in words, with where each comes from.

Both a preview and a stored assessment give them in the form of the command line's JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from portability.workloads.findings import Address

_ORIGINS = {
    "detected": "from the manifests",
    "inferred": "from the model's name",
    "declared": "declared by the team",
    "assumed": "assumed",
}
_FACTS = (
    ("Engine", "engine"),
    ("Engine version", "engine_version"),
    ("Model", "model"),
    ("Model kind", "model_kind"),
    ("GPUs per replica", "gpus_per_replica"),
    ("Replicas", "replicas"),
)
_DECLARED_ONLY = (
    ("Memory per replica", "memory_gb", "GB"),
    ("Parameters", "parameters_b", "billion"),
    ("Data type", "dtype", ""),
)


@dataclass(frozen=True, slots=True)
class ShownFact:
    """One fact in words, with where it comes from."""

    label: str
    value: str
    origin: str
    file: str = ""
    line: int = 0
    note: str = ""
    link: str = ""

    @property
    def where(self) -> str:
        """`serving.yaml:38`; "" for what stands in no manifest."""
        return f"{self.file}:{self.line}" if self.line else ""


def facts(summary: Mapping[str, Any], declared: Mapping[str, Any], address: Address) -> list[ShownFact]:
    """The facts that manifests show or a team declares, those that are not known included."""
    origins = summary["origins"]
    return [_fact(label, summary[name], origins.get(name), name in declared, address) for label, name in _FACTS]


def declared_only(declared: Mapping[str, Any]) -> list[ShownFact]:
    """The facts that no manifest tells, as far as the team declared them."""
    return [
        ShownFact(label, f"{_number(declared[name])} {unit}".strip(), _ORIGINS["declared"])
        for label, name, unit in _DECLARED_ONLY
        if declared.get(name)
    ]


def features(summary: Mapping[str, Any], declared: Mapping[str, Any], address: Address) -> list[ShownFact]:
    """Every feature in use, each once; the label says which the workload cannot do without."""
    required = {f["name"] for f in declared.get("features", []) if not isinstance(f, str) and f.get("required")}
    origins = summary["origins"]
    return [
        _fact("required" if name in required else "", name, origins.get(name), True, address)
        for name in summary["features"]
    ]


def _fact(label: str, value: Any, origin: Mapping[str, Any] | None, declared: bool, address: Address) -> ShownFact:
    if value is None:
        return ShownFact(label, "", "")
    if origin is None:
        return ShownFact(label, str(value), _ORIGINS["declared" if declared else "detected"])
    file, line = origin["file"], origin["line"]
    where = _ORIGINS.get(origin["origin"], origin["origin"])
    return ShownFact(label, str(value), where, file, line, origin["note"], address(file, line) if line else "")


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
