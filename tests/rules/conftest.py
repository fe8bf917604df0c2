"""A register of three workloads for one target: one with a private image, one with a known one, one with neither."""

from __future__ import annotations

import pytest

from portability.targets.models import Target
from tests.conftest import Cast
from tests.register.generate import make_target
from tests.register.registering import register_workload
from tests.rules.custom import workload
from tests.rules.own import CLAIMS, PRIVATE


@pytest.fixture
def world(cast: Cast) -> Target:
    """`private` and `claims` run an image that no shipped row knows; `public` one that is known."""
    target = make_target()
    register_workload(cast.search, "private", image=PRIVATE)
    register_workload(cast.search, "claims", text=CLAIMS)
    register_workload(cast.media, "public")
    return target


@pytest.fixture
def few(cast: Cast) -> Target:
    """Two workloads, judged for one AMD target: `two` runs two replicas, `three` runs three."""
    target = make_target()
    workload(cast.search, "two", 2)
    workload(cast.media, "three", 3)
    return target
