"""What an organisation knows besides the shipped knowledge: rows of its own."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower

from portability.workloads.models import Revision


class VendorRow(models.Model):
    """One row of vendor knowledge that the organisation entered itself. It stands before the shipped ones.

    A removed row stays, so that what rested on it can still be looked up; the audit trail keeps every change.
    """

    table = models.CharField(max_length=30)  # portability.engine.vendor_rows.rows.Table
    pattern = models.CharField(max_length=200)
    vendor = models.CharField(max_length=10)  # portability.engine.model.Vendor
    counterpart = models.CharField(max_length=200, blank=True)
    effect = models.CharField(max_length=10)  # portability.engine.model.Effect
    note = models.CharField(max_length=300, blank=True)
    link = models.CharField(max_length=500, blank=True)
    entered = models.DateField()  # the day it was last said
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    entered_by_name = models.CharField(max_length=150)  # as it was then
    version = models.PositiveIntegerField(default=1)  # counts edits: two people at once are told
    removed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["table", "pattern"]
        constraints = [
            models.UniqueConstraint(
                "table",
                Lower("pattern"),
                condition=models.Q(removed_at=None),
                name="one_row_of_its_own_per_table_and_pattern",
            )
        ]

    def __str__(self) -> str:
        return f"{self.table}/{self.pattern}"


class CustomRule(models.Model):
    """A rule that the organisation wrote without code. It is never deleted, so that its number means no other rule.

    The audit trail keeps the full words of every state it was saved in.
    """

    class State(models.TextChoices):
        DRAFT = "draft"  # says nothing yet
        ENABLED = "enabled"
        OFF = "off"  # switched off, by a person or because it did more than it may
        REMOVED = "removed"

    number = models.PositiveIntegerField(unique=True)  # 1 is ORG001
    name = models.CharField(max_length=80)
    path = models.CharField(max_length=300)  # JSON path
    condition = models.CharField(max_length=1000)  # CEL
    effect = models.CharField(max_length=10)  # portability.engine.model.Effect
    reason = models.CharField(max_length=400)
    remedy = models.CharField(max_length=400, blank=True)
    link = models.CharField(max_length=500, blank=True)
    applies_to = models.CharField(max_length=10)  # the vendor of targets, or any
    state = models.CharField(max_length=8, choices=State.choices, default=State.DRAFT)
    state_reason = models.CharField(max_length=400, blank=True)  # why it was switched off
    state_at = models.DateTimeField()
    state_by = models.ForeignKey(  # null: the product itself, because of a fault
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    entered = models.DateField()  # the day its words were last changed
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(default=1)  # counts changes: two people at once are told

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """Its id among the rules: `ORG001`."""
        return f"ORG{self.number:03}"

    @property
    def at_fault(self) -> bool:
        """Whether the product switched it off."""
        return self.state == self.State.OFF and self.state_by_id is None


class RevisionTree(models.Model):
    """A revision's documents as plain values, for custom rules. Made when one first asks; never without one."""

    revision = models.OneToOneField(Revision, on_delete=models.CASCADE, related_name="tree")
    tree = models.JSONField()  # portability.engine.custom_rules.trees
