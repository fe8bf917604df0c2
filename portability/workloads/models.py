"""Workloads and their revisions. A revision never changes; what a workload is now is its current revision."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.dispatch import Signal

from portability.accounts.models import Team


class Criticality(models.TextChoices):
    """How much an outage would hurt, worst first."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


written = Signal()  # after many workloads were written by one statement: `pks`, and `columns` by name


class WorkloadQuerySet(models.QuerySet["Workload"]):
    """Workloads, of which it is told when they are written: what repeats them follows."""

    def update(self, **values: Any) -> int:
        """As every other, and tells of it."""
        pks = list(self.order_by().values_list("pk", flat=True))
        changed = super().update(**values)
        written.send(Workload, pks=pks, columns=frozenset(values))
        return changed


class Workload(models.Model):
    """One deployable unit of a team. Columns beside name and team repeat the current revision, for filters."""

    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="workloads")
    name = models.CharField(max_length=120)
    current = models.ForeignKey("Revision", null=True, on_delete=models.PROTECT, related_name="+")
    criticality = models.CharField(max_length=10, choices=Criticality.choices, default=Criticality.MEDIUM)
    owner = models.CharField(max_length=120, blank=True)
    vendor_today = models.CharField(max_length=10, blank=True)
    engine = models.CharField(max_length=40, blank=True)
    model = models.CharField(max_length=200, blank=True)
    gpus = models.PositiveIntegerField(null=True)  # replicas x GPUs per replica; null: not known
    replicas = models.PositiveIntegerField(null=True)
    retired_at = models.DateTimeField(null=True, blank=True)
    retired_reason = models.CharField(max_length=300, blank=True)
    version = models.PositiveIntegerField(default=1)  # counts edits: two people at once are told
    token = models.UUIDField(null=True, unique=True)  # of the form that registered it: sent twice, it counts once
    created_at = models.DateTimeField(auto_now_add=True)

    objects = WorkloadQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["team", "name"], name="workload_name_once_per_team")]
        indexes = [
            models.Index(fields=["engine", "retired_at", "current"], name="workload_by_engine"),
            models.Index(  # those that are judged, to be counted
                fields=["vendor_today"],
                condition=models.Q(retired_at=None, current__isnull=False),
                name="workload_judged",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Unchanging(models.Model):
    """Stored once. What must change all the same (a value is erased) is written past this, by `update`."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store it for the first time."""
        if not self._state.adding:
            raise TypeError(f"A stored {self._meta.verbose_name} never changes; make another revision.")
        super().save(*args, **kwargs)


class Revision(Unchanging):
    """One immutable state of manifests and declared facts, known by its content hash."""

    workload = models.ForeignKey(Workload, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)  # of file names, redacted texts and declared facts
    declared = models.JSONField(default=dict)  # in the form of the command line's workload file, and more
    facts = models.JSONField()  # portability.engine.facts_json
    redactions = models.JSONField(default=list)  # what was replaced: file, line, pointer, why
    harmless = models.JSONField(default=list)  # [[file, pointer], ...]: looked like a secret, a person said it is none
    extractor = models.PositiveIntegerField()  # the extractor's version when the facts were taken
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["workload", "number"], name="revision_number_once")]


class ManifestFile(Unchanging):
    """One manifest of a revision, secrets already replaced."""

    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="files")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    text = models.TextField()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["revision", "name"], name="file_name_once_per_revision")]


class ApplicationFile(Unchanging):
    """One file of a revision's application material, read and never run, secrets already replaced."""

    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="material")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    text = models.TextField()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["revision", "name"], name="material_name_once_per_revision")]
