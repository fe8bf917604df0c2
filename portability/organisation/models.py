"""What the organisation has settled for all of its register: one row, and a default target for each vendor."""

from __future__ import annotations

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models, transaction

from portability.engine.model import Vendor
from portability.targets.models import Target

THE_ONE = 1  # there is one organisation in a register


class Organisation(models.Model):
    """The settings. What is not chosen yet holds its default."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=THE_ONE, editable=False)
    name = models.CharField(max_length=120, blank=True)
    time_zone = models.CharField(max_length=60, blank=True)  # "": the one the installation is configured with
    first_month = models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1), MaxValueValidator(12)])
    manifests_for_everyone = models.BooleanField(default=False)  # else: the team, architects and administrators
    not_waivable = models.JSONField(default=list)  # ids of rules whose findings nobody may waive
    rehearsal_days = models.PositiveIntegerField(default=365)  # how old a rehearsal may grow before it is lapsed
    version = models.PositiveIntegerField(default=1)  # counts edits: two people at once are told

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(pk=THE_ONE), name="there_is_one_organisation")]

    def __str__(self) -> str:
        return self.name or "The organisation"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store them; this process stops keeping the former ones, now and once others can read the new ones."""
        from portability.organisation.kept import forget  # it reads this model

        super().save(*args, **kwargs)
        forget()
        transaction.on_commit(forget)


class DefaultTarget(models.Model):
    """Where workloads that run on a vendor today would go, unless asked otherwise."""

    vendor = models.CharField(max_length=10, unique=True, choices=[(v.value, v.value) for v in Vendor])
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["vendor"]

    def __str__(self) -> str:
        return f"{self.vendor} to {self.target}"
