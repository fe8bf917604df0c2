"""The form of a saved filter."""

from __future__ import annotations

from typing import Any

from django import forms

from portability.accounts.models import Person, Team
from portability.saved_filters.models import SavedFilter
from portability.saved_filters.queries import teams_of


class SavedFilterForm(forms.Form):
    """Name and with whom it is shared; `query` is what is saved, for a new one."""

    name = forms.CharField(max_length=80)
    shared = forms.ChoiceField(label="Who sees it", choices=SavedFilter.Shared.choices, initial="private")
    team = forms.ModelChoiceField(Team.objects.none(), required=False, empty_label="–", label="Which team")
    default = forms.BooleanField(label="Make it my default", required=False)
    query = forms.CharField(max_length=4000, required=False, widget=forms.HiddenInput)

    def __init__(self, person: Person, page: str, *args: Any, new: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if new:
            self.fields["default"].help_text = f"The {SavedFilter.Page(page).label} opens with it, for me alone."
        else:
            del self.fields["default"]
        mine = teams_of(person)
        field = self.fields["team"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = mine
        if not mine.exists():
            del self.fields["team"]
            shared = self.fields["shared"]
            assert isinstance(shared, forms.ChoiceField)
            shared.choices = [c for c in SavedFilter.Shared.choices if c[0] != SavedFilter.Shared.TEAM]
