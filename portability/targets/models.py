"""Where workloads might go."""

from __future__ import annotations

from django.db import models


class Target(models.Model):
    """A named target. `spec` is the target in the form of the command line's target file (see docs)."""

    name = models.SlugField(max_length=60, unique=True)
    vendor = models.CharField(max_length=10)
    spec = models.JSONField()
    default = models.BooleanField(default=False)  # the one the register opens with
    active = models.BooleanField(default=True)
    version = models.PositiveIntegerField(default=1)  # counts edits: two people at once are told
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
