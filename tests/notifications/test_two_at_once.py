"""Two workers at the same moment, and beat beside them: each message goes out once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest
from django.db import connection
from django.utils import timezone

from portability.notifications import actions, deliveries, digests
from portability.notifications.models import Attempt, Delivery, Subscription
from portability.register.models import Bulletin, Movement
from portability.targets.models import Target
from tests.conftest import Cast
from tests.notifications.mail import MailServer
from tests.notifications.telling import add, ask, pin
from tests.outbound.servers import FakeNetwork, late

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
T = TypeVar("T")


def at_once(act: Callable[[], T], times: int) -> list[T]:
    """The same by several workers at the same moment."""
    start = Barrier(times)

    def work(_: int) -> T:
        try:
            start.wait(timeout=10)
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(work, range(times)))


def test_one_digest_is_sent(cast: Cast, world: Target, mail: MailServer) -> None:
    ask(cast.member)
    pin(cast.curator)
    actions.tell()
    now, subscription = timezone.now(), Subscription.objects.get().pk
    assert sorted(at_once(lambda: digests.send(subscription, now), 4)) == [False, False, False, True]
    assert len(mail.messages) == 1


def test_one_attempt_is_made(cast: Cast, world: Target, web: FakeNetwork) -> None:
    server = web.serve("hooks.example.com", late(0.2))
    add(cast.administrator)
    pin(cast.curator)
    actions.tell()
    delivery = Delivery.objects.get().pk
    assert sorted(at_once(lambda: deliveries.deliver(delivery), 4)) == [False, False, False, True]
    assert (len(server.requests), Attempt.objects.count()) == (1, 1)


def test_what_moved_is_gathered_into_one_bulletin_with_one_delivery(
    cast: Cast, world: Target, web: FakeNetwork
) -> None:
    add(cast.administrator)
    pin(cast.curator)
    at_once(actions.tell, 4)
    assert (Bulletin.objects.count(), Delivery.objects.count()) == (1, 1)
    assert set(Movement.objects.values_list("bulletin", flat=True)) == {Bulletin.objects.get().pk}
