"""The report of a closed review. It is rendered from the stored record and its addenda; nothing else is asked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from portability.reviews.models import Addendum, Record
from portability.reviews.words import VERDICTS

Entry = dict[str, Any]
GROUPS = (  # of the record's figures, as they are added up: the first three would stop
    ("no-way-out", "No way out"),
    ("until-changed", "Until changed"),
    ("not-known", "Not known"),
    ("could-move", "Could move as they are"),
)
APART = {
    "only-target": "of those until changed: only because of the target",
    "only-confirm": "of those until changed: only to confirm",
}
_NO_VENDOR = {
    "none": "On no vendor’s GPUs",
    "unknown": "Whose vendor nobody declared and nothing shows",
}
_EVIDENCE = ("source", "version", "read", "cell", "value", "link")
_COUNTED_GROUPS = {name for name, _ in GROUPS} | APART.keys()
COUNTED = ("workloads", "replicas", "gpus")
_NOTHING = dict.fromkeys(COUNTED, 0)


@dataclass(frozen=True)
class Exposure:
    """What would stop if supply of a vendor slipped, against one target. Rows: words, then the three counts."""

    vendor: str
    target: str
    stops: Mapping[str, int]
    whole: Mapping[str, int]
    rows: list[tuple[str, Mapping[str, int]]]
    apart: list[tuple[str, Mapping[str, int]]]


@dataclass
class Evidence:
    """Everything that findings rest on, each once, with the number by which findings cite it."""

    numbers: dict[tuple[str, ...], int] = field(default_factory=dict)

    def cite(self, rests_on: Iterable[Mapping[str, Any]]) -> list[int]:
        """The numbers of these; what was not there yet is added."""
        keys = [tuple(str(e.get(name) or "") for name in _EVIDENCE) for e in rests_on]
        return sorted({self.numbers.setdefault(key, len(self.numbers) + 1) for key in keys})

    @property
    def rows(self) -> list[tuple[int, tuple[str, ...]]]:
        """Number, and source, version, day read, cell, value, link."""
        return [(number, key) for key, number in self.numbers.items()]


@dataclass(frozen=True)
class Report:
    """A closed review, ready to show."""

    digest: str
    csv_digest: str
    organisation: Mapping[str, Any]
    review: Mapping[str, Any]
    people: Sequence[Mapping[str, Any]]
    exposure: list[Exposure]
    uncounted: list[tuple[str, Mapping[str, int]]]  # stop with no vendor's supply that is reckoned with: words, counts
    verdicts: list[tuple[str, str, int]]  # of the entries that did not retire: value, words, number
    decided: list[tuple[str, int]]  # by kind of decision
    entries: list[Entry]  # those of the record, each with `number`
    teams: list[str]
    addenda: list[Addendum]

    def cited(self) -> tuple[list[Entry], list[tuple[int, tuple[str, ...]]]]:
        """The entries with their findings, each with the numbers (`cites`) of what it rests on, and that in a list."""
        evidence = Evidence()
        for entry in self.entries:
            for finding in (entry["engine"] or {}).get("findings", ()):
                finding["cites"] = evidence.cite(finding["evidence"])
        return self.entries, evidence.rows


def report(record: Record, addenda: Iterable[Addendum]) -> Report:
    """From the record as it is stored."""
    said = json.loads(record.text)
    entries: list[Entry] = said["entries"]
    for number, entry in enumerate(entries, start=1):
        entry["number"] = number
    active = [entry for entry in entries if entry["state"] != "retired"]
    counted = Counter(entry["engine_verdict"] for entry in active)
    return Report(
        digest=record.digest,
        csv_digest=record.csv_digest,
        organisation=said["organisation"],
        review=said["review"],
        people=said["people"],
        exposure=exposure(said["figures"]),
        uncounted=uncounted(said["figures"]),
        verdicts=[(value, words, counted[value]) for value, words in VERDICTS.items()],
        decided=Counter(entry["decision"]["kind"] for entry in active if entry["decision"]).most_common(),
        entries=entries,
        teams=sorted({entry["workload"]["team"] for entry in entries}),
        addenda=list(addenda),
    )


def exposure(figures: Iterable[Mapping[str, Any]]) -> list[Exposure]:
    """The record's figures by vendor and target, the vendor with the most GPUs first."""
    by_pair: dict[tuple[str, str], dict[str, Mapping[str, int]]] = {}
    for figure in figures:
        if figure["group"] not in _COUNTED_GROUPS:
            continue
        by_pair.setdefault((figure["vendor"], figure["target"]), {})[figure["group"]] = figure
    found = []
    for (vendor, target), groups in by_pair.items():
        rows = [(words, _counts(groups.get(name))) for name, words in GROUPS]
        stops = _sum(counts for _, counts in rows[:3])
        apart = [(words, _counts(groups[name])) for name, words in APART.items() if name in groups]
        found.append(Exposure(vendor, target, stops, _sum(counts for _, counts in rows), rows, apart))
    return sorted(found, key=lambda e: (-e.whole["gpus"], -e.whole["workloads"], e.vendor, e.target))


def uncounted(figures: Iterable[Mapping[str, Any]]) -> list[tuple[str, Mapping[str, int]]]:
    """What is counted for no vendor, and why, in words."""
    found = []
    for figure in figures:
        if figure["group"] == "on-its-vendor":
            words = f"On {figure['vendor'].upper()} by now, the vendor of {figure['target']}"
        elif figure["group"] == "no-vendor":
            words = _NO_VENDOR.get(figure["vendor"], figure["vendor"])
        else:
            continue
        found.append((words, _counts(figure)))
    return found


def _counts(figure: Mapping[str, int] | None) -> Mapping[str, int]:
    return {name: figure[name] for name in COUNTED} if figure else _NOTHING


def _sum(many: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total = dict(_NOTHING)
    for counts in many:
        for name in COUNTED:
            total[name] += counts[name]
    return total
