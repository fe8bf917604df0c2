"""Reading the history."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.utils.formats import date_format

from portability.audit.models import Entry
from portability.workloads.models import Workload

_IDS = frozenset({"team", "run", "export", "supersedes"})  # numbers of the database: nobody knows a team by one
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_WORDS = {"pairs": "assessments"}


def entries() -> QuerySet[Entry]:
    """Every entry, the newest first."""
    return Entry.objects.all()


def of_workload(workload: Workload) -> QuerySet[Entry]:
    """What was done to one workload: described, revised, moved, decided, waived. Everyone signed in may read it."""
    return Entry.objects.filter(workload=workload)


def actions_seen() -> list[tuple[str, str]]:
    """The actions that occur, as choices: the stable word, and the same in words."""
    seen = Entry.objects.order_by("action").values_list("action", flat=True).distinct()
    return [(action, in_words(action)) for action in seen]


def rooms_seen() -> list[tuple[str, str]]:
    """What the actions that occur are about: the first of their words."""
    return [(room, room.replace("_", " ")) for room in dict.fromkeys(a.partition(".")[0] for a, _ in actions_seen())]


def in_words(action: str) -> str:
    """A stable word as people read it: `workload.moved-team` is `workload: moved team`."""
    return action.replace(".", ": ", 1).replace("-", " ").replace("_", " ")


def details_in_words(entry: Entry) -> list[tuple[str, str]]:
    """The details as name and text, by name (databases keep no order); what is nested is said in one line."""
    return [
        (_WORDS.get(name, name.replace("_", " ")), _text(value))
        for name, value in sorted(_by_field(entry.details).items())
        if not (name in _IDS and isinstance(value, int))
    ]


def _by_field(details: dict[str, Any]) -> dict[str, Any]:
    """The details with each changed field on its own: `os version: 24.04.4 → 24.04.2`."""
    changed = details.get("changed")
    if not isinstance(changed, dict) or not all(isinstance(pair, list) and len(pair) == 2 for pair in changed.values()):
        return details
    rest = {name: value for name, value in details.items() if name != "changed"}
    return rest | {name: f"{_text(was)} → {_text(now)}" for name, (was, now) in changed.items()}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(inner)}" for name, inner in sorted(value.items()))
    if isinstance(value, list):
        return ", ".join(_text(inner) for inner in value)
    if isinstance(value, str) and _DAY.fullmatch(value):
        with suppress(ValueError):  # a person may have written something of that shape that is no day
            return date_format(date.fromisoformat(value), "j F Y")
    return "–" if value in (None, "") else str(value)
