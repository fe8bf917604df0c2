"""Published pages the knowledge comes from, what was read off them, and when."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from portability.engine.matrices.importers import IMPORTED


class Source(models.Model):
    """A standing source: a published page with its purpose and whether it still stands.

    A field that a person edited stays as they left it: what ships takes the place of what shipped before, and of no
    other value (`sources.take_shipped`).
    """

    class Status(models.TextChoices):
        CURRENT = "current"
        MOVED = "moved"
        RETIRED = "retired"

    id = models.SlugField(max_length=60, primary_key=True)
    title = models.CharField(max_length=120)
    url = models.URLField(max_length=300)
    purpose = models.CharField(max_length=200)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.CURRENT)
    status_note = models.CharField(max_length=200, blank=True)
    due_days = models.PositiveIntegerField(null=True, default=90)  # days after a reading; None: never by itself
    due = models.DateField(null=True)  # a day a person set instead, until it was read on that day or later
    version = models.PositiveIntegerField(default=1)  # counts edits: two people at once are told
    shipped = models.JSONField(default=dict)  # what the product ships of it, by field; {} for a source of one's own
    added_by = models.CharField(max_length=150, blank=True)  # who added it; "" where it ships

    class Meta:
        ordering = ["title"]

    def __str__(self) -> str:
        return self.title

    @property
    def read_by_machine(self) -> bool:
        """Whether an importer reads its documents; the cells of the others are entered by hand."""
        return self.id in IMPORTED


class Release(models.Model):
    """One reading of a source for one version ("" where the page names none)."""

    class State(models.TextChoices):
        DRAFT = "draft"
        PUBLISHED = "published"
        SUPERSEDED = "superseded"

    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="releases")
    version = models.CharField(max_length=40, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    read = models.DateField()
    read_by = models.CharField(max_length=150, default="shipped with the product")
    digest = models.CharField(max_length=64)  # of the cells: a second load of the same reading changes nothing
    link = models.URLField(max_length=300, blank=True)  # where exactly the documents were taken from
    created_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True)
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["source", "version", "-read"]
        constraints = [
            models.UniqueConstraint(
                fields=["source", "version"],
                condition=models.Q(state="published"),
                name="one_published_reading_per_version",
            )
        ]

    def __str__(self) -> str:
        return f"{self.source.title} {self.version}".strip()


class Document(models.Model):
    """A page or source file as it was read: its bytes, untouched. Several are the parts of one reading."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="documents")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=120)
    content = models.BinaryField()
    size = models.PositiveIntegerField()  # bytes
    digest = models.CharField(max_length=64)  # SHA-256 of the content

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["release", "position"], name="document_once_per_place")]


class Cell(models.Model):
    """One fact of a release under a stable key."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="cells")
    key = models.CharField(max_length=160)
    value = models.CharField(max_length=400)
    note = models.CharField(max_length=400, blank=True)
    link = models.URLField(max_length=300, blank=True)
    position = models.PositiveIntegerField()
    reason = models.CharField(max_length=300, blank=True)  # why a person entered it by hand
    entered = models.DateField(null=True)  # the day of that
    entered_by = models.CharField(max_length=150, blank=True)  # and who

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["release", "key"], name="cell_once_per_release")]


class Removal(models.Model):
    """A cell that a person took out of a reading by hand: what it said, and why it does not hold."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="removals")
    key = models.CharField(max_length=160)
    value = models.CharField(max_length=400)
    reason = models.CharField(max_length=300)
    link = models.URLField(max_length=300, blank=True)
    removed = models.DateField()
    removed_by = models.CharField(max_length=150)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["release", "key"], name="removal_once_per_cell")]


class Look(models.Model):
    """What was found when the page of a source was last looked at, to be read again or not by a person."""

    class Found(models.TextChoices):
        UNCHANGED = "unchanged", "unchanged"
        CHANGED = "changed", "changed since read"
        MOVED = "moved", "moved"
        FAILED = "failed", "could not be looked at"

    source = models.OneToOneField(Source, on_delete=models.CASCADE, related_name="look")
    looked_at = models.DateTimeField()
    found = models.CharField(max_length=10, choices=Found.choices)
    since = models.DateTimeField()  # when this was first found
    said = models.CharField(max_length=600)
    # What the page was compared with: a digest of its text, the reading that it belongs to, and when it was taken where
    # that reading did not keep the page itself.
    reading = models.ForeignKey(Release, null=True, on_delete=models.SET_NULL, related_name="+")
    digest = models.CharField(max_length=64, blank=True)
    digest_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.source_id}: {self.get_found_display()}"
