"""docs/notifications.md says what is sent: its message has the keys of a real one, and its check accepts it."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from portability.notifications import deliveries, digests, payloads
from portability.notifications.models import Delivery
from portability.register.movements import gather
from portability.targets.models import Target
from tests.conftest import Cast
from tests.notifications.telling import add, pin
from tests.outbound.servers import FakeNetwork

pytestmark = pytest.mark.django_db
TEXT = (Path(__file__).parents[2] / "docs" / "notifications.md").read_text("utf-8")


def block(language: str) -> str:
    """The one example in a language."""
    [found] = re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    return str(found)


def shape(value: Any) -> Any:
    """The keys of a message, and nothing of what they hold."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return [shape(inner) for inner in value[:1]] if isinstance(value, list) else ""


@pytest.fixture
def delivery(cast: Cast, world: Target, web: FakeNetwork) -> Delivery:
    """A message that is to be sent."""
    add(cast.administrator)
    pin(cast.curator)
    [bulletin] = gather()
    [made] = deliveries.create(bulletin)
    return made


def test_the_message_is_documented(delivery: Delivery) -> None:
    said = json.loads(payloads.body(delivery))
    assert shape(said) == shape(json.loads(block("json")))


def test_the_documented_check_accepts_what_is_sent_and_nothing_else(delivery: Delivery) -> None:
    names: dict[str, Any] = {}
    exec(block("python"), names)  # noqa: S102 - our own documentation
    is_genuine = names["is_genuine"]
    body, secret, now = payloads.body(delivery), delivery.endpoint.secret, int(time.time())
    headers = payloads.headers(delivery, body, now)
    assert is_genuine(secret, headers, body)
    assert not is_genuine(secret, headers, body + b" ")
    assert not is_genuine("another", headers, body)
    assert not is_genuine(secret, headers | {"Portability-Timestamp": str(now - 1)}, body)
    assert not is_genuine(secret, payloads.headers(delivery, body, now - 400), body), "an old one, sent again"


def test_numbers_and_headers_are_documented(delivery: Delivery) -> None:
    assert (deliveries.ATTEMPTS, digests.ATTEMPTS, payloads.LISTED, payloads.SCHEMA) == (10, 12, 500, 1)
    for words in ("tried again ten times", "tried again twelve times", "the worst 500"):
        assert words in TEXT
    for name in payloads.headers(delivery, b"", 0).keys() - {"Content-Type"}:
        assert f"`{name}`" in TEXT
