"""Bars: the four states beside each other, in hundredths of the width, so that a page needs no style for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from portability.engine.model import Verdict

STATES = (Verdict.PINNED, Verdict.NEEDS_CHANGE, Verdict.NOT_ASSESSED, Verdict.MOVABLE)
WORDS = {
    Verdict.PINNED: "no way out",
    Verdict.NEEDS_CHANGE: "until changed",
    Verdict.NOT_ASSESSED: "not known",
    Verdict.MOVABLE: "could move",
}
CLASSES = {
    Verdict.PINNED: "pinned",
    Verdict.NEEDS_CHANGE: "change",
    Verdict.NOT_ASSESSED: "open",
    Verdict.MOVABLE: "movable",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """One stretch of a bar; where it begins and how wide it is, as SVG wants it: `12.5%`."""

    name: str  # of its class and its pattern
    x: str
    width: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar, and what it shows in words."""

    pieces: list[Piece]
    text: str


NO_BAR = Bar([], "")


def bar(numbers: Mapping[str, int], whole: int, what: str) -> Bar:
    """A bar of numbers by verdict; `whole`: the number that would fill the width. `what` is counted, in words."""
    said = ", ".join(f"{WORDS[state]} {numbers.get(state.value, 0)}" for state in STATES)
    return Bar(pieces_of(numbers, whole), f"By {what}: {said}")


def pieces_of(numbers: Mapping[str, int], whole: int) -> list[Piece]:
    """The stretches of a bar of numbers by verdict."""
    pieces, at = [], 0
    for state in STATES:
        number = numbers.get(state.value, 0)
        if number and whole:
            pieces.append(Piece(CLASSES[state], _percent(at, whole), _percent(number, whole)))
        at += number
    return pieces


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}%"
