"""The register as CSV on PostgreSQL: first rows, rows a second and memory, next to Python's csv writer alone."""

from __future__ import annotations

import csv
import io
import time
import tracemalloc
from collections.abc import Iterator

from tests.bench.served import served, settle

ROWS = 100_000
TURNS = 3
NETBOX = 3_000  # rows a second that NetBox exports on such a machine
FILES = (("the columns shown", "/register/export.csv"), ("every column", "/register/export.csv?columns=all"))


def bench_exports() -> None:
    """Print what files of a large register cost."""
    with served() as database:
        from django.test import Client

        from portability.accounts.models import Person
        from tests.bench.generated import grow

        client = Client(headers={"host": "localhost"})
        client.force_login(Person.objects.create(username="reader"))

        def pieces(address: str) -> Iterator[bytes]:
            answer = client.get(address)
            if answer.status_code != 200 or not answer.streaming:
                raise SystemExit(f"{address} answered {answer.status_code}")
            yield from answer

        grow(ROWS // 10)
        small = {address: _peak(pieces(address)) for _, address in FILES}
        grow(ROWS)
        settle()
        print(f"CSV of {ROWS:,} rows on {database}, best of {TURNS} turns")
        for name, address in FILES:
            first, seconds, size = min((_taken(pieces(address)) for _ in range(TURNS)), key=lambda took: took[1])
            alone = min(_written(_rows(pieces(address))) for _ in range(TURNS))
            rate = ROWS / seconds
            print(f"  {name}: {size / 1e6:.1f} MB, {rate:,.0f} rows a second, {rate / NETBOX:.0f} x NetBox")
            print(f"    the writer alone {ROWS / alone:,.0f} rows a second: {alone / seconds:.2f} of that")
            print(f"    the first rows after {1000 * first:.0f} ms")
            peak = _peak(pieces(address))
            print(f"    memory at most {peak / 1e6:.2f} MB, for a tenth of the rows {small[address] / 1e6:.2f} MB")


def _taken(pieces: Iterator[bytes]) -> tuple[float, float, int]:
    """Seconds to the first piece and to the end, and bytes."""
    began = time.perf_counter()
    size = len(next(pieces))
    first = time.perf_counter() - began
    size += sum(map(len, pieces))
    return first, time.perf_counter() - began, size


def _rows(pieces: Iterator[bytes]) -> list[list[str]]:
    return list(csv.reader(io.StringIO(b"".join(pieces).decode("utf-8-sig"), newline="")))


def _written(rows: list[list[str]]) -> float:
    """Seconds that Python's csv writer takes for these rows, and nothing else."""
    began = time.perf_counter()
    csv.writer(io.StringIO()).writerows(rows)
    return time.perf_counter() - began


def _peak(pieces: Iterator[bytes]) -> int:
    """Bytes of Python's memory at most while a file is taken."""
    tracemalloc.start()
    for _ in pieces:
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
