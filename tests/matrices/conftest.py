"""Pages on a network of the test's own, for those who fetch and look at them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from portability.matrices import fetching
from portability.outbound.rules import allowed_hosts
from tests.outbound.conftest import authority, network
from tests.outbound.servers import FakeNetwork

__all__ = ["authority", "network"]


@pytest.fixture
def web(network: FakeNetwork, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeNetwork]:
    """A network whose hosts of the shipped sources may be fetched from and are looked at every day."""
    monkeypatch.setattr(fetching, "NETWORK", network)
    settings.FETCH_HOSTS = allowed_hosts("PORTABILITY_FETCH_HOSTS", "rocm.docs.amd.com,docs.vllm.ai")
    settings.CHECK_SOURCES = True
    yield network
