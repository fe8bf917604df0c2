"""Copies of an SQLite register, taken and put back through SQLite itself, so that a register in use is copied whole."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from django.db import connection

from portability.ops.health import migrations_pending

POSTGRES = "PostgreSQL has its own tools: pg_dump takes a copy, pg_restore puts it back. docs/operations.md shows both."


class CannotCopy(Exception):
    """Why a copy cannot be taken or put back, and what to do."""


def register_file() -> Path:
    """The file of the register that is configured."""
    if connection.vendor != "sqlite":
        raise CannotCopy(POSTGRES)
    return Path(connection.settings_dict["NAME"])


def take(into: Path) -> Path:
    """Copy the register to a new file."""
    register = register_file()
    if not register.exists():
        raise CannotCopy(f"There is no register {register.name} yet.")
    if into.exists():
        raise CannotCopy(f"{into} exists already. Name another file.")
    into.parent.mkdir(parents=True, exist_ok=True)
    unfinished = into.with_name(into.name + ".part")
    _copy(register, unfinished)
    os.replace(unfinished, into)
    return into


def take_before_migrating() -> Path | None:
    """Copy the register beside itself where migrations are about to change it; None where there is nothing to lose."""
    if connection.vendor != "sqlite" or "django_migrations" not in connection.introspection.table_names():
        return None
    return take(beside("before-migrating")) if migrations_pending() else None


def put_back(copy: Path) -> Path | None:
    """Make the register what the copy holds; what it held until now is kept beside, and where is answered."""
    register = register_file()
    _check(copy)
    kept = take(beside("before-restoring")) if register.exists() else None
    connection.close()
    _copy(copy, register)
    return kept


def beside(why: str) -> Path:
    """A dated name next to the register: `mine.before-migrating-20261130-071500.sqlite3`."""
    register = register_file()
    return register.with_name(f"{register.stem}.{why}-{datetime.now():%Y%m%d-%H%M%S}.sqlite3")


def _copy(source: Path, to: Path) -> None:
    with closing(sqlite3.connect(source)) as reader, closing(sqlite3.connect(to)) as writer:
        reader.backup(writer)


def _check(copy: Path) -> None:
    """Refuse what is no register, before anything is overwritten."""
    if not copy.is_file():
        raise CannotCopy(f"There is no file {copy}.")
    try:
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as reader:
            sound = reader.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            tables = {name for (name,) in reader.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.DatabaseError as error:
        raise CannotCopy(f"{copy} is not an SQLite file that can be read: {error}.") from error
    if not sound:
        raise CannotCopy(f"{copy} is damaged: SQLite's integrity check fails. Take another copy.")
    if "workloads_workload" not in tables:
        raise CannotCopy(f"{copy} holds no register.")
