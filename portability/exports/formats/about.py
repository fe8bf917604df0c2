"""What a file says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class About:
    """From where a file comes: the register's target, filter and order, who took it, when, and as of which readings."""

    target: str
    filter: dict[str, str]  # by the filter's label: its value in words
    sort: str
    columns: str  # "every column", or the mapping's name
    as_of: list[str]
    by: str
    at: datetime  # in the organisation's zone
    address: str  # of the page with the same rows

    @property
    def filter_in_words(self) -> str:
        """The filter in a line."""
        return "; ".join(f"{label}: {value}" for label, value in self.filter.items()) or "none"
