"""JSON that has one form: keys sorted, no blanks, UTF-8 as it is, and no number that two programs could write apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any


def canonical(value: Any) -> str:
    """The text of a JSON value. Raises TypeError for a fraction: whole numbers and texts only."""
    _require_whole(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical_object(parts: Mapping[str, str]) -> str:
    """An object whose values are canonical texts already: for what is too large to be held twice."""
    return "{" + ",".join(f"{canonical(key)}:{parts[key]}" for key in sorted(parts)) + "}"


def canonical_list(items: Iterable[str]) -> str:
    """A list of canonical texts."""
    return "[" + ",".join(items) + "]"


def digest(text: str | bytes) -> str:
    """SHA-256, in hex digits."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def moment(at: datetime | None) -> str | None:
    """A moment in UTC, to the second: `2026-11-30T09:15:02Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if at else None


def _require_whole(value: Any) -> None:
    if isinstance(value, float):
        raise TypeError(f"a record holds no fractions, and this is one: {value}")
    if isinstance(value, dict):
        for inner in value.values():
            _require_whole(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _require_whole(inner)
