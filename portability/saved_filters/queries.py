"""Reading saved filters: one's own, those of one's teams, and everyone's; and which of them a page opens with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from portability.accounts.models import Person, Team
from portability.saved_filters.models import SavedFilter
from portability.saved_filters.pages import Judge, Judged, address


def visible_to(person: Person) -> QuerySet[SavedFilter]:
    """What the person may see, by name. Another person's private ones are not there."""
    shared = Q(shared=SavedFilter.Shared.EVERYONE) | Q(
        shared=SavedFilter.Shared.TEAM, team__active=True, team__people=person
    )
    return SavedFilter.objects.filter(Q(owner=person) | shared).select_related("team").distinct()


def teams_of(person: Person) -> QuerySet[Team]:
    """With which teams the person may share."""
    return person.teams.filter(active=True)


def default_of(person: Person, page: str) -> SavedFilter | None:
    """What a page opens with for a person; None where nothing is chosen, or it is no longer theirs to see."""
    chosen = person.opens_with.get(page)
    return visible_to(person).filter(pk=chosen, page=page).first() if chosen else None


@dataclass(frozen=True, slots=True)
class Line:
    """A saved filter with what it asks for now, and where that is looked at."""

    saved: SavedFilter
    judged: Judged
    address: str
    mine: bool
    default: bool  # the page opens with it for whoever looks


def lines(person: Person, saved: Sequence[SavedFilter]) -> list[Line]:
    """Saved filters with what they ask for, judged as their pages judge an address."""
    judge = Judge(person)
    return [
        Line(
            each,
            judge.judge(each.page, each.query),
            address(each.page, each.query),
            each.owner_id == person.pk,
            person.opens_with.get(each.page) == each.pk,
        )
        for each in saved
    ]
