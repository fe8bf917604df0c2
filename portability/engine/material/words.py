"""What is taken out of application material: words at lines, for rows of vendor knowledge to be matched against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

_PIECE, _OVERLAP = 4_000, 200  # characters: a longer line is looked at in pieces


class How(StrEnum):
    """How a word stands in its file."""

    MODULE = "module"  # an imported module by its full dotted name
    NAME = "name"  # an attribute by its full dotted name, aliases resolved
    TEXT = "text"  # a string constant, or a line of code that is read by lines
    CALL = "call"  # a command that a program calls
    COMMAND = "command"  # a line of a script or of a Dockerfile
    PACKAGE = "package"  # one requirement, an index address, or a wheel's file
    LISTS = "lists"  # another list of packages that this one takes in, by its file name
    IMAGE = "image"  # what a Dockerfile builds on


class Word(NamedTuple):
    """One word and the line it stands on, counted from 1."""

    how: How
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a file was not read as what it is: from which line, in words, and what to do."""

    line: int
    why: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Material:
    """One file of application material. `lists_packages`: it is a list of packages and nothing else."""

    name: str
    words: tuple[Word, ...]
    lines: tuple[str, ...]
    lists_packages: bool = False
    unread: Unread | None = None

    def line(self, number: int) -> str:
        """One line, without the space around it."""
        return self.lines[number - 1].strip() if 0 < number <= len(self.lines) else ""

    def says(self, text: str) -> bool:
        """Whether any word holds a text; comments hold no words."""
        wanted = text.lower()
        return any(wanted in word.text.lower() for word in self.words)


def pieces(text: str) -> Iterator[str]:
    """A long line in pieces that overlap, so that no pattern takes long and none is cut in two."""
    if len(text) <= _PIECE:
        yield text
        return
    for start in range(0, len(text), _PIECE - _OVERLAP):
        yield text[start : start + _PIECE]
