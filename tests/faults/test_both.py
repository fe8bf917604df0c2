"""What embedded and served product must get over alike: acts that cross each other, and messages that come twice."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.faults.product import Product
from tests.faults.wanted import DRIVER, PREFIXES, of_a_former_version, right_in_the_end, told
from tests.ops.running import manage
from tests.servers import until

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


def test_two_releases_are_published_at_once(product: Product) -> None:
    product.start_all()
    drafts = [product.inside("draft", *DRIVER), product.inside("draft", *PREFIXES)]
    with ThreadPoolExecutor() as pool:
        runs = list(pool.map(product.publish, drafts))
    found = {run["id"]: run for run in right_in_the_end(product)["runs"]}
    assert found[runs[0]]["total"] == 600, "every assessment asked for the driver"
    assert 0 < found[runs[1]]["total"] <= 600
    for run in runs:
        told(product, f"{found[run]['done']} done", run=run)


def test_a_release_is_published_while_a_worker_judges_by_the_one_before(product: Product) -> None:
    """The second release takes back what the first said: what is judged by the first meanwhile must not stay."""
    for name in ("web", "beat", "one"):
        product.start(name)
    product.publish(product.inside("draft", *DRIVER))
    product.caught_at_work("one")
    product.publish(product.inside("draft", DRIVER[0], DRIVER[1], "31.40.1"))
    product.signal("one", signal.SIGCONT)
    right_in_the_end(product)


def test_every_batch_is_delivered_twice(product: Product) -> None:
    product.start("web")
    product.publish(product.inside("draft", *DRIVER))
    assert product.inside("again") >= 3
    for name in product.workers:
        product.start(name)
    right_in_the_end(product)
    until("the second deliveries", lambda: "Nothing was done twice" in product.page_of_run())
    told(product, "600 done")


@pytest.mark.workloads(2000)
def test_a_worker_of_a_former_version_goes_on_during_an_upgrade(product: Product, tmp_path: Path) -> None:
    former = of_a_former_version(tmp_path)
    product.start("web")
    product.start("beat")
    product.inside("put_in_force", env=former)
    product.start("former", env=former, app="former")
    published = product.publish(product.inside("draft", *DRIVER))
    until("its first verdicts", lambda: product.one("SELECT count(*) FROM register_row WHERE verdict = 'pinned'"))
    product.caught_at_work("former")
    manage(product.env, "load_shipped", "--verbosity", "0")  # as `prepare` does
    product.signal("former", signal.SIGCONT)
    until("what it left", lambda: "than the one in force left" in product.page_of_run(published))
    product.start("one")
    found = right_in_the_end(product)
    assert "pinned" not in found["verdicts"], "what it judged was judged again"
    assert product.alive("former")
    told(product, "Stop", run=published)
