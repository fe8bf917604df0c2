"""Reading the history."""

from __future__ import annotations

from django.db.models import QuerySet

from portability.audit.models import Entry


def entries() -> QuerySet[Entry]:
    """Every entry, the newest first."""
    return Entry.objects.all()


def actions_seen() -> list[tuple[str, str]]:
    """The actions that occur, as choices: the stable word, and the same in words."""
    seen = Entry.objects.order_by("action").values_list("action", flat=True).distinct()
    return [(action, in_words(action)) for action in seen]


def in_words(action: str) -> str:
    """A stable word as people read it: `workload.moved-team` is `workload: moved team`."""
    return action.replace(".", ": ", 1).replace("-", " ").replace("_", " ")
