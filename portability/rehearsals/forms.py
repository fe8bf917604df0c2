"""The form of a rehearsal."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.core.validators import URLValidator

from portability.rehearsals.actions import Said
from portability.rehearsals.models import Rehearsal


class RehearsalForm(forms.Form):
    """What was tried on which target, and what was seen. `targets`: names of those it was judged for."""

    token = forms.UUIDField(widget=forms.HiddenInput, required=False)
    target = forms.ChoiceField()
    day = forms.DateField(
        label="Day it ended",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Write the day as 2026-11-30."},
    )
    outcome = forms.ChoiceField(label="What came of it", choices=Rehearsal.Outcome.choices, widget=forms.RadioSelect)
    permanent = forms.BooleanField(
        label="It was left running there",
        required=False,
        help_text="It takes load on the target for good: it is shown as proven, and does not lapse.",
    )
    traffic = forms.CharField(
        max_length=200, help_text="How much of the real load, and how long: a tenth of production, two days."
    )
    observed = forms.CharField(
        label="What was observed",
        max_length=2000,
        widget=forms.Textarea(attrs={"class": "prose", "rows": 5}),
        help_text="Versions, throughput, errors, what had to be changed: whatever a reviewer would ask.",
    )
    link = forms.URLField(
        label="Link to the evidence",
        validators=[URLValidator(["http", "https"])],
        error_messages={"invalid": "Give a web address, as https://…"},
        max_length=300,
        required=False,
        assume_scheme="https",
        help_text="A report, a dashboard, a ticket.",
    )

    def __init__(self, *args: Any, targets: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["target"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(name, name) for name in targets]

    @property
    def said(self) -> Said:
        """What the action is told. Asked of a valid form."""
        data = {name: value for name, value in self.cleaned_data.items() if name != "token"}
        return Said(**data)


def initial(target: str) -> dict[str, Any]:
    """The values of an empty form."""
    return {"token": uuid4(), "target": target, "outcome": Rehearsal.Outcome.RAN}
