"""The register's columns: what the page shows, and what an export holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any

from django.urls import reverse
from django.utils import timezone

from portability.engine.output.csv_safe import WrittenCells, written_cell
from portability.organisation.kept import organisation
from portability.register.decisions import Standing
from portability.register.exposed import Counting
from portability.register.models import CRITICALITIES, Row
from portability.rehearsals.standing import standing
from portability.targets.models import Target

_REMEMBERED = 10_000


class Days(dict[datetime | None, str]):
    """The day of each moment that is looked up, in the zone that is active when this is made; none of no moment.

    Remembered, for many rows share theirs.
    """

    def __init__(self) -> None:
        super().__init__()
        self._zone = timezone.get_current_timezone()

    def __missing__(self, moment: datetime | None) -> str:
        """Reckon it; those remembered are dropped once they are many."""
        if len(self) >= _REMEMBERED:
            self.clear()
        day = self[moment] = moment.astimezone(self._zone).date().isoformat() if moment else ""
        return day


@dataclass(slots=True)  # frozen, it would take four times as long to make
class Shown:
    """One row with what an export needs beside it."""

    row: Row
    target: Target
    origin: str  # scheme and host, for links
    standing: Standing  # what people decided
    days: Days  # the file's
    counting: Counting  # the file's


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the page: its name in the address, and its heading.

    `classes` as the stylesheet has them; `first` is the direction a first click sorts in ("-" is downwards).
    """

    key: str
    label: str
    classes: str = ""
    first: str = ""


def _readings(shown: Shown) -> list[str]:
    """Every reading the assessment rests on, in the words of the evidence."""
    return [f"{r['source']} {r['version']}".strip() + f", read {r['read']}" for r in shown.row.assessment.releases]


def _evidence(shown: Shown) -> str:
    """What the reasons rest on; without any, what was asked and had nothing against it."""
    return shown.row.evidence or "\n".join(f"checked against {reading}" for reading in _readings(shown))


@cache
def _page() -> tuple[str, str]:
    """What stands before and after a workload's number in the address of its page."""
    before, _, after = reverse("workloads:workload", args=[0]).partition("0")
    return before, after


def page_of(row: Row) -> str:
    """The address of a row's workload, without asking for the address of each."""
    before, after = _page()
    return f"{before}{row.workload_id}{after}"


def _link(shown: Shown) -> str:
    return f"{shown.origin}{page_of(shown.row)}?target={shown.target.name}"


def _rehearsed(row: Row) -> str:
    """How its rehearsals on the target stand today: `ran 2026-10-03`."""
    found = standing(row, timezone.localdate(), organisation().rehearsal_days)
    return found.cell if found else ""


def exposure(shown: Shown, verdict: str) -> str:
    """As what of its vendor's exposure the row counts with a verdict, or why it does not."""
    workload = shown.row.workload
    return shown.counting.exposure(workload.vendor_today, verdict, retired=workload.retired_at is not None)


COLUMNS = (
    Column("workload", "Workload"),
    Column("team", "Team", "wide"),
    Column("criticality", "Criticality", "wide"),
    Column("vendor", "Runs on", "wide"),
    Column("gpus", "GPUs", "n", first="-"),
    Column("verdict", "Verdict"),
    Column("why", "Why"),
    Column("changed", "Changed", "wide", first="-"),
)

# What the page's own CSV holds: the page shows what was decided within the verdict's column, and above all rows what
# they rest on.
SHOWN_LABELS = (*(column.label for column in COLUMNS), "Decided", "As of")
# What `shown_lines` takes: read as values, for a file of many rows is made ten times as fast without a row's objects.
# `moved_on` and `decided_verdict` are annotated.
SHOWN_VALUES = (
    "name",
    "team__name",
    "urgency",
    "vendor_today",
    "gpus",
    "verdict",
    "why",
    "moved_on",
    "moved_cause",
    "decided_verdict",
    "as_of",
)


