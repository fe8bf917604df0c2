"""Asking the broker to wake a worker for what the database knows already: quickly, or not at all."""

from __future__ import annotations

import logging
from typing import Any

from celery import current_app
from django.conf import settings

_EXPIRES = 600  # seconds, after which it was asked for again
_log = logging.getLogger(__name__)


def wake(task: str, *arguments: Any) -> bool:
    """Send one task by its name. False where the broker is away: then beat finds what is to do.

    Over a connection of its own, which gives up within a second: a person may wait for the page.
    """
    try:
        with current_app.connection_for_write(transport_options=settings.BROKER_AT_ONCE) as connection:
            producer = current_app.amqp.Producer(connection)
            current_app.send_task(task, arguments, producer=producer, retry=False, expires=_EXPIRES)
    except Exception as error:  # whatever a broker's client raises
        _log.warning("the broker is away, beat will wake a worker", extra={"task": task, "error": str(error)})
        return False
    return True
