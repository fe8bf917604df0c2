"""Answers of pure functions, kept while they are likely to be asked for again: registers hold much of the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

_ANSWERS = 8_192
_LONGEST = 500  # characters of a text that is kept
T = TypeVar("T")


def remembered(work: Callable[[str], T]) -> Callable[[str], T]:
    """A pure function of one text that keeps its last answers. Long texts are not kept, so that memory is bounded."""
    kept = lru_cache(maxsize=_ANSWERS)(work)

    @wraps(work)
    def ask(text: str) -> T:
        return kept(text) if len(text) <= _LONGEST else work(text)

    return ask
