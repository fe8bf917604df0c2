"""People that exist because a register was started: an own register's first administrator, a sample's one per role."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from axes.utils import reset
from django.conf import settings
from django.db import transaction

from portability.accounts.models import Membership, Person, Team
from portability.audit.actions import record

SAMPLE = "sample"  # the register that holds the sample, and may hold its logins
ROLES = {
    "viewer": "reads everything but manifest text",
    "member": "registers and edits workloads of the team {team}",
    "architect": "reviews, and reads manifest text",
    "curator": "keeps targets and matrices",
    "administrator": "keeps people and teams",
}
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look like another


class Refused(Exception):
    """Why no login was made."""


@dataclass(frozen=True, slots=True)
class Login:
    """A password in the clear, to be printed once; the database keeps its hash."""

    username: str
    password: str
    about: str


def new_password() -> str:
    """Random, easy to copy off a screen: about 79 bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))


@transaction.atomic
def first_administrator() -> Login | None:
    """An administrator where there is none yet; the password is to be changed at the first log-in."""
    if Person.objects.filter(administrator=True).exists():
        return None
    person = Person(username="administrator", administrator=True, must_change_password=True)
    return _create(person, "keeps people and teams; asks for a password of your own at the first log-in")


@transaction.atomic
def sample_logins() -> list[Login]:
    """One login a role, each with a random password; none where the sample has them already."""
    if settings.SERVED or settings.REGISTER != SAMPLE:
        raise Refused("Sample logins exist in the sample register only, never where DATABASE_URL is set.")
    if Person.objects.filter(username__in=ROLES).exists():
        return []
    team = Team.objects.filter(active=True).order_by("name").first()
    logins = []
    for role, about in ROLES.items():
        person = Person(username=role)
        if role in ("architect", "curator", "administrator"):
            setattr(person, role, True)
        logins.append(_create(person, about.format(team=team.name if team else "of nobody yet")))
        if role == "member" and team:
            Membership.objects.create(person=person, team=team)
    return logins


@transaction.atomic
def renew(usernames: list[str]) -> list[Login]:
    """New random passwords, for people who lost theirs. Also lifts a lockout."""
    logins = []
    for username in usernames:
        person = Person.objects.filter(username=username).first()
        if person is None:
            known = ", ".join(Person.objects.values_list("username", flat=True)[:20])
            raise Refused(f"There is no login {username}. There are: {known or 'none'}.")
        password = new_password()
        person.set_password(password)
        person.must_change_password = settings.REGISTER != SAMPLE
        person.save()
        reset(username=username)
        record(None, "person.password-reset", username)
        logins.append(Login(username, password, "" if person.is_active else "deactivated: cannot log in"))
    return logins


def _create(person: Person, about: str) -> Login:
    password = new_password()
    person.set_password(password)
    person.save()
    record(None, "person.created", person.username)
    return Login(person.username, password, about)
