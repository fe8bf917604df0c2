"""Reading who is told of what, and what became of it. What is personal is asked for by the person alone."""

from __future__ import annotations

from django.db.models import Count, Max, Prefetch, Q, QuerySet

from portability.accounts.models import Person
from portability.notifications.models import Attempt, Delivery, Endpoint, Subscription


def own_subscription(person: Person) -> Subscription:
    """What a person asked for; nothing yet is not stored."""
    return Subscription.objects.filter(person=person).first() or Subscription(person=person)


def failing_digests() -> QuerySet[Subscription]:
    """Digests that could not be sent the last time, for administrators."""
    failing = Subscription.objects.exclude(error="").exclude(often=Subscription.Often.NEVER)
    return failing.filter(person__is_active=True).select_related("person").order_by("person__username")


def endpoints() -> QuerySet[Endpoint]:
    """All receivers, with what waits, what failed, and when something last arrived."""
    of = Delivery.State
    return Endpoint.objects.prefetch_related("teams").annotate(
        waiting=Count("deliveries", filter=Q(deliveries__state=of.WAITING)),
        failed=Count("deliveries", filter=Q(deliveries__state=of.FAILED)),
        arrived_at=Max("deliveries__created_at", filter=Q(deliveries__state=of.SENT)),
    )


def deliveries_to(endpoint: Endpoint, state: str = "") -> QuerySet[Delivery]:
    """What was sent to a receiver, or is to be, the newest first, with every attempt."""
    tries = Prefetch("tries", Attempt.objects.order_by("number"))
    found = endpoint.deliveries.select_related("bulletin__run").prefetch_related(tries)
    return found.filter(state=state) if state else found
