"""Assessments in the JSON that scripts rely on (docs/command-line.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from portability import __version__
from portability.engine.model import Assessment, Fact, Finding, ReleaseRef, Resource, Summary, Target
from portability.engine.output.report import Report
from portability.engine.targets import target_to_json

SCHEMA = 1


def identity(workload: str, target: str, rule: str, resource: Resource, path: str) -> str:
    """The stable name of a finding: never by line, never by position where a list item has a key. 32 hex digits."""
    parts = (workload, target, rule, resource.kind, resource.namespace, resource.name, path)
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def finding_to_json(finding: Finding, workload: str, target: str) -> dict[str, Any]:
    """One finding, keys as documented. Without a place: an empty file, line 0, and as path the cell it rests on."""
    place = finding.place
    resource = place.resource if place else Resource()
    path = place.path if place else _subject(finding)
    return {
        "rule": finding.rule,
        "class": finding.class_,
        "effect": finding.effect.value,
        "file": place.file if place else "",
        "line": place.line if place else 0,
        "pointer": place.pointer if place else "",
        "value": finding.value,
        "resource": {"kind": resource.kind, "namespace": resource.namespace, "name": resource.name},
        "path": path,
        "identity": identity(workload, target, finding.rule, resource, path),
        "about": finding.about,
        "reason": finding.reason,
        "remedy": finding.remedy,
        "evidence": [
            {
                "source": e.source,
                "version": e.version,
                "read": e.read.isoformat() if e.read else None,
                "cell": e.cell,
                "value": e.value,
                "link": e.link,
                **({"by": e.by} if e.by else {}),
            }
            for e in finding.evidence
        ],
    }


def _subject(finding: Finding) -> str:
    """What a finding without a place is about: the first cell it rests on tells two of one rule apart."""
    return f"{finding.evidence[0].source}/{finding.evidence[0].cell}" if finding.evidence else ""


def facts_to_summary_json(summary: Summary) -> dict[str, Any]:
    """The judged facts as plain values, each with where it comes from under `origins`."""
    named: dict[str, Fact | None] = {
        "engine": summary.engine,
        "engine_version": summary.engine_version,
        "model": summary.model,
        "model_kind": summary.model_kind,
    }
    return {
        **{name: fact.value if fact else None for name, fact in named.items()},
        "features": [f.name for f in summary.features],
        "gpus_per_replica": summary.gpus_per_replica,
        "replicas": summary.replicas,
        "vendor": summary.vendor,
        "contradictions": list(summary.contradictions),
        "origins": {
            **{name: _origin(fact) for name, fact in named.items() if fact},
            **{f.name: _origin(Fact(f.name, f.origin, f.place)) for f in summary.features},
        },
    }


def _origin(fact: Fact) -> dict[str, Any]:
    place = fact.place
    return {
        "origin": fact.origin,
        "file": place.file if place else "",
        "line": place.line if place else 0,
        "note": fact.note,
    }


def assessment_to_json(name: str, files: Sequence[str], assessment: Assessment, target: Target) -> dict[str, Any]:
    """One workload of the `workloads` list."""
    return {
        "name": name,
        "files": list(files),
        "verdict": assessment.verdict.value,
        "own_verdict": assessment.own_verdict.value,
        "missing": list(assessment.missing),
        "platform_judged": assessment.platform_judged,
        "facts": facts_to_summary_json(assessment.summary),
        "findings": [finding_to_json(f, name, target.name) for f in assessment.findings],
    }


def releases_to_json(releases: Iterable[ReleaseRef]) -> list[dict[str, str]]:
    """The releases an answer rests on, in a stable order."""
    ordered = sorted(set(releases), key=lambda r: (r.source, r.version))
    return [{"source": r.source, "version": r.version, "read": r.read.isoformat()} for r in ordered]


def releases_from_json(stored: Iterable[Mapping[str, str]]) -> list[ReleaseRef]:
    """The same, back from the JSON."""
    return [ReleaseRef(r["source"], r["version"], date.fromisoformat(r["read"])) for r in stored]


def report_to_json(report: Report) -> dict[str, Any]:
    """The whole answer of `portability assess --format json`."""
    target = report.target
    return {
        "schema": SCHEMA,
        "tool": {"name": "portability", "version": __version__},
        "target": target_to_json(target),
        "releases": releases_to_json(r for _, _, a, _ in report.workloads for r in a.releases),
        "workloads": [
            {**assessment_to_json(name, files, a, target), "fragment": fragment}
            for name, files, a, fragment in report.workloads
        ],
    }
