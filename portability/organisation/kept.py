"""The settings as a process keeps them for a few seconds, so that they do not cost every request a query.

Another process sees an edit that late; the process that saved it sees it at once.
"""

from __future__ import annotations

import time

from portability.organisation.models import THE_ONE, Organisation

SECONDS = 5.0

_kept: tuple[float, Organisation] | None = None  # until when, by the process's own clock


def organisation() -> Organisation:
    """The settings, to be read and never changed; the defaults where nobody has chosen any yet."""
    found = _kept
    if found is not None and time.monotonic() < found[0]:
        return found[1]
    stored = Organisation.objects.filter(pk=THE_ONE).first() or Organisation(pk=THE_ONE)
    keep(stored)
    return stored


def keep(settings: Organisation) -> None:
    """Take these for the settings from now on, for a few seconds."""
    global _kept
    _kept = time.monotonic() + SECONDS, settings


def forget() -> None:
    """Ask the database next time."""
    global _kept
    _kept = None
