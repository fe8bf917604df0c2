"""Judging a small manifest with the whole engine, for the tests of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from portability.engine.assess import assess
from portability.engine.declared import parse_declared
from portability.engine.manifests import read_facts
from portability.engine.matrices.shipped import knowledge
from portability.engine.model import Assessment, Finding
from portability.engine.targets import parse_target, shipped_targets
from portability.engine.vendor_rows.rows import VendorRows

NVIDIA = {"vendor": "nvidia", "part": "h100"}


def judge(
    manifest: str = "",
    *,
    workload: Mapping[str, Any] | None = None,
    target: Mapping[str, Any] | None = None,
    rows: VendorRows | None = None,
) -> Assessment:
    """A manifest and declared facts against mi300x-single, or h100 where the changes name NVIDIA."""
    changes = dict(target or {})
    base = shipped_targets()["h100" if changes.get("vendor") == "nvidia" else "mi300x-single"]
    return assess(
        read_facts([("example.yaml", manifest)] if manifest else []),
        parse_declared({"name": "example", **(workload or {})}, "example"),
        parse_target({**base, **changes}, "example"),
        knowledge(),
        rows,
        registered=not manifest,
    )


def found(rule: str, manifest: str = "", **given: Any) -> list[Finding]:
    """The findings of one rule."""
    return [finding for finding in judge(manifest, **given).findings if finding.rule == rule]
