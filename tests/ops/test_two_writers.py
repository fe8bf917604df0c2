"""Two processes that read and write one SQLite register at once: each waits for the other, none sees a lock error."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from tests.ops.running import ROOT, environment, manage

WRITES = 150
WRITER = f"""
import sys, django
django.setup()
from django.db import transaction
from portability.accounts.models import Team
name = sys.argv[1]
for n in range({WRITES}):
    with transaction.atomic():  # reads before it writes: without IMMEDIATE this is what fails at once
        count = Team.objects.count()
        Team.objects.create(name=f"{{name}} {{n}} after {{count}}", slug=f"{{name}}-{{n}}")
"""


def test_two_writers_see_no_lock_error(tmp_path: Path) -> None:
    env = environment(tmp_path, PORTABILITY_REGISTER="mine")
    manage(env, "migrate", "--verbosity", "0")
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, name], cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True)
        for name in ("a", "b")
    ]
    errors = [writer.communicate(timeout=120)[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0], errors
    with closing(sqlite3.connect(tmp_path / "mine.sqlite3")) as register:
        assert register.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        names = [name for (name,) in register.execute("SELECT name FROM accounts_team")]
    assert len(names) == 2 * WRITES
    assert sorted(int(name.rsplit(" ", 1)[1]) for name in names) == list(range(2 * WRITES))  # no read was outdated
