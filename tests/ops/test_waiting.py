"""Waiting for the database: an upgrade gets its turn beside a busy writer, and only what passes is waited for."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError, ProgrammingError, connection
from django.db.utils import ConnectionHandler

from portability.waiting import PATIENCE, passes, patiently
from tests.ops.running import ROOT, environment, manage

UPGRADE = """
import django
from django.conf import settings
settings.DATABASES["default"]["OPTIONS"]["timeout"] = 0.2  # of everybody else
django.setup()
from django.core.management import call_command
from django.db import OperationalError
from portability.accounts.models import Team
try:
    Team.objects.create(name="Search", slug="search")
except OperationalError as error:
    print(error, flush=True)
call_command("prepare")
"""


def test_an_upgrade_waits_for_its_turn_longer_than_others_do(tmp_path: Path) -> None:
    env = environment(tmp_path, PORTABILITY_REGISTER="mine")
    manage(env, "migrate", "--verbosity", "0")
    with closing(sqlite3.connect(tmp_path / "mine.sqlite3", isolation_level=None)) as worker:
        worker.execute("BEGIN IMMEDIATE")
        command = [sys.executable, "-c", UPGRADE]
        upgrade = subprocess.Popen(command, cwd=ROOT, env=env, stdout=-1, stderr=-1, text=True)
        assert upgrade.stdout and upgrade.stdout.readline() == "database is locked\n"
        time.sleep(3)
        assert upgrade.poll() is None, "it waits"
        worker.execute("ROLLBACK")
    said, errors = upgrade.communicate(timeout=120)
    assert upgrade.returncode == 0, errors
    assert "administrator" in said


@pytest.mark.django_db
def test_patience_ends_with_what_needed_it() -> None:
    def timeout() -> int:
        with connection.cursor() as cursor:
            return int(cursor.execute("PRAGMA busy_timeout").fetchone()[0])

    before = timeout()
    with pytest.raises(ZeroDivisionError), patiently():
        with patiently():
            pass
        assert timeout() == PATIENCE * 1000
        raise ZeroDivisionError
    assert timeout() == before < PATIENCE * 1000


def error_of(path: Path, *statements: str, meanwhile: Callable[[], object] = lambda: None) -> Exception:
    """What Django says of the last of these statements, on a file of SQLite's; `meanwhile` happens just before it."""
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": path, "OPTIONS": {"timeout": 0.1}}
    with closing(ConnectionHandler({"default": database})["default"]) as opened, opened.cursor() as cursor:
        *before, last = statements
        for statement in before:
            cursor.execute(statement)
        meanwhile()
        with pytest.raises(DatabaseError) as raised:
            cursor.execute(last)
        return raised.value


def full(path: Path) -> Exception:
    return error_of(path, "PRAGMA max_page_count = 3", "INSERT INTO t VALUES (zeroblob(100000))")


def read_only(path: Path) -> Exception:
    return error_of(path, "PRAGMA query_only = 1", "INSERT INTO t VALUES (1)")


def no_table(path: Path) -> Exception:
    return error_of(path, "SELECT * FROM nothing")


def damaged(path: Path) -> Exception:
    path.write_bytes(b"no database at all" * 100)
    return error_of(path, "SELECT * FROM t")


def locked(path: Path) -> Exception:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        return error_of(path, "BEGIN IMMEDIATE")


def overtaken(path: Path) -> Exception:
    """Of who has read and would write, where somebody wrote meanwhile."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        write = "INSERT INTO t VALUES (1)"
        return error_of(path, "BEGIN", "SELECT * FROM t", write, meanwhile=lambda: other.execute(write))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fault", "waited_for"),
    [(locked, True), (overtaken, True), (full, False), (read_only, False), (no_table, False), (damaged, False)],
)
def test_only_what_passes_by_itself_is_waited_for(
    tmp_path: Path, fault: Callable[[Path], Exception], waited_for: bool
) -> None:
    path = tmp_path / "some.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE t (a)")
    assert passes(fault(path)) is waited_for


def test_a_server_that_went_away_is_waited_for_and_a_full_disk_of_its_is_not() -> None:
    gone, disk = OperationalError("server closed the connection unexpectedly"), OperationalError("could not extend")
    disk.__cause__ = type("DiskFull", (Exception,), {"sqlstate": "53100"})()
    assert passes(gone) and passes(InterfaceError("the connection is closed"))
    assert not passes(disk) and not passes(ProgrammingError("syntax")) and not passes(ValueError())
