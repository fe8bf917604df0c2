"""Rows told by patterns, all tried at once: RE2 goes over a text once, however many patterns there are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

import re2

T = TypeVar("T")


class Patterns(Generic[T]):
    """Patterns that each tell something, the more particular first. Immutable; safe to share between threads."""

    def __init__(self, told: Iterable[tuple[str, T]]) -> None:
        options = re2.Options()
        options.log_errors = False
        self._set = re2.Set.SearchSet(options)
        self._told: list[T] = []
        for pattern, what in told:
            self._set.Add(pattern)  # raises re2.error where it is none
            self._told.append(what)
        self._set.Compile()

    @property
    def told(self) -> tuple[T, ...]:
        """What the patterns tell, in their order."""
        return tuple(self._told)

    def first(self, text: str) -> T | None:
        """What the first pattern tells that is found in a text, or None."""
        found = self._set.Match(text)
        return self._told[min(found)] if found else None
