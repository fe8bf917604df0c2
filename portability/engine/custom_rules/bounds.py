"""How much a custom rule may be and may do. Beyond the first it is refused, beyond the second it is switched off.

Steps are counted, so that the same rule on the same manifests always takes as many; the time is processor time of the
thread, so that a busy machine switches nothing off, and only a backstop for what one step may cost.
"""

from __future__ import annotations

import time

MAX_PATH = 300  # characters
MAX_CONDITION = 1_000  # characters
MAX_NESTING = 20  # brackets inside brackets, as written
MAX_DEPTH = 60  # of the condition as it is read: a chain of sixty `||` is as deep
MAX_PATTERN = 200  # characters of a regular expression
MAX_PATTERN_SIZE = 2_000  # instructions RE2 makes of it: `{500}` inside `{500}` is small as text and huge as this
MAX_STEPS = 100_000  # of one rule on one workload, path and condition together
MAX_SECONDS = 5.0  # of processor time, of one rule on one workload
MAX_MATCHES = 1_000  # values of one workload that the path may lead to
STEPS_AN_ITEM = 5  # what each item costs that `exists`, `all`, `map` and `filter` ask about, besides the asking
CHARACTERS_A_STEP = 50  # what handling a text costs: joining it, searching it


class Exceeded(Exception):
    """A rule did more than it may; the message says of what."""


class Meter:
    """Counts what one rule does on one workload."""

    def __init__(self, steps: int = MAX_STEPS, seconds: float = MAX_SECONDS) -> None:
        self._allowed = steps
        self._left = steps
        self._seconds = seconds
        self._until = time.thread_time() + seconds

    @property
    def used(self) -> int:
        """Steps so far."""
        return self._allowed - self._left

    def tick(self, steps: int = 1) -> None:
        """Count before doing. Raises Exceeded."""
        self._left -= steps
        if self._left < 0:
            raise Exceeded(f"it takes more than {self._allowed:,} steps")
        if time.thread_time() > self._until:
            raise Exceeded(f"it takes more than {self._seconds:g} s")

    def text(self, length: int, weight: int = 1) -> None:
        """Count the handling of a text of so many characters. Raises Exceeded."""
        self.tick(1 + length * weight // CHARACTERS_A_STEP)
