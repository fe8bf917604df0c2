"""The register's pages and exposure on PostgreSQL with registers of three sizes: queries, bytes and time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.bench.served import served, settle
from tests.bench.timing import median_seconds, yardstick

SIZES = (1_000, 20_000, 100_000)
TIMES = 15
# Pages whose cost is not to grow with the register: what is looked at, and its address with the number of a page.
PAGES = (
    ("plain", "/register/"),
    ("filtered", "/register/?team=team-1&criticality=high&verdict=needs-change"),
    ("searched", "/register/?q=workload-0071"),
    ("sorted by why", "/register/?sort=why"),
    ("sorted by GPUs", "/register/?sort=-gpus"),
    ("in the middle", "/register/?page={middle}"),
    ("the last page", "/register/?page={last}"),
    ("the last, sorted by team", "/register/?sort=team&page={last}"),
    ("what would stop", "/"),
    ("what would, as decided", "/?counts=decided"),
)
# NetBox's list of 20,000 objects on such a machine, for 50 rows: milliseconds and bytes.
NETBOX = (220, 233_000)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one page costs."""

    queries: int
    seconds: float
    size: int


def bench_pages() -> None:
    """Print what each page costs at each size, and next to NetBox's list."""
    with served() as database:
        from django.db import connection
        from django.test import Client
        from django.test.utils import CaptureQueriesContext

        from portability.accounts.models import Person
        from tests.bench.generated import grow

        client = Client(headers={"host": "localhost"})
        client.force_login(Person.objects.create(username="reader"))

        def cost(address: str) -> Cost:
            def ask() -> int:
                answer = client.get(address)
                if answer.status_code != 200:
                    raise SystemExit(f"{address} answered {answer.status_code}")
                return len(answer.content)

            def queries() -> int:
                with CaptureQueriesContext(connection) as found:
                    ask()
                return len(found)

            size = ask()
            asked = min(queries(), queries())  # once in some seconds the organisation's settings are asked for again
            return Cost(asked, median_seconds(ask, TIMES), size)

        print(f"pages of 50 rows on {database}: median milliseconds of {TIMES}, queries, kB; {yardstick()}")
        costs: dict[str, list[Cost]] = {name: [] for name, _ in PAGES}
        for size in SIZES:
            grow(size)
            settle()
            _measure(size, costs, cost)
    for name, (small, large, _) in costs.items():
        assert small.queries == large.queries, (name, small.queries, large.queries)
    _print(costs)


def _measure(size: int, costs: dict[str, list[Cost]], cost: Callable[[str], Cost]) -> None:
    for name, address in PAGES:
        costs[name].append(cost(address.format(last=size // 50, middle=size // 100)))


def _print(costs: dict[str, list[Cost]]) -> None:
    sizes = "  ".join(f"{size:>9,}" for size in SIZES)
    print(f"  {'':26} {sizes}   20,000 to 1,000  queries     kB   NetBox's 20,000")
    for name, found in costs.items():
        small, large, _ = found
        times = "  ".join(f"{1000 * each.seconds:9.1f}" for each in found)
        growth = f"{large.seconds / small.seconds:13.2f} x  {large.queries:7}  {large.size / 1000:5.0f}"
        netbox = f"{NETBOX[0] / (1000 * large.seconds):4.1f} x quicker, {large.size / NETBOX[1]:.2f} of its size"
        print(f"  {name:26} {times}   {growth}   {netbox}")
