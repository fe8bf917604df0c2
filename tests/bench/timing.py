"""How times are taken: several acts in turn, the best of each, so that what else a machine does falls on all alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping

Act = Callable[[], object]


def best_seconds(acts: Mapping[str, Act], times: int) -> dict[str, float]:
    """Processor seconds of each act by its name: the least of several turns, in each of which all are done once."""
    taken = dict.fromkeys(acts, float("inf"))
    for _ in range(times):
        for name, act in acts.items():
            began = time.process_time()
            act()
            taken[name] = min(taken[name], time.process_time() - began)
    return taken


def median_seconds(act: Act, times: int) -> float:
    """The middle of several runs by the clock, after one that warms up."""
    act()
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def yardstick() -> str:
    """How quick this machine's Python is just now, in words: milliseconds on another machine are read by it."""
    seconds = median_seconds(lambda: sum(n * n for n in range(1_000_000)), 5)
    return f"a million squares added up by Python take {1000 * seconds:.0f} ms here"
