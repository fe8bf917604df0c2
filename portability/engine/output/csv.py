"""One row a finding, for pipelines and spreadsheets (docs/command-line.md names the columns)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from portability.engine.model import Evidence, Finding
from portability.engine.output.csv_safe import csv_cells
from portability.engine.output.json import finding_to_json
from portability.engine.output.report import Judged, Report

# Names and order stay; new columns are added at the end.
COLUMNS = (
    "workload",
    "target",
    "verdict",
    "own_verdict",
    "effect",
    "rule",
    "class",
    "about",
    "file",
    "line",
    "pointer",
    "kind",
    "namespace",
    "name",
    "path",
    "value",
    "reason",
    "remedy",
    "evidence",
    "identity",
    "missing",
)


def csv_lines(report: Report) -> Iterator[str]:
    """RFC 4180 text, a record at a time: the columns' names, then the findings, a workload without any in one row."""
    yield _record(dict(zip(COLUMNS, COLUMNS, strict=True)))
    for judged in report.workloads:
        for finding in judged.assessment.findings or (None,):
            yield _record(_row(report.target.name, judged, finding))


def _row(target: str, judged: Judged, finding: Finding | None) -> dict[str, object]:
    name, files, a, _ = judged
    row: dict[str, object] = {
        "workload": name,
        "target": target,
        "verdict": a.verdict.value,
        "own_verdict": a.own_verdict.value,
        "file": files[0] if files else "",
        "missing": "\n".join(a.missing),
    }
    if finding is None:
        return row
    said = finding_to_json(finding, name, target)
    row |= {column: said[column] for column in COLUMNS if column in said}
    row |= said["resource"]
    return row | {"line": said["line"] or None, "evidence": "\n".join(map(_evidence, finding.evidence))}


def _evidence(e: Evidence) -> str:
    return " ".join(word for word in (e.source, e.version, e.read.isoformat() if e.read else "") if word) + (
        f": {e.cell} = {e.value}"
    )


def _record(row: dict[str, object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(csv_cells(row.get(column) for column in COLUMNS))
    return line.getvalue()
