"""Asking the broker to wake workers for what the database knows already: quickly, or not at all."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from typing import Any

from celery import current_app
from django.conf import settings

EXPIRES = 600.0  # seconds, after which it was asked for again
_log = logging.getLogger(__name__)

Message = tuple[str, tuple[Any, ...]]  # a task by its name, and its arguments


def wake(task: str, *arguments: Any) -> bool:
    """Send one task. False where the broker is away: then beat finds what is to do."""
    return wake_each([(task, arguments)]) == 1


def wake_each(asked: Iterable[Message], *, seconds: float | None = None, expires: float | None = EXPIRES) -> int:
    """Send tasks until the broker is away, or took longer than `seconds` for what came before. How many were sent.

    Over one connection of its own, which gives up within a second: a person may wait for the page.
    """
    until = None if seconds is None else time.monotonic() + seconds
    sent = 0
    try:
        with current_app.connection_for_write(transport_options=settings.BROKER_AT_ONCE) as connection:
            producer = current_app.amqp.Producer(connection)
            for task, arguments in asked:
                if until is not None and time.monotonic() > until:
                    raise TimeoutError("it is slow")
                current_app.send_task(task, arguments, producer=producer, retry=False, expires=expires)
                sent += 1
    except Exception as error:  # whatever a broker's client raises: what is to do is safe in the database
        _log.warning("the broker is away, beat will wake workers", extra={"sent": sent, "error": str(error)})
    return sent
