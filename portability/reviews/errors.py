"""Why an act of the reviews room is refused, and how two people at once are told of each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from portability.refused import Refused

__all__ = ["Clash", "Conflict", "Refused", "Why"]


class Why(StrEnum):
    """What is other than on the page that an act came from."""

    DECIDED = "decided"  # somebody decided the entry, undid its decision, deferred it, or it closed itself
    TARGET = "target"  # somebody moved the entry to another target
    VERDICT = "verdict"  # the engine says something else by now, or for other reasons


@dataclass(frozen=True, slots=True)
class Clash:
    """One entry that is no longer what the page showed. `who`: did it, where a person did."""

    entry: int
    workload: str
    why: Why
    text: str
    who: str = ""


class Conflict(Exception):
    """Entries were changed since the page was opened. Nothing was done; what was typed can be sent again."""

    def __init__(self, clashes: Sequence[Clash]) -> None:
        super().__init__(" ".join(clash.text for clash in clashes))
        self.clashes = list(clashes)
