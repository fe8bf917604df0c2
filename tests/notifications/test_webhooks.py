"""Webhooks: who is sent what, once and signed."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from django.utils import timezone

from portability.notifications import actions, payloads
from portability.notifications.models import Delivery
from portability.refused import Refused
from portability.register.models import Movement, Run
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.notifications.receivers import Receiver, answers, states
from tests.notifications.telling import add, make_due, pin, pin_others, tell
from tests.rules.custom import enable

pytestmark = [pytest.mark.django_db, pytest.mark.database]


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
    with pytest.raises(Refused, match="switched off"):
        actions.send_again(cast.administrator, endpoint.pk, delivery.pk)
    actions.switch_endpoint(cast.administrator, endpoint.pk, active=True)
    actions.send_again(cast.administrator, endpoint.pk, delivery.pk)
    tell()
    assert states() == ["sent"]


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
