"""People that exist because a register was started: an own register's first administrator, a sample's one per role."""

from __future__ import annotations

from dataclasses import dataclass

from axes.utils import reset
from django.conf import settings
from django.db import transaction

from portability.accounts.actions import Refused, Roles, create_person, one_time_password
from portability.accounts.models import Person, Team
from portability.audit.actions import record

SAMPLE = "sample"  # the register that holds the sample, and may hold its logins
ROLES = {
    "viewer": "reads everything but manifest text",
    "member": "registers and edits workloads of the team {team}",
    "architect": "reviews, and reads manifest text",
    "curator": "keeps targets, readings of matrices, own rules and rows; assesses again what is out of date",
    "administrator": "keeps people, teams and settings",
}


@dataclass(frozen=True, slots=True)
class Login:
    """A password in the clear, to be printed once; the database keeps its hash."""

    username: str
    password: str
    about: str


@transaction.atomic
def first_administrator() -> Login | None:
    """An administrator where there is none yet; the password is to be changed at the first log-in."""
    if Person.objects.filter(administrator=True).exists():
        return None
    _, password = create_person(None, "administrator", Roles(administrator=True))
    about = "keeps people, teams and settings; asks for a password of your own at the first log-in"
    return Login("administrator", password, about)


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
        given = Roles(architect=role == "architect", curator=role == "curator", administrator=role == "administrator")
        teams = [team] if team and role == "member" else []
        _, password = create_person(None, role, given, teams, password=one_time_password())
        logins.append(Login(role, password, about.format(team=team.name if team else "of nobody yet")))
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
        password = one_time_password()
        person.set_password(password)
        person.must_change_password = settings.REGISTER != SAMPLE
        person.save()
        reset(username=username)
        record(None, "person.password-reset", username)
        logins.append(Login(username, password, "" if person.is_active else "deactivated: cannot sign in"))
    return logins
