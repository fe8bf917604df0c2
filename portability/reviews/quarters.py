"""Of which quarters a review can be opened, which days each would be of, and what it would be called.

Reviews follow each other, and no day is in two of them. What is free is told by the first and last days that reviews
keep, whatever the first month of the year has become since; their names are for people and for addresses.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from string import ascii_lowercase

from portability.organisation.dates import Quarter
from portability.organisation.queries import organisation
from portability.reviews.models import Review


@dataclass(frozen=True, slots=True)
class Free:
    """A quarter of which a review can be opened, and the days that it would be of. `which`: in words."""

    quarter: Quarter
    name: str
    starts: date
    ends: date
    which: str
    rest: bool  # a review covers the days before

    def __str__(self) -> str:
        return self.name


def free_quarters(today: date) -> list[Free]:
    """Those after the last review, as far as the next quarter: this one first, then the next, then earlier ones.

    Where the first month of the year was changed, a review may cover a part of one: its own begins on the day after.
    """
    first_month = organisation().first_month
    reviews = dict(Review.objects.order_by().values_list("quarter", "ends"))
    last = max(reviews.values(), default=None)
    now = Quarter.of(today, first_month)
    begins = now.previous.starts(first_month) if last is None else last + timedelta(days=1)
    which = {now: "this quarter", now.next: "the next quarter", now.previous: "the quarter before"}
    wanted, earlier = [now, now.next], now.previous
    while earlier.ends(first_month) >= begins:
        wanted.append(earlier)
        earlier = earlier.previous
    return [
        Free(
            quarter=quarter,
            name=_free_name(quarter, reviews),
            starts=max(begins, quarter.starts(first_month)),
            ends=quarter.ends(first_month),
            which=which.get(quarter, "an earlier quarter"),
            rest=begins > quarter.starts(first_month),
        )
        for quarter in wanted
        if quarter.ends(first_month) >= begins
    ]


def last_day() -> date | None:
    """The last day that a review covers."""
    return Review.objects.order_by("-ends").values_list("ends", flat=True).first()


def name_of_quarter(day: date) -> str:
    """What the quarter of a day is called: as the review that covers the day, or as one would be."""
    known = Review.objects.order_by().values_list("quarter", "starts", "ends")  # a few a year
    days = {quarter: (starts, ends) for quarter, starts, ends in known}
    covering = next((quarter for quarter, (starts, ends) in days.items() if starts <= day <= ends), "")
    return covering or _free_name(Quarter.of(day, organisation().first_month), days)


def _free_name(quarter: Quarter, named: Collection[str]) -> str:
    """The quarter's, with the first letter after it that no review has: 2026-Q4, 2026-Q4b, 2026-Q4c.

    After another first month the same name may mean other days. The letters suffice: no day is in two reviews.
    """
    return next(name for letter in ("", *ascii_lowercase[1:]) if (name := f"{quarter}{letter}") not in named)
