"""Delivering webhooks: at least once, each try on record. The database says what is to do."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from portability.notifications import payloads
from portability.notifications.models import Attempt, Delivery, Endpoint
from portability.outbound.errors import Failed, Refused
from portability.outbound.guard import post
from portability.outbound.network import Network
from portability.register.models import Bulletin, Movement

ATTEMPTS = 10  # over about four hours; then it is given up until somebody asks for it again
FIRST_PAUSE = timedelta(seconds=30)  # before the second attempt; doubled before each further one
SILENT_AFTER = timedelta(minutes=2)  # one attempt takes at most 20 seconds: whoever claimed it is gone
NETWORK = Network()
_ROOM = 300


def create(bulletin: Bulletin) -> list[Delivery]:
    """One delivery for each active endpoint that asked for any of a bulletin's teams. Saves alone are no news to them.

    Must be called in the transaction that makes the bulletin, so that no receiver misses one.
    """
    if bulletin.run_id is None:
        return []
    movements = Movement.objects.filter(bulletin=bulletin)
    wanting = [e for e in Endpoint.objects.filter(active=True) if payloads.of_teams(movements, e).exists()]
    now = timezone.now()
    return Delivery.objects.bulk_create(
        Delivery(endpoint=endpoint, bulletin=bulletin, due_at=now, last_attempt=ATTEMPTS) for endpoint in wanting
    )


def due(now: datetime) -> QuerySet[Delivery]:
    """What is to be tried now: waiting long enough, to an endpoint that is on, and not being tried by someone."""
    free = Q(claimed_at=None) | Q(claimed_at__lt=now - SILENT_AFTER)
    return Delivery.objects.filter(free, state=Delivery.State.WAITING, endpoint__active=True, due_at__lte=now)


def deliver(pk: UUID | str) -> bool:
    """Try a delivery once. False where another worker does, it is not due, or it is done.

    A worker that is stopped between the answer and its record tries again under the same id, which receivers know.
    """
    tried = _claim(pk)
    if tried is None:
        return False
    delivery, attempt = tried
    content = payloads.body(delivery)
    sent = payloads.headers(delivery, content, int(time.time()))
    final = delivery.attempts == delivery.last_attempt
    try:
        attempt.status = post(delivery.endpoint.url, content, settings.WEBHOOK_HOSTS, headers=sent, network=NETWORK)
        if not 200 <= attempt.status < 300:
            attempt.error = _answered(attempt.status)
    except Refused as refused:  # so is the same again
        attempt.error, final = str(refused), True
    except Failed as failed:
        attempt.error = str(failed)
    attempt.error = attempt.error[:_ROOM]
    _keep(delivery, attempt, final=final)
    return True


def pause(attempts: int) -> timedelta:
    """How long to wait after so many attempts that failed."""
    return FIRST_PAUSE * float(2 ** (attempts - 1))


def _claim(pk: UUID | str) -> tuple[Delivery, Attempt] | None:
    """Compare and swap: `attempts` counts the claims and tells a later claim from an earlier one."""
    now = timezone.now()
    found = due(now).select_related("endpoint", "bulletin__run").filter(pk=pk).first()
    if found is None:
        return None
    with transaction.atomic():
        mine = due(now).filter(pk=pk, attempts=found.attempts)
        unclaimed = Delivery.objects.filter(pk__in=mine.values("pk"), attempts=found.attempts)
        if found.attempts >= found.last_attempt:  # whoever made the last one was stopped: it is not made for ever
            unclaimed.update(state=Delivery.State.FAILED, claimed_at=None)
            return None
        if not unclaimed.update(claimed_at=now, attempts=F("attempts") + 1):
            return None
        found.attempts += 1
        attempt = Attempt.objects.create(delivery=found, number=found.attempts, at=now)
    return found, attempt


def _keep(delivery: Delivery, attempt: Attempt, *, final: bool) -> None:
    """What came of an attempt; the delivery follows, unless someone else tries it by now, or it was dropped."""
    now, mine = timezone.now(), Delivery.objects.filter(pk=delivery.pk)
    with transaction.atomic():
        attempt.save(update_fields=["status", "error"])
        if not attempt.error:  # it has arrived, whoever else tries it by now
            mine.update(state=Delivery.State.SENT, claimed_at=None)
            return
        mine = mine.filter(state=Delivery.State.WAITING, attempts=delivery.attempts)
        mine.update(
            state=Delivery.State.FAILED if final else Delivery.State.WAITING,
            claimed_at=None,
            due_at=now + pause(delivery.attempts + ATTEMPTS - delivery.last_attempt),
        )


def _answered(status: int) -> str:
    if 300 <= status < 400:
        return f"It answered {status}: redirects are not followed. Give the final address."
    return f"It answered {status}."


def drop(endpoint: Endpoint) -> int:
    """Let go of what waits for an endpoint that is switched off. How many there were."""
    waiting = endpoint.deliveries.filter(state=Delivery.State.WAITING)
    return waiting.update(state=Delivery.State.DROPPED, claimed_at=None)


def wait_again(delivery: Delivery) -> bool:
    """Try a delivery anew, as often as at first. False where it is waiting already."""
    ended = Delivery.objects.filter(pk=delivery.pk).exclude(state=Delivery.State.WAITING)
    now = timezone.now()
    return bool(
        ended.update(state=Delivery.State.WAITING, due_at=now, claimed_at=None, last_attempt=F("attempts") + ATTEMPTS)
    )
