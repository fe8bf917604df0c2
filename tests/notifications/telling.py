"""What the tests of this room share: making verdicts move, asking to be told, and doing what beat asks for."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from portability.accounts.models import Person, Team
from portability.notifications import actions, deliveries, digests
from portability.notifications.actions import Asked, EndpointValues
from portability.notifications.models import Delivery, Endpoint, Subscription
from portability.register.models import Run
from portability.rules.custom import actions as rules
from portability.rules.models import CustomRule
from tests.rules.custom import enable, values, work

URL = "https://hooks.example.com/in"


def pin(who: Person, **more: str) -> Run:
    """A run, done, in which `three` and `four` become pinned; or what another condition hits."""
    enable(who, **{"effect": "blocks", **more})
    work()
    return Run.objects.latest("pk")


def pin_others(who: Person, condition: str) -> Run:
    """A run, done, in which the newest rule comes to hit others than before."""
    rule = CustomRule.objects.latest("pk")
    rules.save_rule(who, rule.number, rule.version, values(effect="blocks", condition=condition), enable=True)
    work()
    return Run.objects.latest("pk")


def ask(person: Person, often: str = "run", whose: str = "own", hour: int = 7, email: str = "") -> Subscription:
    """A person asks for a digest."""
    return actions.save_subscription(person, Asked(often, whose, hour, email or f"{person.username}@example.org"))


def add(who: Person, *teams: Team, url: str = URL, name: str = "chat") -> Endpoint:
    """A webhook, for some teams or for all."""
    return actions.create_endpoint(who, EndpointValues(name, url, teams))[0]


def tell(now: datetime | None = None) -> None:
    """What beat and the workers it wakes do: gather what moved, then each message that is due."""
    actions.tell()
    moment = now or timezone.now()
    for delivery in list(deliveries.due(moment).order_by("created_at").values_list("pk", flat=True)):
        deliveries.deliver(delivery)
    for subscription in list(digests.due(moment).order_by("pk").values_list("pk", flat=True)):
        digests.send(subscription, moment)


def make_due() -> None:
    """Time passes until whatever waits is tried again."""
    Delivery.objects.update(due_at=timezone.now())
    Subscription.objects.update(due_at=None)


class Killed(BaseException):
    """The worker is gone: nothing catches this."""


def killed(*_: object, **__: object) -> None:
    """Stands for what a worker comes to no more."""
    raise Killed
