"""Answers of pure functions, kept while they are likely to be asked for again: registers hold much of the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Generic, TypeVar

_ANSWERS = 8_192
_LONGEST = 500  # characters of a text that is kept
K = TypeVar("K")
T = TypeVar("T")


class Memo(dict[K, T], Generic[K, T]):
    """Answers of a pure function by what it was asked: `memo[question]`. Forgotten all at once where they are many; of
    long texts none is kept.

    For questions so short and so frequent that calling a function for each would cost more than the answer.
    """

    def __init__(self, work: Callable[[K], T], most: int = _ANSWERS) -> None:
        super().__init__()
        self._work = work
        self._most = most

    def __missing__(self, asked: K) -> T:
        if len(self) >= self._most:
            self.clear()
        answer = self._work(asked)
        if asked.__class__ is not str or len(str(asked)) <= _LONGEST:
            self[asked] = answer
        return answer


def remembered(work: Callable[[str], T]) -> Callable[[str], T]:
    """A pure function of one text that keeps its last answers. Long texts are not kept, so that memory is bounded."""
    kept = lru_cache(maxsize=_ANSWERS)(work)

    @wraps(work)
    def ask(text: str) -> T:
        return kept(text) if len(text) <= _LONGEST else work(text)

    return ask


def remembered_beside(work: Callable[[str, K], T]) -> Callable[[str, K], T]:
    """The same of a text and what it stands beside: another text, or a flag."""
    kept = lru_cache(maxsize=_ANSWERS)(work)

    @wraps(work)
    def ask(text: str, beside: K) -> T:
        short = len(text) <= _LONGEST and (beside.__class__ is not str or len(str(beside)) <= _LONGEST)
        return kept(text, beside) if short else work(text, beside)

    return ask
