"""What is known already of parts and systems, by the releases that a document is held against.

Those that ship, unless `held_against` names others: an organisation's own, newer ones know more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from portability.engine.matrices import shipped
from portability.engine.matrices.keys import PARTS
from portability.engine.matrices.knowledge import Knowledge

_SEPARATORS = re.compile(r"[^a-z0-9]+")
_TARGET = re.compile(r"gfx[0-9a-f]{3,5}|mi[0-9]{3}[a-z]?")
_WORDS = {"gfx": "gfx", "family": "fam"}
_named: ContextVar[Knowledge | None] = ContextVar("held_against", default=None)


@contextmanager
def held_against(published: Knowledge | None) -> Iterator[None]:
    """Hold what is read against these releases; None: those that ship."""
    token = _named.set(published)
    try:
        yield
    finally:
        _named.reset(token)


def releases() -> Knowledge:
    """The releases that a document is held against."""
    return _named.get() or shipped.knowledge()


def known_parts() -> Sequence[Mapping[str, str]]:
    """Each known part as {gpu, gfx, fam}, as far as they are known."""
    return _parts(releases())


@lru_cache(maxsize=4)
def _parts(among: Knowledge) -> Sequence[Mapping[str, str]]:
    release = among.release(PARTS)
    found: dict[str, dict[str, str]] = {}
    for cell in release.cells.values() if release else ():
        _, part, what = cell.key.split("/")
        if what in _WORDS:
            found.setdefault(part, {"gpu": part})[_WORDS[what]] = cell.value
    return tuple(found.values())


def names_hardware(said: str) -> bool:
    """Whether a text names a known part, a series of Instinct or an LLVM target: an attribute's value, a heading."""
    words = set(_SEPARATORS.split(said.lower()))
    return any(_TARGET.fullmatch(word) for word in words) or not words.isdisjoint(_names(releases()))


def names_family(said: str) -> bool:
    """Whether a text has the name of a family of parts in it."""
    families = {part["fam"] for part in known_parts() if "fam" in part}
    return not families.isdisjoint(_SEPARATORS.split(said.lower()))


@lru_cache(maxsize=4)
def _names(among: Knowledge) -> frozenset[str]:
    """The parts' names, but for those so short that they may be a word of something else."""
    return frozenset(part["gpu"] for part in _parts(among) if len(part["gpu"]) > 4)


def known(part: str) -> Mapping[str, str]:
    """One part; only its name where nothing is known of it."""
    return next((known for known in known_parts() if known["gpu"] == part), {"gpu": part})
