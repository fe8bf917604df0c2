"""Who changes what judges waits for others who do, and for those who are storing what they judged.

What judges: own rows and custom rules, published readings, targets, and the version of the product that is in force.

Whoever needs locks of workloads too has them before this one: a save that comes upon a faulty rule changes what judges
with its workload in hand, and must not wait for one who waits for that workload.
"""

from __future__ import annotations

from django.conf import settings
from django.db import connection

from portability.locks import Lock, hold


def one_at_a_time() -> None:
    """Wait until nobody else changes what judges, and keep others waiting until this transaction ends.

    SQLite's writers wait for each other anyway. PostgreSQL's would not: of two changes at once the one that ends later
    would let stand what the other has yet to judge again.
    """
    hold(Lock.JUDGING)


def while_nobody_changes_it() -> None:
    """Wait for whoever changes what judges, and keep such changes waiting until this transaction ends.

    For those who write many answers: one that is written while a change looks at the register would be left behind by
    it. They do not wait for each other, and change nothing of what judges in that transaction. A process that stands
    still meanwhile, on a machine that is held or cut off, loses its connection after a while: others wait for it.
    """
    hold(Lock.JUDGING, shared=True)
    if connection.vendor == "postgresql":
        milliseconds = int(settings.SILENT_AFTER.total_seconds() * 1000)
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL idle_in_transaction_session_timeout = {milliseconds}")
