"""Filters of the register and of the review's queue that people keep under a name."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from portability.accounts.models import Team


class SavedFilter(models.Model):
    """What an address asks a page for, under a name: its owner's alone, a team's, or everyone's."""

    class Page(models.TextChoices):
        REGISTER = "register", "register"
        QUEUE = "queue", "review’s queue"

    class Shared(models.TextChoices):
        PRIVATE = "private", "only me"
        TEAM = "team", "a team"
        EVERYONE = "everyone", "everyone"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="saved_filters")
    owner_name = models.CharField(max_length=150)  # as it was then
    name = models.CharField(max_length=80)
    page = models.CharField(max_length=8, choices=Page.choices, default=Page.REGISTER)
    query = models.TextField()  # a query string of the page
    shared = models.CharField(max_length=8, choices=Shared.choices, default=Shared.PRIVATE)
    team = models.ForeignKey(Team, null=True, on_delete=models.CASCADE, related_name="+")  # where a team's
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="filter_name_once_per_person"),
            models.CheckConstraint(
                condition=models.Q(shared="team", team__isnull=False)
                | (~models.Q(shared="team") & models.Q(team=None)),
                name="filter_of_a_team_names_it",
            ),
        ]

    def __str__(self) -> str:
        return self.name
