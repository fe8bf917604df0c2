"""Forms of the notifications room."""

from __future__ import annotations

from typing import Any

from django import forms

from portability.accounts.models import Team
from portability.notifications.actions import Asked, EndpointValues
from portability.notifications.models import Subscription

OFTEN = [
    (Subscription.Often.NEVER.value, "no e-mail"),
    (Subscription.Often.RUN.value, "after each re-evaluation in which something moved"),
    (Subscription.Often.DAY.value, "once a day, if something moved"),
]
WHOSE = [
    (Subscription.Whose.OWN.value, "workloads of my teams"),
    (Subscription.Whose.ALL.value, "all workloads"),
]
HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]


class SubscriptionForm(forms.Form):
    """What a person is told by e-mail."""

    often = forms.ChoiceField(label="How often", choices=OFTEN, widget=forms.RadioSelect)
    whose = forms.ChoiceField(label="Of what", choices=WHOSE, widget=forms.RadioSelect)
    hour = forms.TypedChoiceField(
        label="Once a day: after", choices=HOURS, coerce=int, help_text="Of what moved until then, in this zone: "
    )
    email = forms.EmailField(
        label="Mail address",
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text="Where it goes. Administrators see it too.",
    )

    def __init__(self, *args: Any, zone: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["hour"].help_text += f"{zone}."

    @property
    def asked(self) -> Asked:
        """What was asked for."""
        return Asked(**self.cleaned_data)


class EndpointForm(forms.Form):
    """A receiver of webhooks."""

    name = forms.CharField(label="Name", max_length=80)
    url = forms.CharField(
        label="Address",
        max_length=2000,
        help_text="Begins with https://.",
        widget=forms.TextInput(attrs={"inputmode": "url", "autocapitalize": "none", "spellcheck": "false"}),
    )
    teams = forms.ModelMultipleChoiceField(
        Team.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Of whose workloads it is told. None chosen: of all teams, later ones too.",
    )

    def __init__(self, *args: Any, own: list[int] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        teams = self.fields["teams"]
        assert isinstance(teams, forms.ModelMultipleChoiceField)
        teams.queryset = (Team.objects.filter(active=True) | Team.objects.filter(pk__in=own or [])).order_by("name")

    @property
    def values(self) -> EndpointValues:
        """What the endpoint is to be."""
        data = self.cleaned_data
        return EndpointValues(data["name"], data["url"], list(data["teams"]))
