"""`make bench`: costs as ratios within one run, printed. What is counted is asserted; how long it takes is not judged.

Names of benches (engine, start, register, runs, pages, exports, reviews) run only those.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from importlib import import_module

BENCHES = ("engine", "start", "register", "runs", "pages", "exports", "reviews")


def main(names: list[str]) -> int:
    """Run the benches that are named, or all: each in a process of its own, for each has settings of its own."""
    wanted = names or BENCHES
    if unknown := [name for name in wanted if name not in BENCHES]:
        print(f"There is no bench {', '.join(unknown)}; there are {', '.join(BENCHES)}.")
        return 2
    if len(wanted) == 1:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that servers of its own are stopped
        getattr(import_module(f"tests.bench.{wanted[0]}"), f"bench_{wanted[0]}")()
        return 0
    return max(subprocess.run([sys.executable, "-m", "tests.bench", name], check=False).returncode for name in wanted)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
