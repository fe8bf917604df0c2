"""Quarters as plain dates. Which day it is, is asked once, where a request or a task begins, and handed on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True, order=True)
class Quarter:
    """A quarter of the organisation's year, written `2026-Q4`.

    `year` is the calendar year in which the organisation's year begins; `number` counts from 1 to 4.
    """

    year: int
    number: int

    def __str__(self) -> str:
        return f"{self.year}-Q{self.number}"

    @classmethod
    def of(cls, day: date, first_month: int = 1) -> Quarter:
        """The quarter a day lies in, where the organisation's year begins with the first day of `first_month`."""
        months = day.year * 12 + day.month - first_month
        return cls(months // 12, months % 12 // 3 + 1)

    @classmethod
    def parse(cls, text: str) -> Quarter:
        """The quarter that `2026-Q4` names. Raises ValueError where it names none."""
        found = re.fullmatch(r"([12]\d{3})-Q([1-4])", text.strip())
        if found is None:
            raise ValueError(f"“{text[:40]}” is no quarter: write it as 2026-Q4.")
        return cls(int(found[1]), int(found[2]))

    def starts(self, first_month: int = 1) -> date:
        """Its first day."""
        months = self.year * 12 + first_month - 1 + (self.number - 1) * 3
        return date(months // 12, months % 12 + 1, 1)

    def ends(self, first_month: int = 1) -> date:
        """Its last day."""
        return self.next.starts(first_month) - timedelta(days=1)

    @property
    def next(self) -> Quarter:
        """The quarter after it."""
        return Quarter(self.year, self.number + 1) if self.number < 4 else Quarter(self.year + 1, 1)

    @property
    def previous(self) -> Quarter:
        """The quarter before it."""
        return Quarter(self.year, self.number - 1) if self.number > 1 else Quarter(self.year - 1, 4)
