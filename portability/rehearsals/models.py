"""Dated records that a workload really ran on a target."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from portability.targets.models import Target
from portability.workloads.models import Workload


class Rehearsal(models.Model):
    """One record. It is never edited: who erred withdraws it with a reason, and records another."""

    class Outcome(models.TextChoices):
        RAN = "ran", "ran"
        FAILED = "failed", "did not run"

    workload = models.ForeignKey(Workload, on_delete=models.PROTECT, related_name="rehearsals")
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="rehearsals")
    day = models.DateField()
    outcome = models.CharField(max_length=10, choices=Outcome.choices, default=Outcome.RAN)
    permanent = models.BooleanField(default=False)  # it was left running there
    traffic = models.CharField(max_length=200)  # how much of the real load, in words
    observed = models.TextField(max_length=2000)
    link = models.URLField(max_length=300, blank=True)
    recorded_by = models.ForeignKey(  # null: the product itself, in the sample
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    recorded_by_name = models.CharField(max_length=150)  # as it was then
    recorded_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    withdrawn_reason = models.CharField(max_length=300, blank=True)
    token = models.UUIDField(null=True, unique=True)  # of the form: sent twice, it counts once

    class Meta:
        ordering = ["-day", "-pk"]
        indexes = [models.Index(fields=["workload", "target", "-day"], name="rehearsal_newest")]

    def __str__(self) -> str:
        return f"{self.workload} on {self.target}, {self.day.isoformat()}"
