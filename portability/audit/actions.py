"""Writing the audit trail: called inside the transaction of the act it records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.workloads.models import Workload


def record(who: Person | None, action: str, subject: object, **details: Any) -> Entry:
    """Add one entry. `who` is None for what the product does by itself. `details` must be JSON values.

    Where the subject is a workload, its own history shows the entry too.
    """
    return Entry.objects.create(
        at=timezone.now(),
        who=who,
        who_name=who.get_username() if who else "system",
        action=action,
        subject=str(subject)[:200],
        workload=subject if isinstance(subject, Workload) else None,
        details=details,
    )


def note_export(who: Person, rows: int, kind: str, asked: Mapping[str, str]) -> Entry:
    """Put into the history that somebody took it away. Later entries are not in the file."""
    filter_ = "; ".join(f"{name}: {value}" for name, value in asked.items())
    return record(who, "history.exported", "the history", format=kind, rows=rows, filter=filter_)
