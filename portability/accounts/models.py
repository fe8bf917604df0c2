"""People, teams and who belongs where. Roles are organisation-wide and add up; members edit their teams' workloads."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models


class Team(models.Model):
    """A group that owns workloads. A team with workloads is deactivated, never deleted."""

    name = models.CharField(max_length=80, unique=True)
    slug = models.SlugField(max_length=80, unique=True)
    active = models.BooleanField(default=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Person(AbstractUser):
    """Someone who signs in. Everyone signed in may read the register; the flags below give more."""

    architect = models.BooleanField(default=False, help_text="reviews the register and reads manifest text")
    curator = models.BooleanField(default=False, help_text="keeps targets, and assesses again what is out of date")
    administrator = models.BooleanField(default=False, help_text="keeps people, teams and settings")
    must_change_password = models.BooleanField(default=False)
    opens_with = models.JSONField(default=dict, blank=True)  # by page, the saved filter (id) that it opens with
    teams: models.ManyToManyField[Team, Membership] = models.ManyToManyField(
        Team, through="Membership", related_name="people"
    )

    class Meta:
        ordering = ["username"]


class Membership(models.Model):
    """A person belongs to a team from a moment on."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="memberships")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="memberships")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "team"], name="membership_once")]
