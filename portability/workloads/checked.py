"""What an assessment asked the published knowledge, answered or not: the ground a `movable` stands on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from portability.engine.matrices.knowledge import NEAREST, STATUS, Knowledge
from portability.engine.overdue import overdue_days
from portability.register.models import Assessment
from portability.workloads.findings import Pages, page_of

NOT_LISTED = "not listed"
_NO_CELLS = ("*release", NEAREST, STATUS)  # whether there is a reading, or a near one, and whether the page stands


@dataclass(frozen=True, slots=True)
class Answer:
    """One cell that was asked for, with its value."""

    key: str
    value: str
    listed: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """One source in one version: the day it was read (None: it never was), and what was looked up there."""

    title: str
    link: str
    version: str
    read: date | None
    overdue: int
    answers: tuple[Answer, ...]
    page: str = ""  # of the reading, in the product


@dataclass(frozen=True, slots=True)
class Checked:
    """All that was consulted, by source."""

    readings: tuple[Reading, ...] = ()

    @property
    def overdue(self) -> str:
        """`2 of 3 readings overdue, by up to 25 days`; "" where none is."""
        read = [reading for reading in self.readings if reading.read]
        late = [reading.overdue for reading in read if reading.overdue]
        most = max(late, default=0)
        days = "1 day" if most == 1 else f"{most} days"
        if len(read) == 1:
            return f"the reading is overdue by {days}" if late else ""
        return f"{len(late)} of {len(read)} readings overdue, by up to {days}" if late else ""

    @property
    def in_words(self) -> str:
        """How much was looked up: `17 entries of 6 sources, 2 of them not listed`."""
        answers = [answer for reading in self.readings for answer in reading.answers]
        missing = sum(not answer.listed for answer in answers)
        sources = len({reading.title for reading in self.readings})
        said = f"{_counted(len(answers), 'entry', 'entries')} of {_counted(sources, 'source', 'sources')}"
        return f"{said}, {missing} of them {NOT_LISTED}" if missing else said


def checked(assessment: Assessment, published: Knowledge, today: date, pages: Pages | None = None) -> Checked:
    """What the assessment consulted. `assessment.consulted` must be loaded."""
    days = {(r["source"], r["version"]): date.fromisoformat(r["read"]) for r in assessment.releases}
    asked: dict[tuple[str, str], list[str]] = {}
    for source, version, key in assessment.consulted.keys:
        release = published.release(source, version)
        asked.setdefault((source, release.version if release else version), []).append(key)
    readings = [_reading(*where, keys, days.get(where), published, today, pages or {}) for where, keys in asked.items()]
    return Checked(tuple(sorted(readings, key=lambda reading: (reading.title.lower(), reading.version))))


def _reading(
    source: str, version: str, keys: Sequence[str], read: date | None, published: Knowledge, today: date, pages: Pages
) -> Reading:
    page, release = published.sources.get(source), published.release(source, version)
    read = read or (release.read if release else None)
    return Reading(
        title=page.title if page else source,
        link=page.url if page else "",
        version=version,
        read=read,
        overdue=overdue_days(published, source, read, today) if read else 0,
        answers=tuple(_answers(source, version, keys, published)),
        page=page_of(pages, source, version, read),
    )


def _answers(source: str, version: str, keys: Iterable[str], published: Knowledge) -> Iterator[Answer]:
    """Each cell once, in the order asked; a key that ends in a star asked for all cells under it."""
    release = published.release(source, version)
    found: dict[str, Answer] = {}
    for key in keys:
        if key in _NO_CELLS:
            continue
        cells = []
        if release and key.endswith("/*"):
            cells = published.under(release, key[:-1])
        elif release and key in release.cells:
            cells = [release.cells[key]]
        found.update((cell.key, Answer(cell.key, cell.value, listed=True)) for cell in cells)
        if not cells:
            found[key] = Answer(key, NOT_LISTED, listed=False)
    return iter(found.values())


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
