"""Reading a stored record entry by entry: its text is never held as values all at once.

It is canonical (`canonical`), so that `entries` come first and everything else stands behind them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_FIRST, _REST = '{"entries":[', '],"figures":'  # within a text of the record each of these quotes would be escaped
_decode = json.JSONDecoder().raw_decode


def entries(text: str) -> Iterator[dict[str, Any]]:
    """The record's entries, one after the other."""
    at = len(_FIRST)
    while text[at] != "]":
        entry, at = _decode(text, at)
        yield entry
        at += text[at] == ","


def rest(text: str) -> dict[str, Any]:
    """Everything else that the record says: organisation, review, people, figures."""
    found: dict[str, Any] = json.loads("{" + text[text.rindex(_REST) + 2 :])
    return found
