"""Backup, restore, and the copy that is taken before a migration."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.ops.running import environment, manage


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """A register of its own, with its tables."""
    env = environment(tmp_path, PORTABILITY_REGISTER="mine")
    manage(env, "migrate", "--verbosity", "0")
    return env


def _rename(register: Path, name: str) -> None:
    with closing(sqlite3.connect(register)) as database, database:
        database.execute("INSERT OR REPLACE INTO accounts_team (id, name, slug, active) VALUES (1, ?, 's', 1)", [name])


def _team(register: Path) -> str:
    with closing(sqlite3.connect(register)) as database:
        return str(database.execute("SELECT name FROM accounts_team").fetchone()[0])


def test_a_backup_can_be_put_back(tmp_path: Path, env: dict[str, str]) -> None:
    register, copy = tmp_path / "mine.sqlite3", tmp_path / "copy.sqlite3"
    _rename(register, "as it was")
    with closing(sqlite3.connect(register)) as in_use:  # a reader does not keep the copy from being taken
        in_use.execute("SELECT * FROM accounts_team").fetchone()
        manage(env, "backup", str(copy))
    _rename(register, "spoilt")
    said = manage(env, "restore", str(copy)).stdout
    assert _team(register) == "as it was"
    (kept,) = tmp_path.glob("mine.before-restoring-*.sqlite3")
    assert str(kept) in said
    assert _team(kept) == "spoilt"


def test_a_backup_gets_a_dated_name_and_overwrites_nothing(tmp_path: Path, env: dict[str, str]) -> None:
    manage(env, "backup")
    (copy,) = (tmp_path / "backups").iterdir()
    refused = manage(env, "backup", str(copy), ok=False)
    assert (refused.returncode, "exists already" in refused.stderr) == (1, True)


@pytest.mark.parametrize(
    ("content", "why"), [(b"not a database " * 100, "not an SQLite file"), (None, "There is no file")]
)
def test_what_is_no_register_is_not_restored(
    tmp_path: Path, env: dict[str, str], content: bytes | None, why: str
) -> None:
    register, copy = tmp_path / "mine.sqlite3", tmp_path / "copy"
    _rename(register, "as it was")
    if content:
        copy.write_bytes(content)
    done = manage(env, "restore", str(copy), ok=False)
    assert done.returncode == 1
    assert why in done.stderr
    assert "Traceback" not in done.stderr
    assert _team(register) == "as it was"


def test_another_sqlite_file_is_not_restored(tmp_path: Path, env: dict[str, str]) -> None:
    with closing(sqlite3.connect(tmp_path / "other")) as other, other:
        other.execute("CREATE TABLE music (title TEXT)")
    assert "holds no register" in manage(env, "restore", str(tmp_path / "other"), ok=False).stderr


def test_a_register_is_copied_before_it_is_migrated(tmp_path: Path, env: dict[str, str]) -> None:
    register = tmp_path / "mine.sqlite3"
    _rename(register, "as it was")
    manage(env, "migrate", "sessions", "zero", "--verbosity", "0")  # as an older version of the product left it
    said = manage(env, "prepare").stdout
    (copy,) = tmp_path.glob("mine.before-migrating-*.sqlite3")
    assert str(copy) in said
    tables = "SELECT count(*) FROM sqlite_master WHERE name = 'django_session'"
    with closing(sqlite3.connect(copy)) as before, closing(sqlite3.connect(register)) as after:
        assert before.execute(tables).fetchone() == (0,)
        assert after.execute(tables).fetchone() == (1,)
    assert _team(copy) == "as it was"
    manage(env, "prepare")
    assert len(list(tmp_path.glob("mine.before-migrating-*"))) == 1


def test_a_new_register_is_not_copied(tmp_path: Path) -> None:
    manage(environment(tmp_path, PORTABILITY_REGISTER="new"), "prepare")
    assert (tmp_path / "new.sqlite3").exists()
    assert not list(tmp_path.glob("*before*"))
