"""What serves: the subject of the rules on engines, models and features."""

from __future__ import annotations

from typing import NamedTuple

from portability.engine.model import Fact, Feature, Place

_UNKNOWN = ("", "unknown")


class Subject(NamedTuple):
    """One thing that serves. `gpus`: devices are asked for or declared. `kind_told`: somebody says the model kind."""

    engine: Fact | None
    version: Fact | None
    model: Fact | None
    kind: Fact | None
    features: tuple[Feature, ...]
    gpus: bool
    kind_told: bool
    place: Place | None = None
    image: str = ""

    @property
    def engine_name(self) -> str:
        """The engine, lower case; empty where it cannot be told."""
        name = self.engine.value.lower() if self.engine else ""
        return "" if name in _UNKNOWN else name

    @property
    def at(self) -> Place | None:
        """Where the engine is said, or else the container."""
        return (self.engine.place if self.engine else None) or self.place
