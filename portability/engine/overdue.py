"""KNO001, knowledge-overdue: worked out when shown, for a given day, and never stored in an assessment."""

from __future__ import annotations

from datetime import date, timedelta

from portability.engine.matrices.knowledge import Knowledge, Source
from portability.engine.model import Assessment, Effect, Evidence
from portability.engine.rules.knowledge.kno001_knowledge_overdue import RULE


def overdue_days(knowledge: Knowledge, source: str, read: date, as_of: date) -> int:
    """By how many days a reading is past the day it was due to be read again; 0 where it is not."""
    page = knowledge.sources.get(source)
    return days_past(due_on(page, read), as_of) if page else 0


def due_on(page: Source, read: date) -> date | None:
    """The day a page is to be read again; None where it is not read again, as one that moved or was retired."""
    if page.status != "current":
        return None
    if page.due is not None and page.due > read:
        return page.due
    return None if page.due_days is None else read + timedelta(days=page.due_days)


def days_past(due: date | None, as_of: date) -> int:
    """By how many days a day is past; 0 where it is not, or there is none."""
    return max(0, (as_of - due).days) if due else 0


def with_overdue(assessment: Assessment, knowledge: Knowledge, as_of: date) -> Assessment:
    """The assessment with a note for each source it rests on that is overdue on this day."""
    notes = []
    for release in assessment.releases:
        days = overdue_days(knowledge, release.source, release.read, as_of)
        if not days:
            continue
        page = knowledge.sources[release.source]
        evidence = Evidence(release.source, release.version, release.read, "read", release.read.isoformat(), page.url)
        notes.append(
            RULE.finding(
                Effect.NOTE,
                f"{page.title} was read on {release.read.isoformat()} and has been due for {days} days.",
                f"Read {page.url} again before relying on what rests on it.",
                evidence=(evidence,),
                about="target",
            )
        )
    return assessment._replace(findings=(*assessment.findings, *notes)) if notes else assessment
