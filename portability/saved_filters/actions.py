"""Keeping filters under a name, and sharing them."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import QueryDict

from portability.accounts.models import Person, Team
from portability.audit.actions import record
from portability.refused import Refused
from portability.register.filters import choose
from portability.saved_filters.models import SavedFilter
from portability.saved_filters.queries import teams_of

MOST = 100  # of one person
Shared = SavedFilter.Shared


def save(who: Person, name: str, query: str, shared: str, team: Team | None) -> SavedFilter:
    """Keep what a register address asks for under a name that is new among the person's own."""
    team = _team(who, shared, team)
    chosen = choose(QueryDict(query), who)
    if chosen is None:
        raise Refused("There is no target yet, so there is nothing to filter.")
    asked = chosen.address(page=None).removeprefix("?")  # what of the address can be used
    try:
        with transaction.atomic():
            Person.objects.select_for_update().get(pk=who.pk)
            if SavedFilter.objects.filter(owner=who).count() >= MOST:
                raise Refused(f"{MOST} of your filters are saved already. Delete one first.")
            saved = SavedFilter.objects.create(
                owner=who, owner_name=who.get_username(), name=name, query=asked, shared=shared, team=team
            )
            told = {"filter": asked} if shared != Shared.PRIVATE else {}
            record(who, "filter.saved", _subject(saved), **told, **_told(shared, team))
    except IntegrityError:
        raise _taken(name) from None
    return saved


def change(who: Person, pk: int, name: str, shared: str, team: Team | None) -> SavedFilter:
    """Rename or share one of one's own. Raises SavedFilter.DoesNotExist where it is not."""
    team = _team(who, shared, team)
    try:
        with transaction.atomic():
            saved = SavedFilter.objects.select_for_update().get(pk=pk, owner=who)
            before = (saved.name, saved.shared, saved.team_id)
            named = _subject(saved)
            if before == (name, shared, team.pk if team else None):
                return saved
            saved.name, saved.shared, saved.team = name, shared, team
            saved.save()
            record(who, "filter.changed", _subject(saved), before=named, **_told(shared, team))
    except IntegrityError:
        raise _taken(name) from None
    return saved


@transaction.atomic
def delete(who: Person, pk: int) -> None:
    """Delete one's own; an administrator also what others share. Raises SavedFilter.DoesNotExist."""
    saved = SavedFilter.objects.select_for_update().get(pk=pk)
    if not may_delete(who, saved):
        raise PermissionDenied("Only who saved a filter deletes it, or an administrator where it is shared.")
    told = {"filter": saved.query} if saved.shared != Shared.PRIVATE else {}
    record(who, "filter.deleted", _subject(saved), owner=saved.owner_name, **told)
    saved.delete()


def may_delete(who: Person, saved: SavedFilter) -> bool:
    """Whether the person deletes this one."""
    return saved.owner_id == who.pk or (who.administrator and saved.shared != Shared.PRIVATE)


def _team(who: Person, shared: str, team: Team | None) -> Team | None:
    """The team to share with: one of the person's own."""
    if shared != Shared.TEAM:
        return None
    if team is None or not teams_of(who).filter(pk=team.pk).exists():
        raise Refused("Choose one of your teams.", "team")
    return team


def _subject(saved: SavedFilter) -> str:
    """Its name for the history, which more people read than may see a private one."""
    return saved.name if saved.shared != Shared.PRIVATE else "a private filter"


def _told(shared: str, team: Team | None) -> dict[str, str]:
    return {"shared": f"{shared}: {team.name}" if team else shared}


def _taken(name: str) -> Refused:
    return Refused(f"You have a filter called {name} already. Choose another name, or delete that one.", "name")