def shown_lines(rows: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    """The lines of CSV under `SHOWN_LABELS`, of rows that are read as an id and `SHOWN_VALUES`.

    Put together here, for a csv writer looks again at every letter of what most rows have in common.
    """
    cells = WrittenCells()  # most say what many others say
    moves: dict[tuple[date | str | None, str], str] = {}  # many moved on one day
    for _, name, team, urgency, vendor, gpus, verdict, why, moved, cause, decided, as_of in rows:
        changed = moves.get((moved, cause))
        if changed is None:
            if len(moves) >= _REMEMBERED:
                moves.clear()
            changed = moves[moved, cause] = written_cell(f"{moved or ''} {cause}".strip())
        yield (
            f"{written_cell(name)},{cells[team]},{CRITICALITIES[urgency]},{cells[vendor]},{cells[gpus]},"
            f"{cells[verdict]},{cells[why]},{changed},{cells[decided]},{cells[as_of]}\r\n"
        )


# Documented in docs/csv-columns.md, in this order. A column is never renamed or moved; new ones go to the end.
ALL_COLUMNS: tuple[tuple[str, Callable[[Shown], object]], ...] = (
    ("workload", lambda s: s.row.workload.name),
    ("team", lambda s: s.row.workload.team.name),
    ("owner", lambda s: s.row.workload.owner),
    ("criticality", lambda s: s.row.workload.criticality),
    ("vendor today", lambda s: s.row.workload.vendor_today),
    ("engine", lambda s: s.row.workload.engine),
    ("model", lambda s: s.row.workload.model),
    ("GPUs", lambda s: s.row.workload.gpus),
    ("replicas", lambda s: s.row.workload.replicas),
    ("target", lambda s: s.target.name),
    ("verdict", lambda s: s.row.verdict),
    ("own verdict", lambda s: s.row.own_verdict),
    ("platform judged", lambda s: "yes" if s.row.assessment.platform_judged else "platform not judged"),
    ("blocks", lambda s: s.row.blocks),
    ("changes", lambda s: s.row.changes),
    ("confirms", lambda s: s.row.confirms),
    ("notes", lambda s: s.row.notes),
    ("why", lambda s: s.row.why),
    ("reasons", lambda s: s.row.reasons),
    ("what to change", lambda s: s.row.what_to_change),
    ("to confirm", lambda s: s.row.to_confirm),
    ("evidence", _evidence),
    ("as of", lambda s: "\n".join(_readings(s))),
    ("rules", lambda s: s.row.rules.strip("|").replace("|", " ")),
    ("assessed on", lambda s: s.days[s.row.assessed_at]),
    ("changed on", lambda s: s.days[s.row.moved_at]),
    ("change cause", lambda s: s.row.moved_cause),
    ("retired on", lambda s: s.days[s.row.workload.retired_at]),
    ("link", _link),
    ("rehearsed", lambda s: _rehearsed(s.row) if s.row.rehearsed else ""),
    ("decided verdict", lambda s: s.standing.verdict),
    ("waived findings", lambda s: s.standing.waived),
    ("decision", lambda s: s.standing.kind),
    ("decided by", lambda s: s.standing.by),
    ("decided on", lambda s: s.days[s.standing.on]),
    ("exposure", lambda s: exposure(s, s.row.verdict)),
    ("decided exposure", lambda s: exposure(s, s.standing.verdict)),
    ("decided as", lambda s: s.standing.decided_as),
    ("decision today", lambda s: s.standing.still),
)
# Those that hold numbers, days and the product's own words: nothing in them can be taken for a formula.
HARMLESS = frozenset({
    *("criticality", "GPUs", "replicas", "verdict", "own verdict", "platform judged"),
    *("blocks", "changes", "confirms", "notes", "assessed on", "changed on", "retired on"),
    *("decided verdict", "waived findings", "decision", "decided on", "exposure", "decided exposure"),
    *("decided as", "decision today"),
})  # fmt: skip
