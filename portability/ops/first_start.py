"""From whatever the database is to a register that can be served. Doing it again changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

from django.conf import settings
from django.core.management import call_command
from django.db import transaction

from portability.accounts.models import Person
from portability.matrices.models import Release
from portability.ops import copies, logins
from portability.organisation import zone
from portability.waiting import patiently
from portability.workloads.sample.clock import Calendar, at
from portability.workloads.sample.loading import create_teams, load_sample
from portability.workloads.sample.reviewing import People

Say = Callable[[str], object]


def prepare(say: Say) -> list[logins.Login]:
    """Migrate, load what ships, and see that someone can sign in. Answers the logins that were made just now."""
    if copy := copies.take_before_migrating():
        say(f"The register is about to be migrated. A copy of it as it was: {copy}")
    with patiently():
        call_command("migrate", interactive=False, verbosity=0)
        zone.activate()
        _load_shipped(say)
        if is_sample():
            return _sample(say)
        made = logins.first_administrator()
        return [made] if made else []


def is_sample() -> bool:
    """Whether the register being started is the sample one, on its SQLite file."""
    return bool(settings.REGISTER == logins.SAMPLE and not settings.SERVED)


def _load_shipped(say: Say) -> None:
    """Matrices and targets: all new at the first start, so one line; later each piece of news has its own."""
    first, news = not Release.objects.exists(), StringIO()
    call_command("load_shipped", stdout=news)
    lines = news.getvalue().splitlines()
    if first:
        say(f"Loaded {len(lines)} shipped readings of compatibility matrices and targets.")
    else:
        for line in lines:
            say(f"Shipped matrices and targets: {line}")


def _sample(say: Say) -> list[logins.Login]:
    """Workloads and logins of the sample, at its first start only: what was edited or retired since stays so."""
    if Person.objects.filter(username__in=logins.ROLES).exists():
        return []
    say("Loading the sample register ...")
    with transaction.atomic():  # all of it, or the next start begins anew
        with at(Calendar.from_now().registered()):
            create_teams()
            made = logins.sample_logins()
        people = {person.username: person for person in Person.objects.filter(username__in=logins.ROLES)}
        registered = load_sample(People(people["architect"], people["member"], people["administrator"]))
    say(f"Registered {registered} sample workloads, with the reviews of the last quarter and of this one.")
    return made
