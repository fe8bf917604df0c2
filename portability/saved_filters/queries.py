"""Reading saved filters: one's own, those of one's teams, and everyone's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.http import QueryDict

from portability.accounts.models import Person, Team
from portability.exports.source import in_words
from portability.register.filters import choose, known
from portability.saved_filters.models import SavedFilter


def visible_to(person: Person) -> QuerySet[SavedFilter]:
    """What the person may see, by name. Another person's private ones are not there."""
    shared = Q(shared=SavedFilter.Shared.EVERYONE) | Q(
        shared=SavedFilter.Shared.TEAM, team__active=True, team__people=person
    )
    return SavedFilter.objects.filter(Q(owner=person) | shared).select_related("team").distinct()


def teams_of(person: Person) -> QuerySet[Team]:
    """With which teams the person may share."""
    return person.teams.filter(active=True)


@dataclass(frozen=True, slots=True)
class Line:
    """A saved filter with what it asks for now: `words` by label, and in `problems` what of it cannot be used."""

    saved: SavedFilter
    words: dict[str, str]
    problems: list[str]
    mine: bool


def lines(person: Person, saved: Sequence[SavedFilter]) -> list[Line]:
    """Saved filters with what they ask for, judged as the register judges an address."""
    by = known() if saved else None
    found = []
    for each in saved:
        chosen = choose(QueryDict(each.query), person, by)
        words = in_words(chosen) if chosen else {}
        problems = chosen.problems if chosen else ["There is no target any more."]
        if chosen and "target" in chosen.asked:
            words = {"Target": chosen.target.name, **words}
        found.append(Line(each, words, problems, each.owner_id == person.pk))
    return found
