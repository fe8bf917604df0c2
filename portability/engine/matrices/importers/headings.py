"""The headings that a table stands under: what one of them calls past does not hold today."""

from __future__ import annotations

from portability.engine.matrices.importers.names import not_current

_LIMIT_SHOWN = 60
_LIMIT_WORDS = 300


class Headings:
    """The headings over the place that a reader has come to, each with its level."""

    def __init__(self) -> None:
        self._over: list[tuple[int, str, str]] = []  # levels, words, and what stands against a table there

    def enter(self, level: int, words: str) -> None:
        """Come to a heading: it ends those of its level and below."""
        self._over = [each for each in self._over if each[0] < level]
        self._over.append((level, words[:_LIMIT_WORDS], fault_under(words)))

    def fault(self) -> str:
        """Why a table that begins here cannot be read; "" where no heading stands against it."""
        return next((fault for _, _, fault in self._over if fault), "")

    def words(self) -> tuple[str, ...]:
        """What the headings say, at most the beginning of each."""
        return tuple(words for _, words, _ in self._over)


def fault_under(words: str) -> str:
    """Why what stands under these words cannot be read; "" where they do not stand against it."""
    return f"the table stands under “{words[:_LIMIT_SHOWN]}”" if not_current(words) else ""
