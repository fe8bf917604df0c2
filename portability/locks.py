"""Locks that belong to no row: PostgreSQL's advisory ones. Writers of SQLite wait for each other anyway."""

from __future__ import annotations

from enum import IntEnum

from django.db import connection


class Lock(IntEnum):
    """What is waited for, by its number among the database's advisory locks."""

    JUDGING = 7_202_611  # changing what judges, and storing what was judged (`rules.locking`)
    GATHERING = 7_202_612  # numbering what is told together (`register.movements`)


def hold(lock: Lock, *, shared: bool = False) -> None:
    """Wait for a lock, and hold it until the transaction ends. Those who share one do not wait for each other."""
    if connection.vendor == "postgresql":
        function = "pg_advisory_xact_lock_shared" if shared else "pg_advisory_xact_lock"
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {function}(%s)", [lock.value])
