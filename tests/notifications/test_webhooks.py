"""Webhooks: signed, at least once, tried again with longer pauses, and never to a host that nobody allowed."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from portability.notifications import actions, deliveries, payloads
from portability.notifications.models import Attempt, Delivery, Endpoint
from portability.outbound.rules import Allowed
from portability.register.models import Movement, Run
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.notifications.telling import add, make_due, pin, pin_others, tell
from tests.outbound.servers import FakeNetwork, Server, moved, said
from tests.rules.custom import enable

pytestmark = [pytest.mark.django_db, pytest.mark.database]
HOST = "hooks.example.com"


class Receiver:
    """What stands at the address of the tests; it gives the answers of a test, the last one for ever."""

    def __init__(self, web: FakeNetwork) -> None:
        self.answers: list[Callable[[], Iterator[bytes]]] = [lambda: said("204 No Content")]
        self.server: Server = web.serve(HOST, lambda request: self._next()())

    def _next(self) -> Callable[[], Iterator[bytes]]:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    @property
    def got(self) -> list[tuple[dict[str, str], str]]:
        """Headers, by name in small letters, and body of each request."""
        found = []
        for request in self.server.requests:
            head, _, body = request.partition("\r\n\r\n")
            lines = [line.partition(": ") for line in head.split("\r\n")[1:]]
            found.append(({name.lower(): value for name, _, value in lines}, body))
        return found

    @property
    def said(self) -> list[dict[str, Any]]:
        """The messages."""
        return [json.loads(body) for _, body in self.got]


@pytest.fixture
def receiver(web: FakeNetwork) -> Receiver:
    """A receiver that answers 204."""
    return Receiver(web)


def answers(*statuses: str) -> list[Callable[[], Iterator[bytes]]]:
    """One answer after the other."""
    return [lambda status=status: said(status) for status in statuses]  # type: ignore[misc]


def states() -> list[str]:
    """Of all deliveries."""
    return list(Delivery.objects.order_by("created_at").values_list("state", flat=True))


def test_a_run_in_which_something_moved_is_delivered_once(cast: Cast, world: Target, receiver: Receiver) -> None:
    add(cast.administrator)
    run = pin(cast.curator)
    tell()
    tell()
    [message] = receiver.said
    four = Workload.objects.get(name="four")
    assert message == {
        "schema": 1,
        "event": "verdicts.moved",
        "delivery": str(Delivery.objects.get().pk),
        "run": {
            "id": run.pk,
            "about": "custom rule ORG001 was added",
            "cause": "custom",
            "state": "done",
            "started_at": run.started_at.isoformat(),
            "finished_at": run.finished_at.isoformat() if run.finished_at else None,
            "url": f"https://register.example.org/register/runs/{run.pk}/",
            "caused_by": "https://register.example.org/rules/ORG001/",
        },
        "url": f"https://register.example.org/register/moved/?run={run.pk}",
        "moved": 2,
        "teams": [
            {
                "team": slug,
                "name": name,
                "moved": 1,
                "kinds": [{"before": "needs-change", "after": "pinned", "count": 1}],
            }
            for slug, name in (("media", "Media"), ("search", "Search"))
        ],
        "movements": message["movements"],
        "omitted": 0,
    }
    assert [m["workload"]["name"] for m in message["movements"]] == ["three", "four"]
    assert message["movements"][1] == {
        "team": "search",
        "workload": {
            "id": four.pk,
            "name": "four",
            "url": f"https://register.example.org/workloads/{four.pk}/?target=mi300x-single",
        },
        "target": "mi300x-single",
        "before": "needs-change",
        "after": "pinned",
        "at": Movement.objects.get(workload=four).at.isoformat(),
        "came": [{"rule": "ORG001", "effect": "blocks", "reason": "The second site has two nodes"}],
        "went": [],
        "cells": [],
    }
    assert states() == ["sent"]


def test_a_message_is_signed_over_its_timestamp_and_body(cast: Cast, world: Target, receiver: Receiver) -> None:
    endpoint = add(cast.administrator)
    pin(cast.curator)
    tell()
    [(headers, body)] = receiver.got
    timestamp = headers["portability-timestamp"]
    signed = hmac.new(endpoint.secret.encode(), f"{timestamp}.{body}".encode(), hashlib.sha256).hexdigest()
    assert headers["portability-signature"] == f"v1={signed}"
    assert abs(int(timestamp) - timezone.now().timestamp()) < 60
    assert headers["portability-delivery"] == str(Delivery.objects.get().pk)
    assert headers["portability-event"] == "verdicts.moved" and headers["content-type"] == "application/json"


def test_nothing_moved_nothing_is_delivered(cast: Cast, world: Target, receiver: Receiver) -> None:
    add(cast.administrator)
    pin(cast.curator, condition="value > 9")
    tell()
    assert (receiver.got, states()) == ([], [])


def test_saves_alone_are_not_delivered(cast: Cast, world: Target, receiver: Receiver) -> None:
    add(cast.administrator)
    pin(cast.curator)
    Movement.objects.update(run=None)
    tell()
    assert states() == []


def test_an_endpoint_of_a_team_is_told_of_that_team_only(cast: Cast, world: Target, receiver: Receiver) -> None:
    add(cast.administrator, cast.media)
    pin(cast.curator, condition="value == 4")
    tell()
    assert states() == [], "a workload of search moved"
    pin_others(cast.curator, "value == 3")
    tell()
    [message] = receiver.said
    assert (message["moved"], [t["team"] for t in message["teams"]]) == (1, ["media"])
    assert [m["workload"]["name"] for m in message["movements"]] == ["three"]


def test_a_long_message_counts_all_and_lists_the_worst(
    cast: Cast, world: Target, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(payloads, "LISTED", 1)
    add(cast.administrator)
    pin(cast.curator)
    tell()
    [message] = receiver.said
    assert (message["moved"], len(message["movements"]), message["omitted"]) == (2, 1, 1)


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


def test_an_endpoint_that_is_off_gets_nothing(cast: Cast, world: Target, receiver: Receiver) -> None:
    endpoint = add(cast.administrator)
    actions.switch_endpoint(cast.administrator, endpoint.pk, active=False)
    pin(cast.curator)
    tell()
    assert (states(), receiver.got) == ([], [])


def test_switching_off_drops_what_waits_and_it_can_be_sent_again(cast: Cast, world: Target, receiver: Receiver) -> None:
    receiver.answers = answers("500 Oops", "200 OK")
    endpoint = add(cast.administrator)
    pin(cast.curator)
    tell()
    actions.switch_endpoint(cast.administrator, endpoint.pk, active=False)
    make_due()
    tell()
    assert (states(), len(receiver.got)) == (["dropped"], 1)
    delivery = Delivery.objects.get()
    with pytest.raises(actions.Refused, match="switched off"):
        actions.send_again(cast.administrator, endpoint.pk, delivery.pk)
    actions.switch_endpoint(cast.administrator, endpoint.pk, active=True)
    actions.send_again(cast.administrator, endpoint.pk, delivery.pk)
    tell()
    assert states() == ["sent"]


class Killed(BaseException):
    """The worker is gone: nothing catches this."""


def killed(*_: object, **__: object) -> None:
    """Stands for what a worker comes to no more."""
    raise Killed


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


def test_a_run_that_was_cancelled_tells_what_it_did(cast: Cast, world: Target, receiver: Receiver) -> None:
    from portability.register import actions as register
    from portability.register import batches

    add(cast.administrator)
    monkey = pytest.MonkeyPatch()
    monkey.setattr(register, "BATCH_SIZE", 1)
    enable(cast.curator, effect="blocks")
    monkey.undo()
    run = Run.objects.latest("pk")
    _, second, _ = run.batches.order_by("pk")
    batches.do_batch(second.pk)
    tell()
    assert receiver.got == []
    register.cancel_run(run.pk, cast.curator)
    tell()
    [message] = receiver.said
    assert (message["run"]["state"], message["moved"]) == ("cancelled", 1)


def test_a_new_secret_signs_from_now_on(cast: Cast, world: Target, receiver: Receiver) -> None:
    endpoint = add(cast.administrator)
    _, secret = actions.rotate_secret(cast.administrator, endpoint.pk)
    assert secret != endpoint.secret
    pin(cast.curator)
    tell()
    [(headers, body)] = receiver.got
    timestamp = int(headers["portability-timestamp"])
    assert headers["portability-signature"] == f"v1={payloads.signature(secret, timestamp, body.encode())}"


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
