"""Faults of the embedded product, on SQLite and a folder of messages: nothing is lost, done by halves or left wrong."""

from __future__ import annotations

import os
import shutil
import signal
import sys

import pytest

from tests.faults.product import Product
from tests.faults.wanted import DRIVER, right_in_the_end, told
from tests.servers import until

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


@pytest.mark.workloads(2000)
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
