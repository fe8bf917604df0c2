"""What an organisation knows besides the shipped knowledge: rows of its own."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower


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
