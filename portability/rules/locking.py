"""Who changes what judges waits for others who do: own rows and custom rules alike, for one digest tells of both."""

from __future__ import annotations

from django.db import connection

_KEY = 7_202_611  # of this lock among the database's advisory ones


def one_at_a_time() -> None:
    """Wait until nobody else changes what judges, and keep others waiting until this transaction ends.

    SQLite's writers wait for each other anyway. PostgreSQL's would not: of two changes at once the one that ends later
    would let stand what the other has yet to judge again.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_KEY])
