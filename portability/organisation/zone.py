"""The zone in which days begin: the organisation's where one is chosen, else the one the installation was given."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.utils import timezone

from portability.organisation.kept import organisation


def activate() -> None:
    """Let this thread read times, and ask which day it is, in the organisation's zone."""
    zone = find(organisation().time_zone)
    if zone is None:
        timezone.deactivate()
    else:
        timezone.activate(zone)


def find(name: str) -> ZoneInfo | None:
    """The zone with this name; None where there is none, as where the machine's list no longer has it."""
    if name not in known():
        return None
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:
        return None


@cache
def known() -> frozenset[str]:
    """The names that may be chosen: those of the IANA database, without what stands for the machine's own zone."""
    return frozenset(available_timezones() - {"localtime", "Factory"})


def moment_in(name: str, moment: datetime) -> str:
    """A moment as it is written in a zone: `30 November 2026, 23:05, UTC+01:00`."""
    local = moment.astimezone(find(name) or timezone.get_default_timezone())
    offset = f"{local:%z}"
    return f"{local.day} {local:%B %Y, %H:%M}, UTC{offset[:3]}:{offset[3:]}"
