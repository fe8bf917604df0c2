"""Changing people: each function owns its permission, its transaction and its audit rows.

`who` is None where the product itself acts (the first administrator, the sample).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from portability.accounts.models import Membership, Person, Team
from portability.audit.actions import record

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that is mistaken for another


class Refused(Exception):
    """What was asked cannot be done; the text says why and what to do instead."""


@dataclass(frozen=True)
class Roles:
    """The roles that a person can be given; they add up."""

    architect: bool = False
    curator: bool = False
    administrator: bool = False


def require_administrator(who: Person | None) -> None:
    """Raise unless an administrator, or the product itself, acts."""
    if who is not None and not (who.is_active and who.administrator):
        raise PermissionDenied("Only administrators keep people and teams.")


def one_time_password() -> str:
    """A password to be told once and changed at the first sign-in: four groups of letters, 80 bits."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(4))


@transaction.atomic
def create_person(
    who: Person | None,
    username: str,
    roles: Roles = Roles(),
    teams: Iterable[Team] = (),
    *,
    password: str | None = None,
    email: str = "",
) -> tuple[Person, str]:
    """Add a person; gives the one-time password, which is stored nowhere. A given `password` need not be changed."""
    require_administrator(who)
    if Person.objects.filter(username__iexact=username).exists():  # Ann and ann are not told apart in a list
        raise Refused(f"There is already a person called {username}, perhaps with other capital letters.")
    told = password or one_time_password()
    person = Person(username=username, email=email, must_change_password=password is None, **asdict(roles))
    person.set_password(told)
    try:
        with transaction.atomic():
            person.save()
    except IntegrityError as error:
        raise Refused(f"There is already a person called {username}.") from error
    record(who, "person.created", username, roles=asdict(roles))
    _set_teams(who, person, teams)
    return person, told


@transaction.atomic
def change_person(who: Person | None, person: Person, roles: Roles, teams: Iterable[Team], email: str = "") -> Person:
    """Set a person's roles, teams and mail address."""
    require_administrator(who)
    person = Person.objects.select_for_update().get(pk=person.pk)
    before = Roles(person.architect, person.curator, person.administrator)
    if before.administrator and not roles.administrator:
        _keep_an_administrator(person)
    if before != roles or person.email != email:
        person.architect, person.curator, person.administrator = roles.architect, roles.curator, roles.administrator
        person.email = email
        person.save(update_fields=["architect", "curator", "administrator", "email"])
        record(who, "person.changed", person.username, before=asdict(before), roles=asdict(roles))
    _set_teams(who, person, teams)
    return person


@transaction.atomic
def reset_password(who: Person | None, person: Person) -> str:
    """Give a person a new one-time password; ends their sessions. Gives the password, which is stored nowhere."""
    require_administrator(who)
    if not person.is_active:
        raise Refused(f"{person.username} is deactivated. Reactivate them; that gives a new password.")
    told = _new_password(person)
    record(who, "person.password-reset", person.username)
    return told


@transaction.atomic
def deactivate_person(who: Person | None, person: Person) -> None:
    """End a person's access at once, open sessions included. What they did stays, under their name."""
    require_administrator(who)
    if not person.is_active:
        return
    _keep_an_administrator(person)
    person.is_active = False
    person.set_unusable_password()  # an old session does not come back to life with a later reactivation
    person.save(update_fields=["is_active", "password"])
    record(who, "person.deactivated", person.username)


@transaction.atomic
def reactivate_person(who: Person | None, person: Person) -> str:
    """Let a deactivated person in again, with a new one-time password."""
    require_administrator(who)
    if person.is_active:
        raise Refused(f"{person.username} is active already.")
    person.is_active = True
    person.save(update_fields=["is_active"])
    told = _new_password(person)
    record(who, "person.reactivated", person.username)
    return told


@transaction.atomic
def change_own_password(person: Person, password: str) -> None:
    """Set the person's own password, already checked by the form. Their other sessions end."""
    person.set_password(password)
    person.must_change_password = False
    person.save(update_fields=["password", "must_change_password"])
    record(person, "person.password-changed", person.username)


def _new_password(person: Person) -> str:
    told = one_time_password()
    person.set_password(told)
    person.must_change_password = True
    person.save(update_fields=["password", "must_change_password"])
    return told


def _keep_an_administrator(leaving: Person) -> None:
    """Refuse if nobody else could administer. All administrators are locked: two cannot remove each other at once."""
    administrators = Person.objects.select_for_update().filter(administrator=True, is_active=True).order_by("pk")
    if {a.pk for a in administrators} == {leaving.pk}:
        raise Refused(f"{leaving.username} is the last active administrator. Make someone else administrator first.")


def _set_teams(who: Person | None, person: Person, teams: Iterable[Team]) -> None:
    wanted = {team.pk: team for team in teams}
    now = {m.team_id: m for m in Membership.objects.filter(person=person).select_related("team")}
    for pk, team in wanted.items():
        if pk not in now:
            Membership.objects.create(person=person, team=team)
            record(who, "team.joined", team.name, person=person.username, team=team.pk)
    for pk, membership in now.items():
        if pk not in wanted:
            membership.delete()
            record(who, "team.left", membership.team.name, person=person.username, team=pk)
