"""A register with a default target, and the review of a quarter opened over it."""

from __future__ import annotations

import pytest

from portability.reviews.actions import open_review
from portability.reviews.models import Review
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import Q4, TODAY, choose_target, register


@pytest.fixture
def chat(cast: Cast, shipped: None) -> Workload:
    """`chat` of the search team, which needs change for the default target of what runs on NVIDIA."""
    choose_target()
    return register(cast.member, cast.search, "chat")


@pytest.fixture
def review(cast: Cast, chat: Workload) -> Review:
    """The review of 2026-Q4, with `chat` in it."""
    return open_review(cast.architect, Q4, TODAY)
