"""Writing the audit trail: called inside the transaction of the act it records."""

from __future__ import annotations

from typing import Any

from portability.accounts.models import Person
from portability.audit.models import Entry


def record(who: Person | None, action: str, subject: object, **details: Any) -> Entry:
    """Add one entry. `who` is None for what the product does by itself. `details` must be JSON values."""
    return Entry.objects.create(
        who=who,
        who_name=who.get_username() if who else "system",
        action=action,
        subject=str(subject)[:200],
        details=details,
    )
