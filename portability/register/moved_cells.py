"""What the readings that two assessments rest on say of a cell, where only one of the two cites it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from portability.matrices.models import Cell, Release
from portability.register.models import Assessment

NOT_LISTED = "not listed"
Reading = tuple[str, str, str]  # source, version, the day it was read


@dataclass(frozen=True, slots=True)
class Answer:
    """A cell that answers otherwise than before. A side is empty where it is not known what it said then."""

    source: str
    key: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The cells told of one movement, and the assessments on its two sides, with their releases."""

    before: Assessment
    after: Assessment
    answers: tuple[Answer, ...]


def completed(asked: Sequence[Asked]) -> list[tuple[Answer, ...]]:
    """The answers with their empty sides looked up; those left out that say the same on both. At most two queries."""
    wanted = {
        (reading, answer.key)
        for each in asked
        for answer in each.answers
        for assessment, said in ((each.before, answer.before), (each.after, answer.after))
        if not said and (reading := _reading(assessment, answer.source))
    }
    said = _said(wanted)
    return [
        tuple(answer for each_answer in each.answers if (answer := _complete(each, each_answer, said)))
        for each in asked
    ]


def _complete(asked: Asked, answer: Answer, said: dict[tuple[Reading, str], str]) -> Answer | None:
    def side(assessment: Assessment, cited: str) -> str:
        reading = _reading(assessment, answer.source)
        return cited or (said.get((reading, answer.key), "") if reading else "")

    full = replace(answer, before=side(asked.before, answer.before), after=side(asked.after, answer.after))
    return full if full.before != full.after else None


def _reading(assessment: Assessment, source: str) -> Reading | None:
    """The reading of a source that an assessment rests on; None where it rests on several, or on none."""
    found = [(r["source"], r["version"], r["read"]) for r in assessment.releases if r["source"] == source]
    return found[0] if len(found) == 1 else None


def _said(wanted: Iterable[tuple[Reading, str]]) -> dict[tuple[Reading, str], str]:
    """What the readings say. Nothing of a reading of which the register holds two of one day: it may be either."""
    asked = set(wanted)
    if not asked:
        return {}
    each = Q()
    for source, version, read in {reading for reading, _ in asked}:
        each |= Q(source=source, version=version, read=read)
    pks: dict[Reading, list[int]] = {}
    stored = Release.objects.filter(each).exclude(state=Release.State.DRAFT)
    for pk, source, version, day in stored.values_list("pk", "source", "version", "read"):
        pks.setdefault((source, version, day.isoformat()), []).append(pk)
    one = {reading: found[0] for reading, found in pks.items() if len(found) == 1}
    cells = Cell.objects.filter(release__in=one.values(), key__in={key for _, key in asked})
    values = {(release, key): value for release, key, value in cells.values_list("release", "key", "value")}
    return {(reading, key): values.get((one[reading], key), NOT_LISTED) for reading, key in asked if reading in one}
