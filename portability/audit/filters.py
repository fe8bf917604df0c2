"""What of the history is shown: validated from the query string."""

from __future__ import annotations

import django_filters
from django import forms
from django.db.models import QuerySet

from portability.audit.models import Entry
from portability.audit.queries import actions_seen


class EntryFilter(django_filters.FilterSet):  # type: ignore[misc]
    """By who, what, to what, and between which days."""

    who = django_filters.CharFilter(field_name="who_name", lookup_expr="icontains", label="Who")
    action = django_filters.ChoiceFilter(choices=actions_seen, empty_label="Anything", label="Did what")
    subject = django_filters.CharFilter(lookup_expr="icontains", label="To what")
    since = django_filters.DateFilter(
        field_name="at", lookup_expr="date__gte", label="Since", widget=forms.DateInput(attrs={"type": "date"})
    )
    until = django_filters.DateFilter(
        field_name="at", lookup_expr="date__lte", label="Until", widget=forms.DateInput(attrs={"type": "date"})
    )

    class Meta:
        model = Entry
        fields: list[str] = []

    @property
    def entries(self) -> QuerySet[Entry]:
        """What passes; a value that makes no sense is shown at its field and filters nothing."""
        entries: QuerySet[Entry] = self.qs if self.is_valid() else self.queryset
        return entries
