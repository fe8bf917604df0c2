"""Forms of the accounts room."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.validators import UnicodeUsernameValidator

from portability.accounts.actions import Roles
from portability.accounts.models import Person, Team


class LogIn(AuthenticationForm):
    """Name and password. The message is the same for a wrong name, a wrong password and a deactivated person."""

    error_messages = {
        "invalid_login": "This name and password do not belong together. Capital letters count.",
        "inactive": "This name and password do not belong together. Capital letters count.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"


class PersonForm(forms.Form):
    """Roles and teams of a person who exists."""

    email = forms.EmailField(label="Mail address", required=False)
    architect = forms.BooleanField(required=False, help_text="Reviews the register and reads manifest text.")
    curator = forms.BooleanField(required=False, help_text="Keeps targets, readings of matrices, own rules and rows.")
    administrator = forms.BooleanField(required=False, help_text="Keeps people, teams and settings.")
    teams = forms.ModelMultipleChoiceField(
        Team.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Members edit the workloads of their teams.",
    )

    def __init__(self, *args: Any, person: Person | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = person.teams.values_list("pk", flat=True) if person else []
        teams = self.fields["teams"]
        assert isinstance(teams, forms.ModelMultipleChoiceField)
        teams.queryset = (Team.objects.filter(active=True) | Team.objects.filter(pk__in=list(own))).order_by("name")

    @property
    def roles(self) -> Roles:
        """The roles that were ticked."""
        data = self.cleaned_data
        return Roles(data["architect"], data["curator"], data["administrator"])


class NewPersonForm(PersonForm):
    """A person to be created: the name as well."""

    username = forms.CharField(
        label="Name",
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        help_text="What the person signs in with. Letters, digits and @ . + - _",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    field_order = ["username", "email", "architect", "curator", "administrator", "teams"]


class TeamForm(forms.Form):
    """The name of a team."""

    name = forms.CharField(label="Name of the team", max_length=80)
