"""Faults of the served product, on PostgreSQL and Redis of its own: nothing is lost, done by halves or left wrong."""

from __future__ import annotations

import signal

import pytest

from tests.faults.product import Product
from tests.faults.wanted import DRIVER, right_in_the_end, told
from tests.servers import Postgres, Redis

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


@pytest.mark.workloads(2000)
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
