"""Waiting for the database: which errors pass by themselves, and who waits longer than others."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError, connection

AWAY_OR_BUSY = (OperationalError, InterfaceError)
PATIENCE = 600  # seconds that an upgrade waits for a turn, where a worker writes all the time
_SQLITE_PASSES = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_POSTGRESQL_STAYS = {"53100"}  # the disk is full


def passes(error: Exception) -> bool:
    """Whether it helps to try again in a moment: the database is away, or somebody else is writing.

    SQLite's file is never away for a moment: that it is full, read-only, damaged or of another version stays so.
    """
    if not isinstance(error, AWAY_OR_BUSY):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _SQLITE_PASSES  # the rest says more exactly why
    return getattr(cause, "sqlstate", None) not in _POSTGRESQL_STAYS


@contextmanager
def patiently() -> Iterator[None]:
    """Wait long for a turn to write. SQLite keeps no queue: who asks last may come first, again and again.

    On PostgreSQL nothing is to do: locks are waited for, in their order.
    """
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        [before] = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {before}")
