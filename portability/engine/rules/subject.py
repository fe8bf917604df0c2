"""What serves: the subject of the rules on engines, models and features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from portability.engine.matrices.features import Question, asked_of, asked_of_kind, is_architecture, judged_by_vllm
from portability.engine.model import Fact, Feature, Place

_UNKNOWN = ("", "unknown")


class Use(NamedTuple):
    """One use that vLLM's tables are asked about."""

    asked: Question
    said: str  # as the workload says it
    required: bool
    origin: str
    place: Place | None


@dataclass(eq=False)
class Subject:
    """One thing that serves. `gpus`: devices are asked for or declared. `kind_told`: somebody says the model kind.

    Nobody changes one; it is not frozen because that would cost more than making them.
    """

    engine: Fact | None
    version: Fact | None
    model: Fact | None
    kind: Fact | None
    features: tuple[Feature, ...]
    gpus: bool
    kind_told: bool
    place: Place | None = None
    image: str = ""

    @cached_property
    def engine_name(self) -> str:
        """The engine, lower case; empty where it cannot be told."""
        name = self.engine.value.lower() if self.engine else ""
        return "" if name in _UNKNOWN else name

    @cached_property
    def by_vllm(self) -> bool:
        """Whether vLLM's tables speak of it."""
        return judged_by_vllm(self.engine_name)

    @property
    def at(self) -> Place | None:
        """Where the engine is said, or else the container."""
        return (self.engine.place if self.engine else None) or self.place

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """What it asks of vLLM's tables, each row once: its model kind first, then its features."""
        return tuple(self._uses())

    def _uses(self) -> Iterator[Use]:
        seen: set[Question] = set()
        if self.kind and (asked := asked_of_kind(self.kind.value)):
            seen.add(asked)
            place = self.kind.place or (self.model.place if self.model else None)
            yield Use(asked, self.kind.value, True, self.kind.origin, place)
        for f in self.features:
            wanted = asked_of(f.name)
            if wanted is None or wanted in seen:
                continue
            seen.add(wanted)
            yield Use(wanted, f.name, f.required or is_architecture(wanted.row), f.origin, f.place)


def of_vllm(served: Iterable[Subject]) -> list[Subject]:
    """Those that vLLM's tables speak of."""
    return [subject for subject in served if subject.by_vllm]
