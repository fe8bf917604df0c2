"""JSON that has one form: keys sorted, no blanks, UTF-8 as it is, and no number that two programs could write apart."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

_AT_ONCE = 1 << 20  # characters


def canonical(value: Any) -> str:
    """The text of a JSON value. Raises TypeError for a fraction: whole numbers and texts only."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    json.loads(text, parse_float=_refuse)  # quicker than to go through all of the value
    return text


def digest(text: str | bytes) -> str:
    """SHA-256, in hex digits."""
    found = hashlib.sha256()
    for start in range(0, len(text), _AT_ONCE):  # of what is long not all of the bytes are held beside the text
        part = text[start : start + _AT_ONCE]
        found.update(part.encode() if isinstance(part, str) else part)
    return found.hexdigest()


def moment(at: datetime | None) -> str | None:
    """A moment in UTC, to the second: `2026-11-30T09:15:02Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if at else None


def _refuse(number: str) -> None:
    raise TypeError(f"a record holds no fractions, and this is one: {number}")
