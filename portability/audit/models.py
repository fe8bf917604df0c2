"""Who did what, when. Rows are only ever added."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Entry(models.Model):
    """One act: `action` is a stable word (`workload.saved`), `subject` what it was done to, in words."""

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    who = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    who_name = models.CharField(max_length=150)  # as it was then
    action = models.CharField(max_length=60, db_index=True)
    subject = models.CharField(max_length=200)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ["-at", "-id"]
        verbose_name_plural = "entries"
