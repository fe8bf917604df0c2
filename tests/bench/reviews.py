"""A quarter's review on PostgreSQL at two sizes: opening, the queue, one decision, closing, the closed review's page,
report and record. Queries, time and memory."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.bench.filling import fill
from tests.bench.served import seconds_until_done, served, settle, workers

if TYPE_CHECKING:
    from django.test import Client

    from portability.accounts.models import Person
    from portability.reviews.models import Review

SIZES = (1_000, 10_000)
TARGET = "mi300x-single"
TODAY = date(2026, 11, 30)
Act = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Cost:
    """What one act costs. `megabytes`: by how much the process grew meanwhile, at most."""

    queries: int
    seconds: float
    megabytes: float


def bench_reviews() -> None:
    """Print what each act costs at both sizes, and the ratio."""
    with served() as database:
        found = [_review(size) for size in SIZES]
        print(
            f"a review with a target and findings as in the bench of runs, on {database}, {os.cpu_count()} processors"
        )
        print(f"  {'':28} {SIZES[0]:>9,} entries {SIZES[1]:>18,} entries")
        print(f"  {'':28} {'queries':>8} {'ms':>8} {'MB':>5}  {'queries':>8} {'ms':>8} {'MB':>5}   ratio")
        for name, small in found[0].items():
            large = found[1][name]
            print(f"  {name:28} {_told(small)}  {_told(large)}  {large.seconds / small.seconds:5.1f} x")
        load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        print(f"  load {load}")


def _told(cost: Cost) -> str:
    return f"{cost.queries:8,} {1000 * cost.seconds:8,.1f} {cost.megabytes:5.0f}"


def _review(size: int) -> dict[str, Cost]:
    """The costs of one review, in a register of its own."""
    from django.core.management import call_command
    from django.test import Client

    from portability.accounts.models import Person
    from portability.organisation.dates import Quarter
    from portability.reviews.actions import add_addendum, close, open_review

    call_command("flush", interactive=False, verbosity=0)
    _judged(size)
    architect = Person.objects.create(username="architect", architect=True)
    client = Client(headers={"host": "localhost"})
    client.force_login(architect)
    where = f"/reviews/{Quarter.of(TODAY, 1)}/"
    settle()
    costs = {"opening": _cost(lambda: open_review(architect, Quarter.of(TODAY, 1), TODAY))}
    review = _only_review()
    settle()
    costs["queue, first page"] = _median(lambda: _get(client, where))
    costs["queue, one entry"] = _median(lambda: _get(client, f"{where}?at={_entries(review)[-1]}"))
    costs["one decision"] = _decision(client, review)
    _decide(architect, review)
    settle()
    costs["closing"] = _cost(lambda: close(architect, review.pk, "All was looked at.", TODAY))
    add_addendum(architect, review.pk, "One owner is another.")
    settle()
    costs["closed page"] = _median(lambda: _get(client, where))
    costs["closed page, filtered"] = _median(lambda: _get(client, f"{where}?verdict=pinned&team=Team+3&page=2"))
    costs["report"] = _cost(lambda: _get(client, f"{where}report/"))
    costs["record, download"] = _cost(lambda: _get(client, f"{where}record.json"))
    costs["CSV, download"] = _cost(lambda: _get(client, f"{where}register.csv"))
    sizes = [_get(client, where + name) / 1e6 for name in ("report/", "record.json", "register.csv")]
    print(f"  {size:,} entries: report {sizes[0]:.1f} MB, record {sizes[1]:.1f} MB, CSV {sizes[2]:.1f} MB")
    return costs


def _judged(size: int) -> None:
    """Register so many workloads that run on NVIDIA, and have them judged for the default target by two workers."""
    from portability.matrices.actions import load_shipped
    from portability.organisation.models import DefaultTarget
    from portability.register.actions import reassess_outdated
    from portability.targets.actions import load_shipped_targets
    from portability.targets.models import Target
    from portability.workloads.models import Workload

    load_shipped()
    load_shipped_targets()
    Target.objects.exclude(name=TARGET).update(active=False)
    DefaultTarget.objects.create(vendor="nvidia", target=Target.objects.get(name=TARGET))
    fill(size)
    Workload.objects.update(vendor_today="nvidia", gpus=2, replicas=2)
    with workers(2):
        run = reassess_outdated(None)
        assert run is not None and run.total == size
        seconds_until_done(run.pk, time.perf_counter())


def _only_review() -> Review:
    from portability.reviews.models import Review

    return Review.objects.get()


def _entries(review: Review) -> list[int]:
    return list(review.entries.order_by("pk").values_list("pk", flat=True))


def _decision(client: Client, review: Review) -> Cost:
    """To agree to an entry, with the answer that a browser gets: the next one."""
    from portability.reviews.models import Entry
    from portability.reviews.standing import entries, lines

    found: Any = entries(review, TODAY)  # with annotations
    assessed = found.exclude(engine_verdict="not-assessed").filter(state=Entry.State.OPEN)
    waiting = lines(assessed.order_by("pk")[:8])

    def decide() -> None:
        line = waiting.pop()
        seen = {"version": line.entry.version, "assessment": line.assessment}
        answer = client.post(f"/reviews/entries/{line.entry.pk}/decide/agree/", seen, headers={"HX-Request": "true"})
        assert answer.status_code == 200, answer.status_code

    cost = _median(decide)
    assert Entry.objects.filter(review=review, state=Entry.State.DECIDED).count() == 7
    return cost


def _decide(architect: Person, review: Review) -> None:
    """The rest, as many at once as may be."""
    from portability.reviews.actions import Seen, decide_many
    from portability.reviews.actions.many import MANY
    from portability.reviews.given import Given
    from portability.reviews.models import Entry
    from portability.reviews.standing import entries

    left: Any = entries(review, TODAY).filter(state=Entry.State.OPEN)
    until = TODAY + timedelta(days=60)
    not_known = Given("not-known", reason="Nobody asked.", finds_out="the team", by_day=until)
    for assessed, given in (
        (left.exclude(engine_verdict="not-assessed"), Given("agree", reason="As it is.")),
        (left.filter(engine_verdict="not-assessed"), not_known),
    ):
        found = list(assessed.order_by("pk").values_list("pk", "version", "assessment_now"))
        for start in range(0, len(found), MANY):
            some = {pk: Seen(version, assessment) for pk, version, assessment in found[start : start + MANY]}
            decide_many(architect, some, given, TODAY)


def _get(client: Client, address: str) -> int:
    """Ask for an address. How many bytes it answers."""
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return sum(map(len, answer)) if answer.streaming else len(answer.content)


def _cost(act: Act) -> Cost:
    """Of doing it once."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    before = _held()
    with CaptureQueriesContext(connection) as queries:
        began = time.perf_counter()
        act()
        seconds = time.perf_counter() - began
    return Cost(len(queries), seconds, _most_held() - before)


def _median(act: Act) -> Cost:
    """The middle of six by the clock, after one that warms up."""
    act()
    costs = sorted((_cost(act) for _ in range(6)), key=lambda cost: cost.seconds)
    return Cost(min(cost.queries for cost in costs), costs[3].seconds, max(cost.megabytes for cost in costs))


def _held() -> float:
    """Megabytes that the process holds; from here on the most that it holds is counted anew (Linux only)."""
    Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


def _most_held() -> float:
    return _status("VmHWM")


def _status(name: str) -> float:
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(f"{name}:")) / 1000
