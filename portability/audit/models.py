"""Who did what, when. Rows are only ever added: neither this room nor, by its triggers, the database changes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.utils import timezone


class Kept(Exception):
    """Somebody tried to change or delete what is in the history."""

    def __init__(self) -> None:
        super().__init__("Entries of the history are added, and never changed or deleted.")


class Entries(models.QuerySet["Entry"]):
    """Entries to be read, and added one by one."""

    def update(self, **kwargs: Any) -> NoReturn:
        """Refused."""
        raise Kept

    def delete(self) -> NoReturn:
        """Refused."""
        raise Kept

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused."""
        raise Kept

    def bulk_create(self, objs: Iterable[Entry], *args: Any, **kwargs: Any) -> NoReturn:
        """Refused: it could overwrite."""
        raise Kept


class Entry(models.Model):
    """One act: `action` is a stable word (`workload.saved`), `subject` what it was done to, in words."""

    at = models.DateTimeField(default=timezone.now, db_index=True, editable=False)
    who = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    who_name = models.CharField(max_length=150)  # as it was then
    action = models.CharField(max_length=60, db_index=True)
    subject = models.CharField(max_length=200)
    workload = models.ForeignKey("workloads.Workload", null=True, on_delete=models.PROTECT, related_name="+")  # of one
    details = models.JSONField(default=dict)

    objects = Entries.as_manager()

    class Meta:
        ordering = ["-at", "-id"]
        verbose_name_plural = "entries"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Add it. Raises Kept where it is there already."""
        if not self._state.adding:
            raise Kept
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused."""
        raise Kept
