"""A real worker, fed through a folder as in the embedded product, does a run to its end."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PREPARE = """
import django; django.setup()
from portability.accounts.models import Team
from portability.register import actions, queries
from portability.register.models import Row
from portability.targets.models import Target
from tests.register.registering import register_workload
Target.objects.exclude(name="mi300x-single").update(active=False)
team = Team.objects.create(name="Search", slug="search")
for n in range(12):
    register_workload(team, f"w{n}")
Row.objects.all().delete()
actions.BATCH_SIZE = 5
target = Target.objects.get(active=True)
assert actions.start_run(cause="target", about="a test", pairs=queries.pairs_of_target(target), who=None)
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The embedded product in a folder of its own."""
    kept = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
    return {**kept, "PORTABILITY_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "portability.settings"}


def run(environment: dict[str, str], *arguments: str) -> None:
    """A Python that must succeed."""
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, check=True, timeout=120)


@contextmanager
def worker(environment: dict[str, str], folder: Path) -> Iterator[None]:
    """A worker with its beat, ended by its id."""
    schedule = str(folder / "beat")
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "portability",
        "worker",
        "--pool",
        "solo",
        "--beat",
        "-s",
        schedule,
    ]
    with (folder / "worker.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def ended(folder: Path, seconds: float) -> tuple[str, int, int]:
    """The run's state, what it did, and the rows there are, once it is over or the time is."""
    until = time.monotonic() + seconds
    while True:
        with closing(sqlite3.connect(folder / "register.sqlite3", timeout=20)) as database:
            state, done = database.execute("SELECT state, done FROM register_run").fetchone()
            [rows] = database.execute("SELECT count(*) FROM register_row").fetchone()
        if state != "running" or time.monotonic() > until:
            return state, done, rows
        time.sleep(0.3)


@pytest.mark.parametrize("messages", ["delivered", pytest.param("lost", marks=pytest.mark.long)])
def test_a_worker_does_a_run_to_its_end(environment: dict[str, str], tmp_path: Path, messages: str) -> None:
    run(environment, "manage.py", "migrate", "--verbosity", "0")
    run(environment, "manage.py", "load_shipped", "--verbosity", "0")
    run(environment, "-c", PREPARE)
    queue = tmp_path / "queue-register" / "messages"
    assert len(list(queue.iterdir())) == 3
    if messages == "lost":
        shutil.rmtree(queue)
        queue.mkdir()
    with worker(environment, tmp_path):
        state = ended(tmp_path, 60)
    assert state == ("done", 12, 12), (tmp_path / "worker.log").read_text()
