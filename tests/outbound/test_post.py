"""Posting a message: through the same guard, and no further than the address that was given."""

from __future__ import annotations

import time

import pytest

from portability.outbound.errors import Failed, Refused
from portability.outbound.guard import post
from portability.outbound.rules import Allowed, Limits, allowed_hosts
from tests.outbound.servers import PUBLIC, FakeNetwork, late, moved, said

HOST = "hooks.example.com"
ALLOWED = allowed_hosts("PORTABILITY_WEBHOOK_HOSTS", HOST)
URL = f"https://{HOST}/in"


def test_a_message_arrives_with_its_headers(network: FakeNetwork) -> None:
    server = network.serve(HOST, lambda request: said("204 No Content"))
    body = b'{"event":"published"}' * 5000
    assert post(URL, body, ALLOWED, headers={"Content-Type": "application/json"}, network=network) == 204
    head, _, sent = server.requests[0].partition("\r\n\r\n")
    assert head.startswith("POST /in HTTP/1.1\r\n")
    assert "Content-Type: application/json" in head
    assert sent == body.decode()


@pytest.mark.parametrize("status", ["307 Temporary", "308 Permanent", "302 Found"])
def test_a_redirect_is_not_followed(network: FakeNetwork, status: str) -> None:
    server = network.serve(HOST, lambda request: moved("/other", status))
    assert post(URL, b"{}", ALLOWED, network=network) == int(status[:3])
    assert len(server.requests) == 1


def test_nothing_is_opened_while_no_host_is_allowed(network: FakeNetwork) -> None:
    network.serve(HOST, lambda request: said())
    with pytest.raises(Refused, match="PORTABILITY_WEBHOOK_HOSTS"):
        post(URL, b"{}", Allowed("PORTABILITY_WEBHOOK_HOSTS"), network=network)
    assert (network.asked, network.opened) == ([], [])


def test_a_host_at_a_private_address_is_refused(network: FakeNetwork) -> None:
    network.serve(HOST, lambda request: said())
    network.names[HOST] = [["10.0.0.1", PUBLIC]]
    with pytest.raises(Refused, match="no public address"):
        post(URL, b"{}", ALLOWED, network=network)
    assert network.opened == []


def test_an_answer_that_does_not_come_is_told_in_time(network: FakeNetwork) -> None:
    network.serve(HOST, late(2))
    started = time.monotonic()
    with pytest.raises(Failed, match=r"took longer than 0\.5 seconds"):
        post(URL, b"{}", ALLOWED, limits=Limits(seconds=0.5), network=network)
    assert time.monotonic() - started < 1.9


def test_a_failing_receiver_is_answered_with_its_status(network: FakeNetwork) -> None:
    network.serve(HOST, lambda request: said("503 Busy", b"later"))
    assert post(URL, b"{}", ALLOWED, network=network) == 503
