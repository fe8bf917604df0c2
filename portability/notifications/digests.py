"""E-mail digests: one message to each person who asked, of all that moved since the last one."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from portability.notifications import payloads
from portability.notifications.models import Subscription
from portability.register import moved
from portability.register.models import Bulletin, Movement

ATTEMPTS = 12  # over about a day; then a digest is given up until more moves, or the person saves the settings
FIRST_PAUSE = timedelta(minutes=1)  # before the second attempt; doubled before each further one
LONGEST_PAUSE = timedelta(hours=6)
SILENT_AFTER = timedelta(minutes=10)  # handing over one message takes seconds: whoever claimed it is gone
LISTED = 10  # workloads named for each team, the worst moves first; all are counted
_ROOM = 300
_log = logging.getLogger(__name__)
_Often = Subscription.Often


@dataclass(frozen=True, slots=True)
class TeamPart:
    """A team in a digest: its counts, the workloads that are named, and the page with all of them."""

    counts: moved.TeamMoves
    named: list[tuple[moved.Moved, str]]  # with the workload's page
    url: str

    @property
    def more(self) -> int:
        """How many are counted and not named."""
        return self.counts.all - len(self.named)


def configured() -> bool:
    """Whether an operator named a mail server."""
    return bool(settings.EMAIL_HOST)


def last_bulletin(until: datetime | None = None) -> int:
    """The number of the newest bulletin, or of the newest until a moment; 0 before the first."""
    found = Bulletin.objects.filter(made_at__lte=until) if until else Bulletin.objects.all()
    return found.order_by("-pk").values_list("pk", flat=True).first() or 0


def hour_before(now: datetime, hour: int) -> datetime:
    """When the clock last showed this hour in the organisation's zone."""
    local = timezone.localtime(now)
    today = datetime.combine(local.date(), time(hour), local.tzinfo)
    return today if today <= local else datetime.combine(local.date() - timedelta(days=1), time(hour), local.tzinfo)


def due(now: datetime) -> QuerySet[Subscription]:
    """Whose digest is to be looked at now; whether anything moved for them is seen when it is written.

    While the mail server is known to be away, nobody's: one tries again when its time comes, and not all of them.
    """
    if not configured() or Subscription.objects.filter(server_away=True, due_at__gt=now).exists():
        return Subscription.objects.none()
    of_runs = Bulletin.objects.filter(pk__gt=OuterRef("told")).exclude(run=None)
    asked = Q(Exists(of_runs), _left(last_bulletin()), often=_Often.RUN)
    daily = Subscription.objects.filter(often=_Often.DAY)
    for hour in daily.order_by("hour").values_list("hour", flat=True).distinct():
        last = last_bulletin(hour_before(now, hour))
        asked |= Q(_left(last), often=_Often.DAY, hour=hour, told__lt=last)
    free = Q(claimed_at=None) | Q(claimed_at__lt=now - SILENT_AFTER)
    wait = Q(due_at=None) | Q(due_at__lte=now)
    return Subscription.objects.filter(asked, free, wait, person__is_active=True).exclude(person__email="")


def _left(last: int) -> Q:
    """Whether attempts are left to tell of what is known until this bulletin."""
    return Q(attempts__lt=ATTEMPTS) | Q(tried__lt=last)


def send(pk: int, now: datetime) -> bool:
    """Send one person's digest if it is due and something moved. Whether a message was handed over.

    Of two workers one does it. One that is stopped between handing it over and its record leaves it to be sent again,
    with the same Message-ID, by which mail programs know it.
    """
    subscription = _claim(pk, now)
    if subscription is None:
        return False
    last = subscription.tried
    teams = by_team(subscription, last)
    failed: Exception | None = None
    try:
        if teams:
            _message(subscription, teams, last).send()
    except (SMTPException, OSError) as error:
        failed = error
        _log.warning("a digest could not be sent", extra={"person": subscription.person_id, "error": str(error)})
    _keep(subscription, now, failed, sent=bool(teams))
    return bool(teams) and not failed


