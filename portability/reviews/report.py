"""A closed review, ready to show: from its stored record and its addenda; nothing else is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from portability.reviews.models import Addendum, Record
from portability.reviews.record import reading
from portability.reviews.record.figures import COUNTED, KNOWN
from portability.reviews.record.summary import Summary
from portability.reviews.words import VERDICTS
from portability.workloads.models import Criticality

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
PARTS = {"criticality": "Criticality", "team": "Team"}
CRITICALITIES = [*Criticality.values]
_EVIDENCE = ("source", "version", "read", "cell", "value", "link")
_COUNTED_GROUPS = {name for name, _ in GROUPS} | APART.keys()
_STOP = [name for name, _ in GROUPS[:3]]
PART = 1_000  # entries: for 2,000 at once Chromium held 2.9 GB
_NOTHING = dict.fromkeys(COUNTED, 0)
Counts = Mapping[str, int]  # by `COUNTED`


@dataclass(frozen=True, slots=True)
class Share:
    """Of a team or a criticality: what would stop, of how much, and the workloads of the four states."""

    name: str
    stops: Counts
    whole: Counts
    states: list[tuple[str, int]]  # the group's name, and how many


@dataclass(frozen=True)
class Exposure:
    """What would stop if supply of a vendor slipped, against one target. Rows: the group's name, its words, counts."""

    vendor: str
    target: str
    stops: Counts
    whole: Counts
    rows: list[tuple[str, str, Counts]]
    apart: list[tuple[str, str, Counts]]
    parts: list[tuple[str, str, list[Share]]]  # by what: its name in addresses, in words


