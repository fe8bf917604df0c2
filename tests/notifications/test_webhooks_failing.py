"""Webhooks that do not arrive: tried again with longer pauses, given up in the end, never to a host nobody allowed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from portability.notifications import actions, deliveries, payloads
from portability.notifications.models import Attempt, Delivery, Endpoint
from portability.outbound.rules import Allowed
from portability.targets.models import Target
from tests.conftest import Cast
from tests.notifications.receivers import HOST, Receiver, answers, states
from tests.notifications.telling import Killed, add, killed, make_due, pin, tell
from tests.outbound.servers import FakeNetwork, moved, said

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_an_error_is_tried_again_under_the_same_id_until_it_arrives(
    cast: Cast, world: Target, receiver: Receiver
) -> None:
    receiver.answers = answers("500 Oops", "503 Busy", "200 OK")
    add(cast.administrator)
    pin(cast.curator)
    tell()
    waiting = Delivery.objects.get()
    assert waiting.state == "waiting" and timedelta(seconds=20) < waiting.due_at - timezone.now()
    tell()
    assert len(receiver.got) == 1, "not before its time"
    for _ in range(3):
        make_due()
        tell()
    assert states() == ["sent"]
    assert len({headers["portability-delivery"] for headers, _ in receiver.got}) == 1
    assert len({body for _, body in receiver.got}) == 1, "word for word"
    tries = list(Attempt.objects.values_list("number", "status", "error"))
    assert tries == [(1, 500, "It answered 500."), (2, 503, "It answered 503."), (3, 200, "")]


def test_a_receiver_that_is_away_is_given_up_after_bounded_attempts(
    cast: Cast, world: Target, web: FakeNetwork
) -> None:
    receiver = Receiver(web)
    receiver.server.close()
    add(cast.administrator)
    pin(cast.curator)
    for _ in range(deliveries.ATTEMPTS + 3):
        make_due()
        tell()
    assert states() == ["failed"]
    assert Attempt.objects.count() == deliveries.ATTEMPTS
    assert "cannot be reached" in Attempt.objects.latest("number").error


def test_what_was_given_up_is_sent_again_on_demand(cast: Cast, world: Target, receiver: Receiver) -> None:
    receiver.answers = answers("500 Oops")
    endpoint = add(cast.administrator)
    pin(cast.curator)
    for _ in range(deliveries.ATTEMPTS):
        make_due()
        tell()
    delivery = Delivery.objects.get()
    assert delivery.state == "failed"
    actions.send_again(cast.administrator, endpoint.pk, delivery.pk)
    tell()
    again = Delivery.objects.get()
    assert (again.state, again.attempts) == ("waiting", deliveries.ATTEMPTS + 1)
    assert again.due_at - timezone.now() < timedelta(minutes=1), "the pauses begin anew"
    receiver.answers = answers("200 OK")
    make_due()
    tell()
    assert states() == ["sent"]


def test_pauses_double_and_last_some_hours() -> None:
    pauses = [deliveries.pause(n) for n in range(1, deliveries.ATTEMPTS)]
    assert pauses[:3] == [timedelta(seconds=30), timedelta(minutes=1), timedelta(minutes=2)]
    assert timedelta(hours=3) < sum(pauses, timedelta()) < timedelta(hours=6)


def test_a_redirect_is_not_followed(cast: Cast, world: Target, receiver: Receiver) -> None:
    receiver.answers = [lambda: moved("https://other.example.com/")]
    add(cast.administrator)
    pin(cast.curator)
    tell()
    assert Attempt.objects.get().error == "It answered 302: redirects are not followed. Give the final address."


def test_a_host_that_is_not_allowed_any_more_is_not_tried_again(
    cast: Cast, world: Target, receiver: Receiver, settings: Settings
) -> None:
    add(cast.administrator)
    pin(cast.curator)
    settings.WEBHOOK_HOSTS = Allowed("PORTABILITY_WEBHOOK_HOSTS")
    tell()
    assert (states(), receiver.got) == (["failed"], [])
    assert "PORTABILITY_WEBHOOK_HOSTS" in Attempt.objects.get().error


def test_a_private_address_is_refused(cast: Cast, world: Target, web: FakeNetwork) -> None:
    Receiver(web)
    web.names[HOST] = [["10.0.0.7"]]
    add(cast.administrator)
    pin(cast.curator)
    tell()
    assert states() == ["failed"] and web.opened == []


def fall_silent() -> None:
    """Time passes until whoever claimed a delivery is taken to be gone."""
    Delivery.objects.update(claimed_at=timezone.now() - deliveries.SILENT_AFTER - timedelta(seconds=1))


def test_a_worker_killed_before_it_keeps_the_answer_delivers_again_with_the_same_id(
    cast: Cast, world: Target, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(cast.administrator)
    pin(cast.curator)
    with monkeypatch.context() as patch:
        patch.setattr(deliveries, "_keep", killed)
        with pytest.raises(Killed):
            tell()
    tell()
    assert len(receiver.got) == 1, "its worker may still be at it"
    fall_silent()
    tell()
    first, second = receiver.got
    assert first[0]["portability-delivery"] == second[0]["portability-delivery"] and first[1] == second[1]
    assert states() == ["sent"]
    assert list(Attempt.objects.values_list("status", "error")) == [(None, ""), (204, "")]


def test_a_message_that_kills_every_worker_is_given_up_as_well(
    cast: Cast, world: Target, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(cast.administrator)
    pin(cast.curator)
    with monkeypatch.context() as patch:
        patch.setattr(payloads, "body", killed)
        for _ in range(deliveries.ATTEMPTS):
            with pytest.raises(Killed):
                tell()
            fall_silent()
        tell()
    assert states() == ["failed"]
    assert Attempt.objects.filter(status=None, error="").count() == deliveries.ATTEMPTS
    fall_silent()
    tell()
    assert not receiver.got


def test_a_test_message_is_tried_once(cast: Cast, world: Target, receiver: Receiver) -> None:
    receiver.answers = answers("500 Oops")
    endpoint = add(cast.administrator)
    delivery = actions.send_test(cast.administrator, endpoint.pk)
    tell()
    make_due()
    tell()
    assert receiver.said == [{"schema": 1, "event": "test", "delivery": str(delivery.pk)}]
    assert states() == ["failed"]


def test_two_endpoints_do_not_wait_for_each_other(cast: Cast, world: Target, web: FakeNetwork) -> None:
    Receiver(web).server.close()
    other = web.serve("other.example.com", lambda request: said("200 OK"), address="93.184.215.15")
    add(cast.administrator)
    add(cast.administrator, url="https://other.example.com/", name="board")
    pin(cast.curator)
    tell()
    assert len(other.requests) == 1
    found = {d.endpoint.name: d.state for d in Delivery.objects.select_related("endpoint")}
    assert found == {"chat": "waiting", "board": "sent"}
    assert Endpoint.objects.count() == 2
