"""Changing teams. A team to which anything ever belonged is deactivated, never deleted."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils.text import slugify

from portability.accounts.actions import Refused, require_administrator
from portability.accounts.models import Person, Team
from portability.audit.actions import record
from portability.audit.models import Entry

SLUG_LENGTH = 80


@transaction.atomic
def create_team(who: Person | None, name: str) -> Team:
    """Add a team."""
    require_administrator(who)
    slug = (slugify(name) or slugify(name, allow_unicode=True))[:SLUG_LENGTH]  # some letters become several
    if not slug:
        raise Refused("The name needs at least one letter or digit.")
    try:
        with transaction.atomic():
            team = Team.objects.create(name=name, slug=slug)
    except IntegrityError as error:
        raise Refused(f"There is already a team called {name}, or one whose name differs in signs only.") from error
    record(who, "team.created", name, team=team.pk)
    return team


@transaction.atomic
def rename_team(who: Person | None, team: Team, name: str) -> Team:
    """Rename a team; its workloads and people stay. The short name in addresses stays too."""
    require_administrator(who)
    before, team.name = team.name, name
    if before == name:
        return team
    try:
        with transaction.atomic():
            team.save(update_fields=["name"])
    except IntegrityError as error:
        raise Refused(f"There is already a team called {name}.") from error
    record(who, "team.renamed", name, team=team.pk, before=before)
    return team


@transaction.atomic
def set_team_active(who: Person | None, team: Team, active: bool) -> None:
    """Deactivate a team (its workloads stay readable, nobody edits them) or bring it back."""
    require_administrator(who)
    if team.active == active:
        return
    team.active = active
    team.save(update_fields=["active"])
    record(who, "team.reactivated" if active else "team.deactivated", team.name, team=team.pk)


@transaction.atomic
def delete_team(who: Person | None, team: Team) -> None:
    """Delete a team made by mistake, to which nothing ever belonged."""
    require_administrator(who)
    if not may_delete(team):
        raise Refused(f"People or workloads belong or belonged to {team.name}. Deactivate it instead.")
    pk, name = team.pk, team.name
    try:
        team.delete()
    except ProtectedError as error:  # someone was quicker with a first workload
        raise Refused(f"Something belongs to {name} by now. Deactivate it instead.") from error
    record(who, "team.deleted", name, team=pk)


def may_delete(team: Team) -> bool:
    """Whether nothing belongs to the team, and nobody ever did."""
    return not (
        team.workloads.exists()
        or team.memberships.exists()
        or Entry.objects.filter(action="team.joined", details__team=team.pk).exists()
    )
