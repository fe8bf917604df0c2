"""One target, and no broker: tests of runs do the batches themselves."""

from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import pytest

from portability.register import actions
from portability.targets.models import Target


@pytest.fixture
def woken() -> Iterator[mock.Mock]:
    """No broker is asked: what would have been is kept."""
    with mock.patch.object(actions, "wake") as wake:
        yield wake


@pytest.fixture
def target(shipped: None) -> Target:
    """The one target that is judged for; the others are put to rest."""
    Target.objects.exclude(name="mi300x-single").update(active=False)
    return Target.objects.get(name="mi300x-single")
