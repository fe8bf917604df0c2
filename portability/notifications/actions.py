"""What people ask to be told of, and the endpoints that administrators keep."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from portability.accounts.models import Person, Team
from portability.audit.actions import record
from portability.notifications import deliveries, digests
from portability.notifications.models import Delivery, Endpoint, Subscription
from portability.outbound.errors import Refused as OutboundRefused
from portability.outbound.rules import place_of
from portability.refused import Refused
from portability.register import movements
from portability.waking import Message, wake, wake_each

DELIVER, SEND = "portability.notifications.tasks.deliver", "portability.notifications.tasks.send"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asks for, checked by the form."""

    often: str
    whose: str
    hour: int
    email: str


@dataclass(frozen=True, slots=True)
class EndpointValues:
    """What an endpoint is, checked by the form. Without teams it gets what moved for all of them."""

    name: str
    url: str
    teams: Sequence[Team] = ()


@transaction.atomic
def save_subscription(who: Person, asked: Asked) -> Subscription:
    """Keep what a person asks for about themselves. Whoever asks for the first time is told of what moves from now on.

    Saving also lets a digest be tried again that was given up.
    """
    wanted = asked.often != Subscription.Often.NEVER
    if wanted and not digests.configured():
        raise Refused("No mail server is configured, so no digest can be sent. An operator sets PORTABILITY_EMAIL_URL.")
    if wanted and not asked.email:
        raise Refused("A digest needs an address to go to.", "email")
    person = Person.objects.select_for_update().get(pk=who.pk)
    found, _ = Subscription.objects.get_or_create(person=person)
    if found.often == Subscription.Often.NEVER and wanted:
        found.told = digests.last_bulletin()
    found.often, found.whose, found.hour = asked.often, asked.whose, asked.hour
    found.attempts, found.due_at, found.error, found.server_away = 0, None, "", False
    found.save(update_fields=["often", "whose", "hour", "told", "attempts", "due_at", "error", "server_away"])
    moved_away = person.email != asked.email
    if moved_away:
        person.email = asked.email
        person.save(update_fields=["email"])
    said: dict[str, Any] = {
        "often": asked.often,
        "whose": asked.whose,
        "hour": asked.hour,
        "address_changed": moved_away,
    }
    record(who, "digest.asked-for", person.get_username(), **said)
    return found


@transaction.atomic
def create_endpoint(who: Person, values: EndpointValues) -> tuple[Endpoint, str]:
    """Add a receiver; gives its secret, which is not shown again."""
    host = _allowed(who, values.url)
    secret = _secret()
    endpoint = Endpoint(name=values.name, url=values.url, secret=secret, created_by=who)
    _write(endpoint)
    endpoint.teams.set(values.teams)
    record(who, "webhook.added", endpoint, host=host, teams=[team.name for team in values.teams])
    return endpoint, secret


@transaction.atomic
def save_endpoint(who: Person, pk: int, values: EndpointValues) -> Endpoint:
    """Change a receiver's name, address and teams. The secret stays; what waits goes to the new address."""
    host = _allowed(who, values.url)
    endpoint = Endpoint.objects.select_for_update().get(pk=pk)
    moved_away = endpoint.url != values.url
    endpoint.name, endpoint.url = values.name, values.url
    _write(endpoint)
    endpoint.teams.set(values.teams)
    said: dict[str, Any] = {"host": host, "address_changed": moved_away, "teams": [team.name for team in values.teams]}
    record(who, "webhook.saved", endpoint, **said)
    return endpoint


@transaction.atomic
def rotate_secret(who: Person, pk: int) -> tuple[Endpoint, str]:
    """Sign with a new secret from now on; it is given once. The old one signs nothing any more."""
    endpoint = _taken(who, pk)
    endpoint.secret = _secret()
    endpoint.save(update_fields=["secret"])
    record(who, "webhook.secret-renewed", endpoint)
    return endpoint, endpoint.secret


@transaction.atomic
def switch_endpoint(who: Person, pk: int, *, active: bool) -> Endpoint:
    """Send to a receiver, or send nothing; what waited for one that is switched off is dropped."""
    endpoint = _taken(who, pk)
    if endpoint.active != active:
        endpoint.active = active
        endpoint.save(update_fields=["active"])
        dropped = 0 if active else deliveries.drop(endpoint)
        record(who, "webhook.switched-on" if active else "webhook.switched-off", endpoint, dropped=dropped)
    return endpoint


@transaction.atomic
def send_test(who: Person, pk: int) -> Delivery:
    """Send a message that tells of nothing, to try a receiver."""
    endpoint = _on(_taken(who, pk))
    delivery = Delivery.objects.create(endpoint=endpoint, due_at=timezone.now(), last_attempt=1)
    record(who, "webhook.tested", endpoint, delivery=str(delivery.pk))
    transaction.on_commit(lambda: wake(DELIVER, str(delivery.pk)))
    return delivery


@transaction.atomic
def send_again(who: Person, pk: int, delivery: UUID) -> Delivery:
    """Try a delivery anew under its old id, whatever became of it; one that is being tried already stays as it is."""
    endpoint = _on(_taken(who, pk))
    found = Delivery.objects.get(pk=delivery, endpoint=endpoint)
    if deliveries.wait_again(found):
        record(who, "webhook.sent-again", endpoint, delivery=str(delivery))
        transaction.on_commit(lambda: wake(DELIVER, str(delivery)))
    return found


def tell() -> int:
    """Gather what moved and is not told, and ask for each message that is due, one task each. How many were asked for.

    Whatever is lost on the way is found in the database the next time.
    """
    with transaction.atomic():
        for bulletin in movements.gather():
            deliveries.create(bulletin)
    now = timezone.now()
    waiting = deliveries.due(now).order_by("due_at").values_list("pk", flat=True)
    digests_due = digests.due(now).order_by("pk").values_list("pk", flat=True)
    asked: list[Message] = [(DELIVER, (str(pk),)) for pk in waiting]
    asked += [(SEND, (pk,)) for pk in digests_due]
    return wake_each(asked)


def require_administrator(who: Person) -> None:
    """Raise unless an administrator acts."""
    if not (who.is_active and who.administrator):
        raise PermissionDenied("Only administrators keep webhooks.")


def _taken(who: Person, pk: int) -> Endpoint:
    require_administrator(who)
    return Endpoint.objects.select_for_update().get(pk=pk)


def _on(endpoint: Endpoint) -> Endpoint:
    if not endpoint.active:
        raise Refused(f"{endpoint} is switched off. Switch it on first.")
    return endpoint


def _allowed(who: Person, url: str) -> str:
    """The host of an address that may be posted to."""
    require_administrator(who)
    try:
        place = place_of(url)
        settings.WEBHOOK_HOSTS.require(place)
    except OutboundRefused as refused:
        raise Refused(str(refused), "url") from None
    return place.host


def _write(endpoint: Endpoint) -> None:
    try:
        with transaction.atomic():
            endpoint.save()
    except IntegrityError:
        raise Refused(f"There is already a webhook called {endpoint.name}. Choose another name.", "name") from None


def _secret() -> str:
    return f"whsec_{secrets.token_urlsafe(32)}"
