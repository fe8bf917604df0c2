"""A small register in which verdicts move, a mail server, and receivers on a network of the test's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from portability.notifications import deliveries
from portability.outbound.rules import allowed_hosts
from portability.targets.models import Target
from tests.conftest import Cast
from tests.notifications.mail import MailServer
from tests.notifications.receivers import Receiver
from tests.outbound.conftest import authority, network
from tests.outbound.servers import FakeNetwork
from tests.register.generate import make_target
from tests.rules.custom import workload

__all__ = ["authority", "network"]


@pytest.fixture
def public(settings: Settings) -> str:
    """The address of the register as people open it."""
    address = "https://register.example.org"
    settings.PUBLIC_URL = address
    return address


@pytest.fixture
def world(cast: Cast, public: str) -> Target:
    """`two` and `four` of the search team and `three` of media run so many replicas, and nothing is found in them."""
    made = make_target()
    for team, name, replicas in ((cast.search, "two", 2), (cast.media, "three", 3), (cast.search, "four", 4)):
        workload(team, name, replicas)
    return made


@pytest.fixture
def mail(settings: Settings, public: str) -> Iterator[MailServer]:
    """A mail server, and the settings that name it."""
    server = MailServer()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, 5
    settings.DEFAULT_FROM_EMAIL = "Register <register@example.org>"
    yield server
    server.close()


@pytest.fixture
def web(network: FakeNetwork, settings: Settings, public: str, monkeypatch: pytest.MonkeyPatch) -> FakeNetwork:
    """A network on which webhooks may go to two hosts."""
    monkeypatch.setattr(deliveries, "NETWORK", network)
    settings.WEBHOOK_HOSTS = allowed_hosts("PORTABILITY_WEBHOOK_HOSTS", "hooks.example.com,other.example.com")
    return network


@pytest.fixture
def receiver(web: FakeNetwork) -> Receiver:
    """A receiver that answers 204."""
    return Receiver(web)
