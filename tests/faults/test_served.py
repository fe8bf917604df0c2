"""Faults of the served product, on PostgreSQL and Redis of its own: nothing is lost, done by halves or left wrong."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.faults.product import Product
from tests.faults.wanted import DRIVER, PREFIXES, of_a_former_version, right_in_the_end, told
from tests.ops.running import manage
from tests.servers import Postgres, Redis, until

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


@pytest.mark.parametrize("served", [2000], indirect=True)
def test_workers_are_killed_three_times_during_a_run(served: Product) -> None:
    served.start("web")
    served.start("beat")
    served.publish(served.inside("draft", *DRIVER))
    for _ in range(3):
        served.start("one")
        served.start("other")
        served.caught_at_work("one", "other")
        served.kill("one")
        served.kill("other")
    assert not served.ended()
    served.start("one")
    served.start("other")
    found = right_in_the_end(served)
    assert found["runs"][-1]["done"] == 2000
    told(served, "2000 done", "fell silent")


@pytest.mark.parametrize("how", ["stopped", "silent"])
def test_the_broker_is_away_before_publishing_and_during_the_run(served: Product, broker: Redis, how: str) -> None:
    leave, come_back = (broker.stop, broker.start) if how == "stopped" else (broker.hold, broker.go_on)
    for name in ("web", "beat", "one"):
        served.start(name)
    draft = served.inside("draft", *DRIVER)
    leave()
    served.publish(draft)
    served.keeps_answering()
    assert "The broker was away when the run began" in served.page_of_run()
    assert served.one("SELECT done FROM register_run ORDER BY id DESC LIMIT 1") == 0
    come_back()
    served.caught_at_work("one")
    leave()
    served.signal("one", signal.SIGCONT)
    served.keeps_answering()
    come_back()
    right_in_the_end(served)
    told(served, "600 done", "The broker was away when the run began", "The scheduled check took it up")
    assert served.alive("one") and served.alive("beat"), "neither has to be started again"


def test_the_database_is_restarted_during_a_run(served: Product, postgres: Postgres) -> None:
    for name in ("web", "beat", "one"):
        served.start(name)
    served.publish(served.inside("draft", *DRIVER))
    served.caught_at_work("one")
    postgres.restart()
    served.signal("one", signal.SIGCONT)
    right_in_the_end(served)
    heard = "The database went away while a batch was judged"
    never_heard = "fell silent"  # that it had claimed the batch: the database was gone before it said so
    told(served, "600 done", either=(heard, never_heard))
    assert served.alive("one") and served.alive("beat") and served.alive("web")


def test_two_releases_are_published_at_once(served: Product) -> None:
    for name in ("web", "beat", "one", "other"):
        served.start(name)
    drafts = [served.inside("draft", *DRIVER), served.inside("draft", *PREFIXES)]
    with ThreadPoolExecutor() as pool:
        runs = list(pool.map(served.publish, drafts))
    found = {run["id"]: run for run in right_in_the_end(served)["runs"]}
    assert found[runs[0]]["total"] == 600, "every assessment asked for the driver"
    assert 0 < found[runs[1]]["total"] <= 600
    for run in runs:
        told(served, f"{found[run]['done']} done", run=run)


def test_a_release_is_published_while_a_worker_judges_by_the_one_before(served: Product) -> None:
    """The second release takes back what the first said: what is judged by the first meanwhile must not stay."""
    for name in ("web", "beat", "one"):
        served.start(name)
    served.publish(served.inside("draft", *DRIVER))
    served.caught_at_work("one")
    served.publish(served.inside("draft", DRIVER[0], DRIVER[1], "31.40.1"))
    served.signal("one", signal.SIGCONT)
    right_in_the_end(served)


def test_every_batch_is_delivered_twice(served: Product) -> None:
    served.start("web")
    served.publish(served.inside("draft", *DRIVER))
    assert served.inside("again") >= 3
    served.start("one")
    served.start("other")
    right_in_the_end(served)
    until("the second deliveries", lambda: "Nothing was done twice" in served.page_of_run())
    told(served, "600 done")


@pytest.mark.parametrize("served", [2000], indirect=True)
def test_a_worker_of_a_former_version_goes_on_during_an_upgrade(served: Product, tmp_path: Path) -> None:
    former = of_a_former_version(tmp_path)
    served.start("web")
    served.start("beat")
    served.inside("put_in_force", env=former)
    served.start("former", env=former, app="former")
    published = served.publish(served.inside("draft", *DRIVER))
    until("its first verdicts", lambda: served.one("SELECT count(*) FROM register_row WHERE verdict = 'pinned'"))
    served.caught_at_work("former")
    manage(served.env, "load_shipped", "--verbosity", "0")  # as `prepare` does
    served.signal("former", signal.SIGCONT)
    until("what it left", lambda: "than the one in force left" in served.page_of_run(published))
    served.start("one")
    found = right_in_the_end(served)
    assert "pinned" not in found["verdicts"], "what it judged was judged again"
    assert served.alive("former")
    told(served, "Stop", run=published)
