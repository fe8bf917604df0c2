"""What workers are woken for: telling people and receivers of what moved."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from portability.notifications import actions, deliveries, digests
from portability.register.movements import TELL

EXPIRES = 30  # seconds, after which it is asked for again


@shared_task(name=TELL, expires=EXPIRES)
def tell() -> None:
    """At the end of a run, and every half minute: see what is to be told, and have each message sent by itself."""
    actions.tell()


@shared_task(name=actions.DELIVER)
def deliver(delivery: str) -> None:
    """Try one delivery. Delivered twice, the second finds it tried."""
    deliveries.deliver(delivery)


@shared_task(name=actions.SEND)
def send(subscription: int) -> None:
    """Send one person's digest. Delivered twice, the second finds it sent."""
    digests.send(subscription, timezone.now())
