"""What of the movements is shown: validated from the query string."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import django_filters
from django import forms
from django.db.models import QuerySet
from django.utils import timezone

from portability.accounts.models import Team
from portability.register.models import Movement, Run
from portability.register.moved import KINDS
from portability.targets.models import Target


def _teams() -> list[tuple[str, str]]:
    return list(Team.objects.values_list("slug", "name"))


def _targets() -> list[tuple[str, str]]:
    return [(name, name) for name in Target.objects.order_by("-active", "name").values_list("name", flat=True)]


def _midnight(day: date) -> datetime:
    """The beginning of a day in the organisation's zone. Before 1970 nothing moved, and zones run out of calendar."""
    return timezone.make_aware(datetime.combine(max(day, date(1970, 1, 1)), time.min))


class MovedFilter(django_filters.FilterSet):  # type: ignore[misc]
    """By team, target, day, kind of move, and the re-evaluation in which it moved."""

    team = django_filters.ChoiceFilter(field_name="team__slug", label="Team", empty_label="any", choices=_teams)
    target = django_filters.ChoiceFilter(field_name="target__name", label="Target", empty_label="any", choices=_targets)
    since = django_filters.DateFilter(method="from_day", label="Since", widget=forms.DateInput(attrs={"type": "date"}))
    until = django_filters.DateFilter(method="to_day", label="Until", widget=forms.DateInput(attrs={"type": "date"}))
    move = django_filters.ChoiceFilter(
        method="by_kind", label="Moved", empty_label="in any way", choices=[(k.key, k.words) for k in KINDS.values()]
    )
    run = django_filters.ModelChoiceFilter(queryset=Run.objects.all(), widget=forms.HiddenInput)

    class Meta:
        model = Movement
        fields: list[str] = []

    def from_day(self, movements: QuerySet[Movement], _name: str, day: date) -> QuerySet[Movement]:
        """From the beginning of a day in the organisation's zone."""
        return movements.filter(at__gte=_midnight(day))

    def to_day(self, movements: QuerySet[Movement], _name: str, day: date) -> QuerySet[Movement]:
        """Until the end of a day."""
        return movements.filter(at__lt=_midnight(day + timedelta(days=1))) if day < date.max else movements

    def by_kind(self, movements: QuerySet[Movement], _name: str, key: str) -> QuerySet[Movement]:
        """From one verdict to another."""
        return movements.filter(rank=KINDS[key].rank)

    @property
    def movements(self) -> QuerySet[Movement]:
        """What passes; a value that makes no sense is shown at its field and filters nothing."""
        found: QuerySet[Movement] = self.qs if self.is_valid() else self.queryset
        return found

    @property
    def chosen_run(self) -> Run | None:
        """The re-evaluation that is filtered by."""
        run: Run | None = self.form.cleaned_data.get("run") if self.is_valid() else None
        return run


class OfRun(MovedFilter):
    """The movements of one re-evaluation: those of a team, or of a kind."""

    target = since = until = run = None
