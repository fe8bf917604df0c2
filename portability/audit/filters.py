"""What of the history is shown and exported: validated from the query string."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

import django_filters
from django import forms
from django.db.models import QuerySet
from django.utils import timezone

from portability.audit.models import Entry
from portability.audit.queries import actions_seen, rooms_seen


class EntryForm(forms.Form):
    """The filter's fields together."""

    def clean(self) -> dict[str, Any]:
        """The days in their order."""
        data = self.cleaned_data
        if data.get("since") and data.get("until") and data["since"] > data["until"]:
            self.add_error("until", "This day is before the first one.")
        return data


class EntryFilter(django_filters.FilterSet):  # type: ignore[misc]
    """By who, what, to what, in which room, and between which days of the organisation's zone, both included."""

    who = django_filters.CharFilter(field_name="who_name", lookup_expr="icontains", label="Who")
    room = django_filters.ChoiceFilter(method="by_room", choices=rooms_seen, empty_label="Anywhere", label="About")
    action = django_filters.ChoiceFilter(choices=actions_seen, empty_label="Anything", label="Did what")
    subject = django_filters.CharFilter(lookup_expr="icontains", label="To what")
    since = django_filters.DateFilter(
        method="since_day", label="Since", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = django_filters.DateFilter(
        method="until_day", label="Until", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    class Meta:
        model = Entry
        fields: list[str] = []
        form = EntryForm

    @property
    def entries(self) -> QuerySet[Entry]:
        """What passes; a value that makes no sense is shown at its field and filters nothing."""
        entries: QuerySet[Entry] = self.qs if self.is_valid() else self.queryset
        return entries

    @property
    def asked(self) -> dict[str, str]:
        """What is set, by name in the address."""
        cleaned = self.form.cleaned_data if self.is_valid() else {}
        return {
            name: value.isoformat() if isinstance(value, date) else str(value)
            for name, value in cleaned.items()
            if value
        }

    def by_room(self, entries: QuerySet[Entry], _name: str, room: str) -> QuerySet[Entry]:
        """Entries whose action begins with the room's word."""
        return entries.filter(action__startswith=f"{room}.")

    def since_day(self, entries: QuerySet[Entry], _name: str, day: date) -> QuerySet[Entry]:
        """Entries from the day's first moment on."""
        return entries.filter(at__gte=_begins(day))

    def until_day(self, entries: QuerySet[Entry], _name: str, day: date) -> QuerySet[Entry]:
        """Entries up to the day's last moment."""
        return entries if day == date.max else entries.filter(at__lt=_begins(day + timedelta(days=1)))


def _begins(day: date) -> datetime:
    """The moment at which a day begins in the organisation's zone, whatever the clocks do that night."""
    return timezone.make_aware(datetime.combine(day, time.min))
