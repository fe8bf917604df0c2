"""Files that people take away: which columns they hold, and those that are made in the background."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class ColumnMapping(models.Model):
    """The organisation's own choice and naming of columns. Those that ship with the product are in a file instead."""

    slug = models.SlugField(max_length=80, unique=True)  # in addresses; never that of a shipped one
    name = models.CharField(max_length=80, unique=True)
    note = models.CharField(max_length=300, blank=True)
    columns = (
        models.JSONField()
    )  # [{"heading", "source", "text", "words": [[value, word], ...]}, ...], see `mappings.Mapped`
    version = models.PositiveIntegerField(default=1)  # counts edits: two people at once are told
    changed_at = models.DateTimeField(auto_now=True)
    changed_by_name = models.CharField(max_length=150)  # as it was then

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Export(models.Model):
    """A file that is made in the background, for one person alone. The database knows what is left to do.

    `attempts` counts the claims, and tells a later claim from an earlier one.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"
        EXPIRED = "expired"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    format = models.CharField(max_length=4)
    query = models.TextField(blank=True)  # the register's address: what is filtered, and in which order
    target = models.CharField(max_length=120)
    mapping = models.CharField(max_length=80, blank=True)  # slug; "": every documented column
    origin = models.CharField(max_length=300)  # scheme and host, for links
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    total = models.PositiveIntegerField()  # rows, as counted when it was asked for; then as found
    done = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True)
    file_name = models.CharField(max_length=200, blank=True)
    size = models.PositiveBigIntegerField(default=0)  # bytes
    token = models.UUIDField(unique=True)  # of the form: sent twice, it counts once
    asked_at = models.DateTimeField(auto_now_add=True)
    heard_at = models.DateTimeField(null=True)  # when its worker last said that it goes on
    ended_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["owner", "-id"], name="exports_of_a_person"),
            models.Index(fields=["state", "heard_at"], name="exports_to_do"),
        ]

    def __str__(self) -> str:
        return self.file_name or f"export {self.pk}"


class Piece(models.Model):
    """A part of a file. Files are kept in the database: worker and web server may be on machines of their own."""

    export = models.ForeignKey(Export, on_delete=models.CASCADE, related_name="pieces")
    position = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["export", "position"], name="piece_once")]
