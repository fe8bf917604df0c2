"""The form of the organisation's settings."""

from __future__ import annotations

from calendar import month_name
from typing import Any

from django import forms
from django.conf import settings

from portability.organisation import queries, zone
from portability.organisation.actions import Chosen
from portability.organisation.models import Organisation

_VENDORS = {"nvidia": "NVIDIA", "amd": "AMD", "other": "another vendor"}
_LONGEST = 3650  # days


class SettingsForm(forms.Form):
    """All settings at once. `version` is that of the settings which the page showed."""

    name = forms.CharField(
        label="Name", max_length=120, required=False, help_text="Shown in the bar, and on reports and exports."
    )
    time_zone = forms.CharField(
        label="Time zone",
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "spellcheck": "false"}),
    )
    first_month = forms.TypedChoiceField(
        label="First month of the year",
        coerce=int,
        choices=[(n, month_name[n]) for n in range(1, 13)],
        help_text="Quarters are counted from it. Reviews that were opened keep their name and days, plans their last "
        "day; the next review is of days that none is of yet.",
    )
    readers = forms.ChoiceField(
        label="Who reads manifest text",
        choices=[
            ("team", "The team, architects and administrators"),
            ("everyone", "Everyone who is signed in"),
        ],
        widget=forms.RadioSelect,
    )
    rehearsal_days = forms.IntegerField(
        label="Days after which a rehearsal is lapsed",
        min_value=1,
        max_value=_LONGEST,
        help_text="A workload that was left running on the target stays proven.",
    )
    not_waivable = forms.MultipleChoiceField(label="Rules nobody may waive", required=False)
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, now: Organisation, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.families = queries.rules_by_family(now.not_waivable)
        rules = self.fields["not_waivable"]
        assert isinstance(rules, forms.MultipleChoiceField)
        rules.choices = [choice for _, choices in self.families for choice in choices]
        self.fields[
            "time_zone"
        ].help_text = f"A name of the IANA database, such as Europe/Vienna. Without one: {settings.TIME_ZONE}."
        for vendor in queries.VENDORS:
            self.fields[f"target_{vendor}"] = self._target(vendor.value)

    def _target(self, vendor: str) -> forms.ChoiceField:
        """Once there are targets to choose from, one is: without it nothing is reckoned for this vendor."""
        names = [target.name for target in queries.destinations(vendor)]
        needed = bool(names) and vendor != "other"
        none = [] if needed else [("", "none")]
        return forms.ChoiceField(
            label=f"For what runs on {_VENDORS[vendor]}",
            required=needed,
            choices=[*none, *((name, name) for name in names)],
        )

    @property
    def target_fields(self) -> list[forms.BoundField]:
        """The fields of the default targets."""
        return [self[f"target_{vendor}"] for vendor in queries.VENDORS]

    @property
    def ticked(self) -> set[str]:
        """The ids of rules that are chosen, as sent or as stored."""
        return set(self["not_waivable"].value() or ())

    def clean_time_zone(self) -> str:
        """A name that the database of zones knows, in its own capitals."""
        given = str(self.cleaned_data["time_zone"])
        if not given:
            return ""
        found = next((name for name in zone.known() if name.casefold() == given.casefold()), "")
        if zone.find(found) is None:
            raise forms.ValidationError(f"“{given}” is no zone of the IANA database. Write it as Europe/Vienna.")
        return found

    @property
    def chosen(self) -> Chosen:
        """What the action stores. Asked of a valid form."""
        said = self.cleaned_data
        return Chosen(
            name=" ".join(said["name"].split()),
            time_zone=said["time_zone"],
            first_month=said["first_month"],
            manifests_for_everyone=said["readers"] == "everyone",
            not_waivable=tuple(said["not_waivable"]),
            rehearsal_days=said["rehearsal_days"],
            targets={vendor.value: said[f"target_{vendor}"] for vendor in queries.VENDORS},
        )


def initial_of(now: Organisation) -> dict[str, Any]:
    """The form's values for the settings as they are."""
    chosen = {vendor: target.name for vendor, target in queries.default_targets().items()}
    return {
        "name": now.name,
        "time_zone": now.time_zone,
        "first_month": now.first_month,
        "readers": "everyone" if now.manifests_for_everyone else "team",
        "rehearsal_days": now.rehearsal_days,
        "not_waivable": now.not_waivable,
        "version": now.version,
        **{f"target_{vendor}": name for vendor, name in chosen.items()},
    }
