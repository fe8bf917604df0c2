"""Reading the history."""

from __future__ import annotations

from itertools import groupby

from django.db.models import QuerySet

from portability.audit.kinds import ROOMS
from portability.audit.models import Entry
from portability.audit.words import kind_name, room_name
from portability.workloads.models import Workload

_ORDER = {room: place for place, room in enumerate(ROOMS)}


def entries() -> QuerySet[Entry]:
    """Every entry, the newest first."""
    return Entry.objects.all()


def of_workload(workload: Workload) -> QuerySet[Entry]:
    """What was done to one workload: described, revised, moved, decided, waived. Everyone signed in may read it."""
    return Entry.objects.filter(workload=workload)


def actions_seen() -> list[tuple[str, list[tuple[str, str]]]]:
    """The kinds that occur, as choices in groups by what they are about: the stable word, and its name."""
    return [(room_name(room), [(a, kind_name(a)) for a in actions]) for room, actions in groupby(_seen(), _room)]


def rooms_seen() -> list[tuple[str, str]]:
    """What the kinds that occur are about: the first of their stable words, and its name."""
    return [(room, room_name(room)) for room, _ in groupby(_seen(), _room)]


def _seen() -> list[str]:
    """Kinds that occur, in the order of the table of rooms."""
    seen = Entry.objects.order_by("action").values_list("action", flat=True).distinct()
    return sorted(seen, key=lambda action: (_ORDER.get(_room(action), len(_ORDER)), _room(action), action))


def _room(action: str) -> str:
    return action.partition(".")[0]
