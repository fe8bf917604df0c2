"""Who is told of what moved: people by an e-mail digest, receivers by webhook; and what became of each message."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models

from portability.accounts.models import Team
from portability.register.models import Bulletin


class Subscription(models.Model):
    """What one person asked for. `told` is the last bulletin that reached them: what came later is still to be told."""

    class Often(models.TextChoices):
        NEVER = "never"
        RUN = "run"  # after each re-evaluation in which something moved
        DAY = "day"  # once a day, of what moved until `hour` in the organisation's zone

    class Whose(models.TextChoices):
        OWN = "own"  # of the person's teams
        ALL = "all"

    person = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="subscription")
    often = models.CharField(max_length=5, choices=Often.choices, default=Often.NEVER)
    whose = models.CharField(max_length=3, choices=Whose.choices, default=Whose.OWN)
    hour = models.PositiveSmallIntegerField(default=7, validators=[MaxValueValidator(23)])
    told = models.PositiveBigIntegerField(default=0)  # id of a bulletin
    sent_at = models.DateTimeField(null=True)  # when a digest last went out
    # What is being tried: claimed by compare-and-swap on `told` and `attempts`.
    tried = models.PositiveBigIntegerField(default=0)  # the last bulletin that the attempts below were to tell
    attempts = models.PositiveSmallIntegerField(default=0)
    claimed_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)  # not tried again before
    error = models.CharField(max_length=300, blank=True)  # of the last attempt
    server_away = models.BooleanField(default=False)  # it got no further than the mail server: nor would others


class Endpoint(models.Model):
    """A receiver of webhooks. The secret signs what is sent; it is shown when it is made and never again."""

    name = models.CharField(max_length=80, unique=True)
    url = models.CharField(max_length=2000)
    secret = models.CharField(max_length=100)
    active = models.BooleanField(default=True)
    teams = models.ManyToManyField(Team, related_name="+", blank=True)  # none chosen: all of them
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Delivery(models.Model):
    """One message to one receiver: of a bulletin, or a test. Its id stays the same however often it is tried."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"  # not tried any more
        DROPPED = "dropped"  # the endpoint was switched off first

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="deliveries")
    bulletin = models.ForeignKey(Bulletin, null=True, on_delete=models.CASCADE, related_name="+")  # null: a test
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    created_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)  # so far; compared and swapped by whoever claims it
    last_attempt = models.PositiveSmallIntegerField()  # after so many it is given up

    class Meta:
        ordering = ["-created_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "bulletin"], name="one_delivery_per_endpoint_and_bulletin")
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(state="waiting"), name="delivery_to_do"),
        ]


class Attempt(models.Model):
    """One try of a delivery. Without status and error, nobody knows: whoever tried was stopped, or still tries."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="tries")
    number = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True)  # of the answer
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["delivery", "number"], name="attempt_number_once")]
