"""Parts that are known already: their LLVM targets and families, as rows of the shipped source `gpu-parts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from portability.engine.matrices.keys import PARTS
from portability.engine.matrices.shipped import knowledge

_WORDS = {"gfx": "gfx", "family": "fam"}


@cache
def known_parts() -> Sequence[Mapping[str, str]]:
    """Each known part as {gpu, gfx, fam}, as far as they are known."""
    release = knowledge().release(PARTS)
    found: dict[str, dict[str, str]] = {}
    for cell in release.cells.values() if release else ():
        _, part, what = cell.key.split("/")
        if what in _WORDS:
            found.setdefault(part, {"gpu": part})[_WORDS[what]] = cell.value
    return tuple(found.values())


@cache
def known(part: str) -> Mapping[str, str]:
    """One part; only its name where nothing is known of it."""
    return next((known for known in known_parts() if known["gpu"] == part), {"gpu": part})
