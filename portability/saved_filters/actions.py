"""Keeping filters under a name, sharing them, and choosing those that pages open with."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from portability.accounts.models import Person, Team
from portability.audit.actions import record
from portability.refused import Refused
from portability.saved_filters.models import SavedFilter
from portability.saved_filters.pages import Judge
from portability.saved_filters.queries import teams_of, visible_to

MOST = 100  # of one person
Shared = SavedFilter.Shared


def save(
    who: Person, page: str, name: str, query: str, shared: str, team: Team | None, *, default: bool = False
) -> SavedFilter:
    """Keep what a page's address asks for under a name that is new among the person's own.

    `default`: the page opens with it for the person from now on.
    """
    team = _team(who, shared, team)
    judged = Judge(who).judge(page, query)
    asked = judged.asked
    if asked is None:
        raise Refused(" ".join(judged.problems))
    try:
        with transaction.atomic():
            Person.objects.select_for_update().get(pk=who.pk)
            if SavedFilter.objects.filter(owner=who).count() >= MOST:
                raise Refused(f"{MOST} of your filters are saved already. Delete one first.")
            saved = SavedFilter.objects.create(
                owner=who, owner_name=who.get_username(), name=name, page=page, query=asked, shared=shared, team=team
            )
            told = {"filter": asked} if shared != Shared.PRIVATE else {}
            record(who, "filter.saved", _subject(saved), **told, **_told(shared, team))
            if default:
                _open_with(who, saved)
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


@transaction.atomic
def make_default(who: Person, pk: int) -> SavedFilter:
    """Let the filter's page open with it for the person. Raises SavedFilter.DoesNotExist, Refused."""
    saved = visible_to(who).get(pk=pk)
    _open_with(who, saved)
    return saved


@transaction.atomic
def end_default(who: Person, pk: int) -> SavedFilter:
    """Let the filter's page open without it. Raises SavedFilter.DoesNotExist."""
    saved = visible_to(who).get(pk=pk)
    chosen = _opened_with(who)
    if chosen.get(saved.page) == saved.pk:
        del chosen[saved.page]
        who.save(update_fields=["opens_with"])
        record(who, "filter.no-default", _subject(saved), page=saved.page)
    return saved


def _open_with(who: Person, saved: SavedFilter) -> None:
    if not saved.query:
        raise Refused("It leaves nothing out: the page opens like that without it.", "default")
    chosen = _opened_with(who)
    if chosen.get(saved.page) != saved.pk:
        chosen[saved.page] = saved.pk
        who.save(update_fields=["opens_with"])
        record(who, "filter.default", _subject(saved), page=saved.page)


def _opened_with(who: Person) -> dict[str, int]:
    """The person's choices as they are now, locked until the transaction ends, to be changed and saved."""
    chosen: dict[str, int] = Person.objects.select_for_update().values_list("opens_with", flat=True).get(pk=who.pk)
    who.opens_with = chosen
    return chosen


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
