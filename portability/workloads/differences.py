"""How what is saved now differs from what a person sent, after someone else saved in between."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_LIMIT = 200_000  # characters: beyond, comparing line by line takes too long to wait for


@dataclass(frozen=True, slots=True)
class FileDifference:
    """One file that is not the same in both: its lines with + (yours) and - (saved now), None where it is too long."""

    file: str
    lines: list[str] | None


def of_files(theirs: Mapping[str, str], mine: Mapping[str, str]) -> list[FileDifference]:
    """The files, by name, that were added, removed or changed."""
    return [
        FileDifference(name, _lines(theirs.get(name, ""), mine.get(name, "")))
        for name in dict.fromkeys([*theirs, *mine])
        if theirs.get(name) != mine.get(name)
    ]


def of_facts(theirs: Mapping[str, Any], mine: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Entry and declared facts that differ: name, saved now, yours."""
    return [
        (name.replace("_", " "), _plain(theirs.get(name)), _plain(mine.get(name)))
        for name in dict.fromkeys([*theirs, *mine])
        if theirs.get(name) != mine.get(name)
    ]


def _lines(theirs: str, mine: str) -> list[str] | None:
    if len(theirs) + len(mine) > _LIMIT:
        return None
    return list(difflib.unified_diff(theirs.split("\n"), mine.split("\n"), "saved now", "yours", lineterm="", n=2))[2:]


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
