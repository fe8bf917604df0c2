"""When the sample's acts were done: days counted from that of loading, so that its reviews are never out of season."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils import timezone

from portability.organisation.dates import Quarter
from portability.organisation.queries import organisation

_CLOCK = "now"


@contextmanager
def at(moment: datetime) -> Iterator[date]:
    """Let the clock stand at a moment, so that what is stored meanwhile says it was done then. Gives its day.

    For the whole process: only while the sample is loaded, which is before anything is served.
    """
    running = timezone.now
    setattr(timezone, _CLOCK, lambda: moment)
    try:
        yield timezone.localdate(moment)
    finally:
        setattr(timezone, _CLOCK, running)


@dataclass(frozen=True, slots=True)
class Calendar:
    """The days of the sample, none of them after now. `first_month`: with which the organisation's year begins."""

    now: datetime
    first_month: int

    @classmethod
    def from_now(cls) -> Calendar:
        """As the clock and the settings stand."""
        return cls(timezone.now(), organisation().first_month)

    @property
    def present(self) -> Quarter:
        """The quarter that it is."""
        return Quarter.of(timezone.localdate(self.now), self.first_month)

    @property
    def last(self) -> Quarter:
        """The quarter before it."""
        return self.present.previous

    def registered(self) -> datetime:
        """Three weeks before the last quarter began."""
        return self._on(self.last.starts(self.first_month) - timedelta(days=21))

    def before_the_end(self, days: int) -> datetime:
        """Some days before the last quarter ended."""
        return self._on(self.last.ends(self.first_month) - timedelta(days=days))

    def into_the_present(self, days: int) -> datetime:
        """Some days into the present quarter, or now where it is younger."""
        return self._on(self.present.starts(self.first_month) + timedelta(days=days))

    def ago(self, days: int) -> datetime:
        """Some days before now."""
        return self._on(timezone.localdate(self.now) - timedelta(days=days))

    def quarter(self, name: str) -> Quarter:
        """`last`, `present` or `next`."""
        return {"last": self.last, "present": self.present, "next": self.present.next}[name]

    def _on(self, day: date) -> datetime:
        return min(timezone.make_aware(datetime.combine(day, time(9))), self.now)
