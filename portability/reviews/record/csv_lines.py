"""The register of a closed review as CSV: one line for each entry of its record."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

from portability.engine.output.csv_safe import csv_cells

Entry = dict[str, Any]


def _decision(name: str) -> Callable[[Entry], object]:
    return lambda entry: (entry["decision"] or {}).get(name)


def _workload(name: str) -> Callable[[Entry], object]:
    return lambda entry: entry["workload"][name]


# Documented in docs/review-record.md, in this order. A column is never renamed or moved; new ones go to the end.
COLUMNS: tuple[tuple[str, Callable[[Entry], object]], ...] = (
    ("workload", _workload("name")),
    ("team", _workload("team")),
    ("owner", _workload("owner")),
    ("criticality", _workload("criticality")),
    ("vendor today", _workload("vendor_today")),
    ("engine", _workload("engine")),
    ("model", _workload("model")),
    ("GPUs", _workload("gpus")),
    ("replicas", _workload("replicas")),
    ("target", lambda e: e["target"]["name"] if e["target"] else ""),
    ("verdict", lambda e: e["engine_verdict"]),
    ("decided verdict", lambda e: e["decided_verdict"]),
    ("why", lambda e: e["why"]),
    ("entry", lambda e: e["state"]),
    ("new", lambda e: "yes" if e["new"] else "no"),
    ("decision", _decision("kind")),
    ("reason", lambda e: (e["decision"] or {}).get("reason") or e["deferred_reason"]),
    ("evidence", _decision("evidence")),
    ("link", _decision("link")),
    ("plan quarter", _decision("plan_quarter")),
    ("plan owner", _decision("plan_owner")),
    ("plan effort", _decision("plan_effort")),
    ("who finds out", _decision("finds_out")),
    ("by", _decision("by_day")),
    ("decided by", _decision("made_by")),
    ("decided at", _decision("made_at")),
    ("confirmed", lambda e: "yes" if (e["decision"] or {}).get("confirmed") else "no"),
    ("waived findings", lambda e: sum(w["standing"] == "holds" for w in e["waivers"])),
    ("waived rules", lambda e: " ".join(sorted({w["rule"] for w in e["waivers"] if w["standing"] == "holds"}))),
    ("rules", lambda e: " ".join(sorted({f["rule"] for f in e["engine"]["findings"]})) if e["engine"] else ""),
    ("as of", lambda e: "\n".join(_reading(r) for r in e["engine"]["releases"]) if e["engine"] else ""),
    ("causes of change", lambda e: " ".join(sorted({c["cause"] for c in [*e["changed"], *e["changed_since"]]}))),
    ("plan ends", _decision("plan_ends")),
)


class CsvLines:
    """The file, filled entry by entry: RFC 4180, UTF-8 with a byte order mark."""

    def __init__(self) -> None:
        self._buffer = io.StringIO()
        self._buffer.write("\ufeff")
        self._writer = csv.writer(self._buffer)
        self._writer.writerow(label for label, _ in COLUMNS)

    def add(self, entry: Entry) -> None:
        """Write one entry of the record."""
        self._writer.writerow(csv_cells(cell(entry) for _, cell in COLUMNS))

    def content(self) -> bytes:
        """The whole file."""
        return self._buffer.getvalue().encode()


def _reading(release: dict[str, str]) -> str:
    return f"{release['source']} {release['version']}".strip() + f", read {release['read']}"