def by_team(subscription: Subscription, last: int) -> list[TeamPart]:
    """What moved since the person was last told, up to a bulletin, for the teams that were asked for."""
    person = subscription.person
    movements = moved.movements_for(person).filter(bulletin__gt=subscription.told, bulletin__lte=last)
    if subscription.whose == Subscription.Whose.OWN:
        movements = movements.filter(team__in=person.teams.filter(active=True))
    return [_part(counts, movements) for counts in moved.by_team(movements)]


def _part(counts: moved.TeamMoves, movements: QuerySet[Movement]) -> TeamPart:
    ofteam = movements.filter(team__slug=counts.slug)
    first_day = timezone.localtime(ofteam.order_by("at").values_list("at", flat=True)[0]).date()
    named = moved.with_why(moved.worst_first(ofteam)[:LISTED])
    url = payloads.moved_page(team=counts.slug, since=first_day.isoformat())
    return TeamPart(counts, [(each, payloads.workload_page(each.movement)) for each in named], url)


def _message(subscription: Subscription, teams: list[TeamPart], last: int) -> EmailMessage:
    """Plain text, with nothing in it that tells when it was read."""
    n = sum(team.counts.all for team in teams)
    worst, count = moved.kinds_of(team.counts for team in teams)[0]
    context = {
        "person": subscription.person,
        "teams": teams,
        "n": n,
        "whose": subscription.whose,
        "settings_page": payloads.absolute(reverse("notifications:own")),
    }
    host = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">")
    return EmailMessage(
        subject=f"{n} verdict{'' if n == 1 else 's'} moved: {count} {worst.plain}"
        + (", and others" if n > count else ""),
        body=render_to_string("notifications/digest.txt", context),
        to=[subscription.person.email],
        headers={
            "Message-ID": f"<digest-{subscription.person_id}-{subscription.told}-{last}@{host}>",
            "Auto-Submitted": "auto-generated",
        },
        connection=get_connection(fail_silently=False),
    )


def _claim(pk: int, now: datetime) -> Subscription | None:
    """Compare and swap: `told` and `attempts` tell a later claim from an earlier one."""
    found = due(now).select_related("person").filter(pk=pk).first()
    if found is None:
        return None
    last = last_bulletin(hour_before(now, found.hour) if found.often == _Often.DAY else None)
    tried, attempts = (found.tried, found.attempts) if found.tried == last else (last, 0)
    unclaimed = Subscription.objects.filter(
        pk=pk, told=found.told, tried=found.tried, attempts=found.attempts, claimed_at=found.claimed_at
    )
    if not unclaimed.update(claimed_at=now, tried=last, attempts=attempts + 1):
        return None
    found.claimed_at, found.tried, found.attempts = now, tried, attempts + 1
    return found


def _keep(subscription: Subscription, now: datetime, failed: Exception | None, *, sent: bool) -> None:
    mine = Subscription.objects.filter(pk=subscription.pk, claimed_at=now, told=subscription.told)
    if failed:
        away = not isinstance(failed, SMTPException)
        due_at = now + pause(subscription.attempts)
        mine.update(claimed_at=None, error=_in_words(failed), server_away=away, due_at=due_at)
        return
    done = {"told": subscription.tried, "attempts": 0, "error": "", "server_away": False, "due_at": None}
    mine.update(claimed_at=None, sent_at=now if sent else F("sent_at"), **done)


def pause(attempts: int) -> timedelta:
    """How long to wait after so many attempts that failed."""
    return min(FIRST_PAUSE * float(2 ** (attempts - 1)), LONGEST_PAUSE)


def _in_words(error: Exception) -> str:
    """What the mail server, or the way to it, said."""
    answer: tuple[int, bytes | str] | None = None
    if isinstance(error, SMTPRecipientsRefused):
        answer = next(iter(error.recipients.values()), None)  # there is one recipient
    elif isinstance(error, SMTPResponseException):
        answer = error.smtp_code, error.smtp_error
    if answer:
        code, said = answer
        text = said.decode(errors="replace") if isinstance(said, bytes) else said
        return f"The mail server answered {code}: {text}"[:_ROOM]
    if isinstance(error, SMTPException):
        return f"The mail server refused the message: {error}"[:_ROOM]
    return f"The mail server cannot be reached: {getattr(error, 'strerror', None) or error}"[:_ROOM]
