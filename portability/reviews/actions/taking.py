"""Taking a closed review's files away."""

from __future__ import annotations

from portability.accounts.models import Person
from portability.audit.actions import record


def note_taken(who: Person | None, quarter: str, kind: str) -> None:
    """Put into the history that somebody took the record, its CSV or the report away; None: on the command line."""
    record(who, "review.exported", quarter, format=kind)
