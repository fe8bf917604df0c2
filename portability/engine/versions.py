"""Versions compared by components at the precision that the published cell gives, never as text or float."""

from __future__ import annotations

import re
from collections.abc import Iterable

from portability.engine.memo import remembered

_NUMBER = re.compile(r"\d+")
_MOST_DIGITS = 18  # of a component; Python refuses to read numbers of thousands of digits


@remembered
def components(version: str) -> tuple[int, ...]:
    """The numbers of a version in order: `6.8.0-45-generic` is (6, 8, 0, 45). Letters only separate."""
    return tuple(int(n[:_MOST_DIGITS]) for n in _NUMBER.findall(version))


def matches(version: str, cell: str) -> bool:
    """Whether `version` is the cell's version at the cell's precision: 6.8.0-45 is 6.8; 6.1 is not 6.17.

    A version less precise than the cell does not match; `less_precise` tells the two apart.
    """
    wanted = components(cell)
    return bool(wanted) and components(version)[: len(wanted)] == wanted


def less_precise(version: str, cell: str) -> bool:
    """Whether `version` stops short of the cell's precision while agreeing so far: 24.04 against 24.04.4."""
    given, wanted = components(version), components(cell)
    return bool(given) and len(given) < len(wanted) and wanted[: len(given)] == given


def compare(left: str, right: str) -> int:
    """-1, 0 or 1 by components; missing ones count as zero (1.4 < 1.40, 7.0 == 7.0.0)."""
    a, b = components(left), components(right)
    size = max(len(a), len(b))
    a, b = a + (0,) * (size - len(a)), b + (0,) * (size - len(b))
    return (a > b) - (a < b)


def newest(versions: Iterable[str]) -> str | None:
    """The highest version, or None of none."""
    best: str | None = None
    for version in versions:
        if best is None or compare(version, best) > 0:
            best = version
    return best


def nearest(version: str, among: Iterable[str]) -> str | None:
    """The highest version that is not above the one asked for; else the lowest of all."""
    ordered = sorted(among, key=components)
    below = [each for each in ordered if compare(each, version) <= 0]
    return below[-1] if below else next(iter(ordered), None)
