"""The engines that workloads are served by."""

from __future__ import annotations

from django.db import connection

# Goes from each engine to the next by the index: as many steps as there are engines, not workloads.
_EACH = """
WITH RECURSIVE each(engine) AS (
    SELECT min(engine) FROM workloads_workload WHERE engine > ''
    UNION ALL
    SELECT (SELECT min(engine) FROM workloads_workload WHERE engine > each.engine) FROM each WHERE each.engine > ''
)
SELECT engine FROM each WHERE engine > '' ORDER BY engine
"""


def engines() -> list[str]:
    """Each once, in order; retired workloads' too."""
    with connection.cursor() as cursor:
        cursor.execute(_EACH)
        return [engine for (engine,) in cursor.fetchall()]
