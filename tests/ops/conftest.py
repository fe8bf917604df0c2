"""Tests marked `served` are left out, not skipped, where there is no PostgreSQL and Redis to run them on."""

from __future__ import annotations

import os

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect them."""
    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        return
    left_out = [item for item in items if item.get_closest_marker("served")]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)
