"""Assessments as SARIF 2.1.0, in the part of it that GitHub code scanning reads (docs/command-line.md).

One result a finding. A finding of a workload that has no line (it rests on a declared fact) stands at the first line
of the file that declares it; one of the target, which all workloads share, is one result at the first line of the
target's file. Where there is no such file, both stand at the first line of a manifest. What is no more than a note on
the target, what could not be read, and what was left out are notifications of the run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from portability import __version__
from portability.engine.custom_rules.rule import CLASS as CUSTOM
from portability.engine.manifests.decode import to_text
from portability.engine.manifests.limits import LimitError
from portability.engine.model import Effect, Finding
from portability.engine.output.json import finding_to_json, releases_to_json
from portability.engine.output.report import Judged, Report, Unusable
from portability.engine.rules import catalogue
from portability.engine.rules.base import Rule
from portability.engine.targets import target_to_json

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_RESULTS = 25_000  # GitHub refuses a file that holds more, and shows 5,000 of them
_LONGEST = 1_000  # characters of a description: GitHub takes 1,024
LEVEL = {Effect.BLOCKS: "error", Effect.CHANGE: "warning", Effect.CONFIRM: "warning", Effect.NOTE: "note"}
_SEVERITY = {"error": "error", "warning": "warning", "note": "recommendation"}
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")  # where the reader of manifests counts a line


class _Said(NamedTuple):
    """A finding, of which workload, and where it is shown."""

    finding: Finding
    judged: Judged
    file: str
    line: int


def report_to_sarif(report: Report) -> dict[str, Any]:
    """The whole answer of `portability assess --format sarif`: one run."""
    said = sorted(_said(report), key=lambda each: list(Effect).index(each.finding.effect))
    kept, left_out = said[:MOST_RESULTS], len(said) - MOST_RESULTS
    notes = [_unreadable(report, each) for each in report.unusable]
    notes += [_notification("note", f.reason, f) for f in _notes_on_target(report)]
    if left_out > 0:
        notes.append(_notification("warning", f"{left_out:,} findings are left out: a run holds {MOST_RESULTS:,}."))
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(report)},
                "automationDetails": {"id": f"portability/{report.target.name}/"},
                "invocations": [
                    {
                        "executionSuccessful": not report.unusable,
                        "exitCode": report.status,
                        "toolExecutionNotifications": notes,
                    }
                ],
                "columnKind": "unicodeCodePoints",
                "results": _results(report, kept),
                "properties": {
                    "target": target_to_json(report.target),
                    "releases": releases_to_json(r for _, _, a, _ in report.workloads for r in a.releases),
                    "workloads": [_workload(each) for each in report.workloads],
                },
            }
        ],
    }


def _driver(report: Report) -> dict[str, Any]:
    return {
        "name": "portability",
        "semanticVersion": __version__,
        "shortDescription": {"text": "Could this GPU workload move to another vendor?"},
        "rules": [*map(_rule, catalogue.listed()), *map(_own_rule, _own(report))],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    level = LEVEL[rule.effects[0]]
    references = "\n".join(f"- <{reference}>" for reference in rule.references)
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": _short(rule.why)},
        "help": {
            "text": f"Why: {rule.why}\nHow to fix: {rule.fix}\nReferences: {' '.join(rule.references)}",
            "markdown": f"**Why**\n\n{rule.why}\n\n**How to fix**\n\n{rule.fix}\n\n**References**\n\n{references}\n",
        },
        "helpUri": rule.references[0],
        "defaultConfiguration": {"level": level},
        "properties": {
            "tags": ["portability", rule.class_.lower()],
            "class": rule.class_,
            "effects": [effect.value for effect in rule.effects],
            "problem.severity": _SEVERITY[level],
            "precision": "high",
        },
    }


def _own(report: Report) -> list[Finding]:
    """The organisation's own rules that found something, each by its first finding."""
    found = (f for _, _, a, _ in report.workloads for f in a.findings if f.class_ == CUSTOM)
    return list({f.rule: f for f in reversed(list(found))}.values())


