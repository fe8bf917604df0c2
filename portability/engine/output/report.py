"""What `portability assess` has to say, before it is written in one format or another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from portability.engine.model import Assessment, Target, Verdict

# The words of verdicts, in the order in which they are counted.
VERDICT_WORD = {
    Verdict.PINNED: "pinned",
    Verdict.NEEDS_CHANGE: "needs change",
    Verdict.MOVABLE: "movable",
    Verdict.NOT_ASSESSED: "not assessed",
}


class Judged(NamedTuple):
    """One workload: its name, the files it was read from, and what the rules say of it.

    `fragment`: nothing that runs is in it and nothing was declared, so that it is judged by what it holds.
    """

    name: str
    files: Sequence[str]
    assessment: Assessment
    fragment: bool = False


class Unusable(NamedTuple):
    """An input that could not be read, or not whole. `line` counts from 1; 0 where the whole file is meant."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        """The line printed on standard error."""
        where = f"{self.file}:{self.line}" if self.line else self.file
        return " ".join(f"{where}: {self.message}".split())


class Source(NamedTuple):
    """A file as it was read: its address, relative to the working directory where it is below it, and its bytes."""

    uri: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Report:
    """The whole answer. `status` is the exit status; `target_file` and `declared_file` are "" where there is none."""

    target: Target
    workloads: Sequence[Judged]
    unusable: Sequence[Unusable] = ()
    status: int = 0
    sources: Mapping[str, Source] = field(default_factory=dict)  # by the name a place has
    target_file: str = ""
    declared_file: str = ""
