"""The exit statuses that scripts rely on."""

from __future__ import annotations

NOTHING = 0  # at or above --fail-on
SOMETHING = 1
UNUSABLE = 2  # the call, or an input
