"""What readiness rests on: the database, its migrations, and (told, not required) the broker."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from portability.celery import app

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class State:
    """One word each: `ok`, or what is wrong."""

    database: str
    migrations: str
    broker: str

    @property
    def ready(self) -> bool:
        """The broker does not count: it only wakes workers, and what is to do is in the database."""
        return self.database == self.migrations == "ok"

    def as_json(self) -> dict[str, str]:
        """What the address answers."""
        return {
            "status": "ok" if self.ready else "not ready",
            "database": self.database,
            "migrations": self.migrations,
            "broker": self.broker,
        }


def state() -> State:
    """Ask all three. Why something is away is in the log, never in the answer."""
    try:
        migrations = "pending" if migrations_pending() else "ok"
    except DatabaseError:
        log.exception("the database does not answer")
        return State("away", "unknown", _broker())
    return State("ok", migrations, _broker())


def migrations_pending() -> bool:
    """Whether this version of the product knows migrations that the database has not seen."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _broker() -> str:
    try:
        with app.connection_for_write(transport_options=settings.BROKER_AT_ONCE) as broker:
            broker.default_channel.close()  # opening one is what speaks to Redis
        if not settings.REDIS_URL and not os.access(settings.QUEUE_DIR / "messages" / "", os.W_OK | os.X_OK):
            raise OSError(f"{settings.QUEUE_DIR} is gone, or cannot be written to")
    except Exception as error:  # each transport has its own kinds
        log.warning("the broker does not answer: %s", error)
        return "away"
    return "ok"