def _own_rule(first: Finding) -> dict[str, Any]:
    level = LEVEL[first.effect]
    links = [e.link for e in first.evidence if e.link]
    return {
        "id": first.rule,
        "shortDescription": {"text": _short(first.reason)},
        "help": {"text": f"Why: {first.reason}\nHow to fix: {first.remedy}\nReferences: {' '.join(links)}"},
        **({"helpUri": links[0]} if links else {}),
        "defaultConfiguration": {"level": level},
        "properties": {
            "tags": ["portability", CUSTOM.lower()],
            "class": CUSTOM,
            "effects": [first.effect.value],
            "problem.severity": _SEVERITY[level],
        },
    }


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _said(report: Report) -> Iterator[_Said]:
    """The findings to show, each with its place; what all workloads inherit from the target once."""
    once: set[tuple[str, str]] = set()
    anywhere = next((file for _, files, _, _ in report.workloads for file in files), "")
    for judged in report.workloads:
        of_workload = report.declared_file or (judged.files[0] if judged.files else "")
        for f in judged.assessment.findings:
            if f.about != "target":
                yield _Said(f, judged, *((f.place.file, f.place.line) if f.place else (of_workload, 1)))
            elif f.effect is not Effect.NOTE and (f.rule, f.reason) not in once:
                once.add((f.rule, f.reason))
                yield _Said(f, judged, report.target_file or anywhere or of_workload, 1)


def _notes_on_target(report: Report) -> Iterable[Finding]:
    found = (f for _, _, a, _ in report.workloads for f in a.findings)
    return {(f.rule, f.reason): f for f in found if f.about == "target" and f.effect is Effect.NOTE}.values()


def _results(report: Report, said: Sequence[_Said]) -> list[dict[str, Any]]:
    ids = [*(rule.id for rule in catalogue.listed()), *(f.rule for f in _own(report))]
    index = {id_: n for n, id_ in enumerate(ids)}
    times: Counter[tuple[str, str]] = Counter()

    @cache
    def lines(file: str) -> list[str]:
        return _lines(report, file)

    results = []
    for each in said:
        f, judged = each.finding, each.judged
        whole = finding_to_json(f, judged.name, report.target.name)
        identity = whole["identity"]
        times[each.file, identity] += 1
        about = f"The target {report.target.name}: " if f.about == "target" else ""
        results.append(
            {
                "ruleId": f.rule,
                "ruleIndex": index[f.rule],
                "level": LEVEL[f.effect],
                "message": {"text": f"{about}{f.reason} {f.remedy}".strip()},
                "locations": [_location(report, each, lines(each.file))],
                "partialFingerprints": {
                    "primaryLocationLineHash": f"{identity}:{times[each.file, identity]}",
                    "portabilityIdentity/v1": identity,
                },
                "properties": {
                    "workload": judged.name,
                    "verdict": judged.assessment.verdict.value,
                    **{key: whole[key] for key in ("class", "effect", "about", "pointer", "value", "evidence")},
                },
            }
        )
    return results


def _location(report: Report, said: _Said, lines: Sequence[str]) -> dict[str, Any]:
    place = said.finding.place
    location: dict[str, Any] = {"physicalLocation": _physical(report, said.file, said.line, lines)}
    if place:
        kind, namespace, name = place.resource
        resource = "/".join(word for word in (namespace, kind, name) if word)
        location["logicalLocations"] = [
            {
                "fullyQualifiedName": f"{resource}:{place.path}",
                "name": place.path.rpartition("/")[2],
                "kind": "property",
            }
        ]
    return location


def _physical(report: Report, file: str, line: int, lines: Sequence[str]) -> dict[str, Any]:
    """The line that holds the literal, from its first character to its last."""
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    start = len(text) - len(text.lstrip()) + 1 if text.strip() else 1
    end = max(len(text.rstrip()) + 1, start)
    region = {"startLine": max(line, 1), "startColumn": start, "endLine": max(line, 1), "endColumn": end}
    source = report.sources.get(file)
    return {"artifactLocation": {"uri": source.uri if source else file}, "region": region}


def _lines(report: Report, file: str) -> list[str]:
    source = report.sources.get(file)
    try:
        return _BREAK.split(to_text(source.content)) if source else []
    except LimitError:
        return []


def _unreadable(report: Report, problem: Unusable) -> dict[str, Any]:
    at = _physical(report, problem.file, problem.line, _lines(report, problem.file))
    if problem.file not in report.sources:  # it was not opened: there is no address and no line
        return _notification("error", str(problem))
    return _notification("error", problem.message) | {"locations": [{"physicalLocation": at}]}


def _notification(level: str, text: str, finding: Finding | None = None) -> dict[str, Any]:
    rule = {"associatedRule": {"id": finding.rule}} if finding else {}
    return {"level": level, "message": {"text": text}, **rule}


def _workload(judged: Judged) -> dict[str, Any]:
    a = judged.assessment
    return {
        "name": judged.name,
        "files": list(judged.files),
        "verdict": a.verdict.value,
        "own_verdict": a.own_verdict.value,
        "missing": list(a.missing),
    }
