"""A network of the test's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import trustme

from tests.outbound.servers import FakeNetwork


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    """A certificate authority that exists for this run."""
    return trustme.CA()


@pytest.fixture
def network(authority: trustme.CA) -> Iterator[FakeNetwork]:
    """A network on which no name is known yet."""
    made = FakeNetwork(authority)
    yield made
    made.close()
