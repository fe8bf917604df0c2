"""The DeviceConfigs in view: the target's own, and those among a workload's manifests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from portability.engine.model import Place, SiteKind
from portability.engine.rules.asking import has_platform_source
from portability.engine.rules.base import Context


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """One object, with where it stands (None: it is the target's) and what a finding on it is about."""

    name: str
    spec: Mapping[str, Any]
    place: Place | None
    about: str

    def get(self, path: str) -> Any:
        """The value under a dotted path of the spec; None where it is not set."""
        value: Any = self.spec
        for key in path.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        return value

    def on(self, path: str, default: bool) -> bool:
        """A switch, with its documented default where it is not set. Texts count as what they say."""
        value = self.get(path)
        return default if value is None else str(value).lower() == "true"


def device_configs(ctx: Context) -> Iterator[DeviceConfig]:
    """All of them, for a target whose vendor serves the kind."""
    own = ctx.target.device_config
    if not has_platform_source(ctx) or (own is None and not ctx.facts.objects):
        return
    if own is not None:
        yield _read(own, None, "target")
    ours = [item for item in ctx.facts.objects if item.get("kind") == "DeviceConfig" and _ours(item)]
    if not ours:
        return
    places = {(s.place.file, s.place.pointer): s.place for s in ctx.sites(SiteKind.KIND)}
    for item in ours:
        at = item["place"]
        yield _read(item, places.get((at["file"], at["pointer"])), "workload")


def _ours(item: Mapping[str, Any]) -> bool:
    return str(item.get("apiVersion", "")).partition("/")[0] == "amd.com"


def _name(item: Mapping[str, Any]) -> str:
    metadata = item.get("metadata")
    return str(metadata.get("name", "")) if isinstance(metadata, Mapping) else ""


def _read(item: Mapping[str, Any], place: Place | None, about: str) -> DeviceConfig:
    spec = item.get("spec")
    return DeviceConfig(_name(item), spec if isinstance(spec, Mapping) else {}, place, about)
