"""What decisions and waivers hang on: a finding's identity and cause, and what is decided of several. Pure.

A finding here is what an assessment stores (the command line's JSON). Lines, files and pointers play no part, so that
what is only written otherwise stays the same; neither do the names of workload and target, which may be renamed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from portability.engine.assess import verdict_of
from portability.engine.model import Effect, Resource, Verdict
from portability.engine.output.json import identity

Finding = Mapping[str, Any]


def key(finding: Finding) -> str:
    """Which finding it is: rule, resource and path, list items named where they have a name. 32 hex digits."""
    return identity("", "", finding["rule"], Resource(**finding["resource"]), finding["path"])


def cause(finding: Finding) -> dict[str, Any]:
    """What it was found for: the value, the effect, and what the cited cells said. Not by which version or when."""
    cells = sorted({(e["source"], e["cell"], e["value"]) for e in finding["evidence"]})
    return {"value": finding["value"], "effect": finding["effect"], "cells": [list(cell) for cell in cells]}


def mark(finding: Finding) -> str:
    """A finding together with its cause, to name it in a form: 64 hex digits. Another cause is another mark."""
    return _digest([key(finding), cause(finding)])


def waiver_mark(identity: str, cause: Any) -> str:
    """The mark of the finding that a waiver was given for (`Waiver.identity`, `Waiver.cause`)."""
    return _digest([identity, cause])


def where(finding: Finding) -> str:
    """Resource and path in words: `Deployment chat-assistant, spec/template/…/containers[vllm]/image`."""
    resource = " ".join(part for part in (finding["resource"]["kind"], finding["resource"]["name"]) if part)
    path = in_words(finding["path"].lstrip("/"))
    return ", ".join(part for part in (resource, path) if part) or f"({finding['about']})"


def in_words(path: str) -> str:
    """A path with its names as they stand in the manifest: `nvidia.com/gpu`, not `nvidia.com~1gpu`."""
    return path.replace("~1", "/").replace("~0", "~")


def about_target(finding: Finding) -> bool:
    """Whether it is about the target alone: every workload inherits it, and it is waived once, on the target."""
    return bool(finding["about"] == "target")


def counting(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that make a verdict: all but notes."""
    return [f for f in findings if f["effect"] != Effect.NOTE]


def basis(verdict: str, findings: Iterable[Finding], missing: Sequence[str]) -> str:
    """A digest of what a decision is made on: the verdict, the findings that count with their causes, what is missing.

    What is missing counts by whether anything is: its words name lines.
    """
    return _digest([verdict, sorted({mark(f) for f in counting(findings)}), bool(missing)])


def waived_verdict(findings: Iterable[Finding], missing: Sequence[str], waived: Collection[str]) -> str:
    """The engine's verdict with the findings of these marks counted as notes.

    A waived `blocks` never makes a workload movable by itself: at best it needs change.
    """
    effects: set[Effect] = set()
    blocking = False
    for finding in findings:
        if mark(finding) not in waived:
            effects.add(Effect(finding["effect"]))
        elif finding["effect"] == Effect.BLOCKS:
            blocking = True
    verdict = verdict_of(effects, bool(missing))
    if verdict is Verdict.MOVABLE and blocking:
        verdict = Verdict.NEEDS_CHANGE
    return verdict.value


def _digest(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