@dataclass(frozen=True, slots=True)
class Uncounted:
    """What stops with no vendor's supply that is reckoned with: why, in words, and where it is among the figures."""

    words: str
    vendor: str
    target: str
    group: str
    counts: Counts


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
class Closed:
    """What is shown of a closed review besides its entries."""

    digest: str
    csv_digest: str
    organisation: Mapping[str, Any]
    review: Mapping[str, Any]
    people: Sequence[Mapping[str, Any]]
    exposure: list[Exposure]
    uncounted: list[Uncounted]
    verdicts: list[tuple[str, str, int]]  # of the entries that did not retire: value, words, number
    decided: list[tuple[str, int]]  # by kind of decision
    teams: list[str]
    addenda: list[Addendum]

    @property
    def zone(self) -> str:
        """The name of the zone that the organisation had then; "" where the record has none."""
        return str(self.organisation.get("time_zone") or "")


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the entries, by their numbers, of a report that is too long to be printed at once."""

    number: int
    of: int
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.number} of {self.of}"


@dataclass(frozen=True)
class Report(Closed):
    """All of it. `lines`: the register in short (`record.summary.line`); `text`: the record.

    Of a report in parts each has everything but the entries of the others.
    """

    lines: list[Entry]
    text: str
    part: Part | None = None

    def entries(self) -> Iterator[Entry]:
        """The record's entries one by one, each with its `number`, and whether it `heads` those of its team."""
        first, last = (self.part.first, self.part.last) if self.part else (1, None)
        team = None
        for number, entry in enumerate(islice(reading.entries(self.text), first - 1, last), start=first):
            yield {**entry, "number": number, "heads": entry["workload"]["team"] != team}
            team = entry["workload"]["team"]

    def parts(self) -> list[Report]:
        """The report itself, or where it is long the parts it is printed in."""
        count = len(self.lines)
        if self.part or count <= PART:
            return [self]
        of = -(-count // PART)
        found = [Part(n, of, PART * (n - 1) + 1, min(PART * n, count)) for n in range(1, of + 1)]
        return [replace(self, part=part, lines=self.lines[part.first - 1 : part.last]) for part in found]


def report(record: Record, addenda: Iterable[Addendum]) -> Report:
    """From the record as it is stored."""
    summary = Summary.of(record.text)
    return Report(**_shown(record, summary.said(), addenda), lines=summary.lines, text=record.text)


def closed(record: Record, addenda: Iterable[Addendum]) -> Closed:
    """From the summary of the record, whose text is not asked for."""
    return Closed(**_shown(record, record.summary.said, addenda))


def _shown(record: Record, said: Mapping[str, Any], addenda: Iterable[Addendum]) -> dict[str, Any]:
    """`said`: of `record.summary.Summary`."""
    return {
        "digest": record.digest,
        "csv_digest": record.csv_digest,
        "organisation": said["organisation"],
        "review": said["review"],
        "people": said["people"],
        "exposure": exposure(said["figures"], said["parts"]),
        "uncounted": uncounted(said["figures"]),
        "verdicts": [(value, words, said["verdicts"].get(value, 0)) for value, words in VERDICTS.items()],
        "decided": [(kind, number) for kind, number in said["decided"]],
        "teams": said["teams"],
        "addenda": list(addenda),
    }


def exposure(figures: Iterable[Mapping[str, Any]], parts: Mapping[str, list[dict[str, Any]]]) -> list[Exposure]:
    """The record's figures by vendor and target, the vendor with the most GPUs first.

    `parts`: of `record.figures.Figures`. They are shown where they add up to what was signed.
    """
    by_pair: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for figure in figures:
        if figure["group"] not in _COUNTED_GROUPS:
            continue
        by_pair.setdefault((figure["vendor"], figure["target"]), {})[figure["group"]] = figure
    found = []
    for (vendor, target), groups in by_pair.items():
        rows = [(name, words, _counts(groups.get(name))) for name, words in GROUPS]
        stops, whole = _sum(counts for _, _, counts in rows[:3]), _sum(counts for _, _, counts in rows)
        apart = [(name, words, _counts(groups[name])) for name, words in APART.items() if name in groups]
        shares = [(by, words, _shares(by, parts[by], vendor, target)) for by, words in PARTS.items()]
        whole_ones = [each for each in shares if _add_up(each[2], whole)]
        found.append(Exposure(vendor, target, stops, whole, rows, apart, whole_ones))
    return sorted(found, key=lambda e: (-e.whole["gpus"], -e.whole["workloads"], e.vendor, e.target))


def _add_up(shares: list[Share], whole: Counts) -> bool:
    """Whether they are all of it, as it was signed."""
    return bool(shares) and all(sum(share.whole[name] for share in shares) == whole[name] for name in KNOWN)


def _shares(by: str, parts: Iterable[Mapping[str, Any]], vendor: str, target: str) -> list[Share]:
    """Criticalities in their order, teams with the most GPUs that would stop first."""
    found = []
    for part in parts:
        if (part["vendor"], part["target"]) != (vendor, target):
            continue
        counts = {group: dict(zip(COUNTED, numbers, strict=True)) for group, numbers in part["counts"].items()}
        stops = _sum(counts[name] for name in _STOP if name in counts)
        states = [(name, counts[name]["workloads"] if name in counts else 0) for name, _ in GROUPS]
        found.append(Share(part["name"], stops, _sum(counts.values()), states))
    if by == "criticality":
        return sorted(found, key=lambda share: CRITICALITIES.index(share.name))
    return sorted(found, key=lambda share: (-share.stops["gpus"], -share.stops["workloads"], share.name))


def uncounted(figures: Iterable[Mapping[str, Any]]) -> list[Uncounted]:
    """What is counted for no vendor, and why, in words."""
    found = []
    for figure in figures:
        if figure["group"] == "on-its-vendor":
            words = f"On {figure['vendor'].upper()} by now, the vendor of {figure['target']}"
        elif figure["group"] == "no-vendor":
            words = _NO_VENDOR.get(figure["vendor"], figure["vendor"])
        else:
            continue
        found.append(Uncounted(words, figure["vendor"], figure["target"], figure["group"], _counts(figure)))
    return found


def _counts(figure: Mapping[str, Any] | None) -> Counts:
    """Of what is not known, records of before may say nothing."""
    return {name: figure.get(name, 0) for name in COUNTED} if figure else _NOTHING


def _sum(many: Iterable[Counts]) -> dict[str, int]:
    total = dict(_NOTHING)
    for counts in many:
        for name in COUNTED:
            total[name] += counts[name]
    return total
