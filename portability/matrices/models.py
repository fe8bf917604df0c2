"""Published pages the knowledge comes from, what was read off them, and when."""

from __future__ import annotations

from django.db import models


class Source(models.Model):
    """A standing source: a published page with its purpose and whether it still stands."""

    id = models.SlugField(max_length=60, primary_key=True)
    title = models.CharField(max_length=120)
    url = models.URLField(max_length=300)
    purpose = models.CharField(max_length=200)
    status = models.CharField(max_length=10, default="current")  # current | moved | retired
    status_note = models.CharField(max_length=200, blank=True)
    due_days = models.PositiveIntegerField(null=True, default=90)

    class Meta:
        ordering = ["title"]

    def __str__(self) -> str:
        return self.title


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
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["source", "version", "-read"]
        constraints = [
            models.UniqueConstraint(
                fields=["source", "version"],
                condition=models.Q(state="published"),
                name="one_published_reading_per_version",
            )
        ]


class Cell(models.Model):
    """One fact of a release under a stable key."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="cells")
    key = models.CharField(max_length=160)
    value = models.CharField(max_length=400)
    note = models.CharField(max_length=400, blank=True)
    link = models.URLField(max_length=300, blank=True)
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["release", "key"], name="cell_once_per_release")]
