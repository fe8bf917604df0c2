"""Faults of the embedded product, on SQLite and a folder of messages: nothing is lost, done by halves or left wrong."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.faults.product import Product
from tests.faults.wanted import DRIVER, PREFIXES, of_a_former_version, right_in_the_end, told
from tests.ops.running import manage
from tests.servers import until

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


@pytest.mark.parametrize("embedded", [2000], indirect=True)
def test_the_worker_is_killed_three_times_during_a_run(embedded: Product) -> None:
    """Under `serve`, which starts it again."""
    embedded.run("serve", [sys.executable, "manage.py", "serve", "--port", str(embedded.port)])
    until("the web server", lambda: embedded.get("/health/live/").status == 200)
    embedded.publish(embedded.inside("draft", *DRIVER))
    for _ in range(3):
        until("a batch in hand", embedded.claimed, every=0.01)
        worker = until("the worker", lambda: embedded.child("serve", "worker"))
        os.kill(worker, signal.SIGKILL)
        until("another worker", lambda: embedded.child("serve", "worker") not in (0, worker))  # noqa: B023
    assert not embedded.ended()
    found = right_in_the_end(embedded)
    assert found["runs"][-1]["done"] == 2000
    told(embedded, "2000 done", "fell silent")


@pytest.mark.parametrize("how", ["gone", "a file"])
def test_the_folder_of_messages_is_away_before_publishing_and_during_the_run(embedded: Product, how: str) -> None:
    folder, aside = embedded.folder / "queue-mine", embedded.folder / "aside"

    def leave() -> None:
        folder.rename(aside)
        if how == "a file":  # which nobody can write messages into, root included
            folder.write_text("")

    def come_back() -> None:
        if folder.is_file():
            folder.unlink()
        shutil.rmtree(folder, ignore_errors=True)
        aside.rename(folder)

    embedded.run("serve", [sys.executable, "manage.py", "serve", "--port", str(embedded.port)])
    until("the web server", lambda: embedded.get("/health/live/").status == 200)
    draft = embedded.inside("draft", *DRIVER)
    leave()
    embedded.publish(draft)
    embedded.keeps_answering()
    assert "The broker was away when the run began" in embedded.page_of_run()
    come_back()
    until("a batch in hand", embedded.claimed, every=0.01)
    leave()
    embedded.keeps_answering()
    come_back()
    right_in_the_end(embedded)
    told(embedded, "600 done", "The broker was away when the run began", "The scheduled check took it up")


def test_two_releases_are_published_at_once(embedded: Product) -> None:
    for name in ("web", "beat", "one"):
        embedded.start(name)
    drafts = [embedded.inside("draft", *DRIVER), embedded.inside("draft", *PREFIXES)]
    with ThreadPoolExecutor() as pool:
        runs = list(pool.map(embedded.publish, drafts))
    found = {run["id"]: run for run in right_in_the_end(embedded)["runs"]}
    for run in runs:
        told(embedded, f"{found[run]['done']} done", run=run)


def test_a_release_is_published_while_the_worker_judges_by_the_one_before(embedded: Product) -> None:
    for name in ("web", "beat", "one"):
        embedded.start(name)
    embedded.publish(embedded.inside("draft", *DRIVER))
    embedded.caught_at_work("one")
    embedded.publish(embedded.inside("draft", DRIVER[0], DRIVER[1], "31.40.1"))
    embedded.signal("one", signal.SIGCONT)
    right_in_the_end(embedded)


def test_every_batch_is_delivered_twice(embedded: Product) -> None:
    embedded.start("web")
    embedded.publish(embedded.inside("draft", *DRIVER))
    assert embedded.inside("again") >= 3
    embedded.start("one")
    right_in_the_end(embedded)
    until("the second deliveries", lambda: "Nothing was done twice" in embedded.page_of_run())
    told(embedded, "600 done")


@pytest.mark.parametrize("embedded", [2000], indirect=True)
def test_a_worker_of_a_former_version_goes_on_during_an_upgrade(embedded: Product, tmp_path: Path) -> None:
    former = of_a_former_version(tmp_path)
    embedded.start("web")
    embedded.start("beat")
    embedded.inside("put_in_force", env=former)
    embedded.start("former", env=former, app="former")
    published = embedded.publish(embedded.inside("draft", *DRIVER))
    until("its first verdicts", lambda: embedded.one("SELECT count(*) FROM register_row WHERE verdict = 'pinned'"))
    embedded.caught_at_work("former")
    manage(embedded.env, "load_shipped", "--verbosity", "0")  # as `prepare` does
    embedded.signal("former", signal.SIGCONT)
    until("what it left", lambda: "than the one in force left" in embedded.page_of_run(published))
    embedded.start("one")
    found = right_in_the_end(embedded)
    assert "pinned" not in found["verdicts"], "what it judged was judged again"
    told(embedded, "Stop", run=published)
