"""`make bench`: costs as ratios within one run, printed. Nothing is judged by them here.

Names of benches (engine, start, register) run only those.
"""

from __future__ import annotations

import sys


def main(names: list[str]) -> None:
    """Run the benches that are named, or all."""
    from tests.bench.engine import bench_engine
    from tests.bench.register import bench_register
    from tests.bench.start import bench_start

    benches = {"engine": bench_engine, "start": bench_start, "register": bench_register}
    for name, bench in benches.items():
        if not names or name in names:
            bench()


if __name__ == "__main__":
    main(sys.argv[1:])
