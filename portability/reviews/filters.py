"""What of a review's queue an address asks for. The query string is judged here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.http import QueryDict

from portability.accounts.models import Person
from portability.reviews.changes import FAMILIES
from portability.reviews.models import Review
from portability.reviews.queries import architects, teams_in
from portability.reviews.queue import ORDERS, STATES, Wanted
from portability.reviews.words import VERDICTS
from portability.workloads.models import Criticality

ME, NOBODY = "me", "nobody"
_FIRST = ("state", "team", "verdict", "q")
_DEFAULTS = {"state": "to-do", "order": "first", "group": "team"}


class QueueForm(forms.Form):
    """Every filter by its name in the address."""

    state = forms.ChoiceField(label="Show", required=False, choices=list(STATES.items()))
    team = forms.ChoiceField(label="Team", required=False)
    criticality = forms.ChoiceField(label="Criticality", required=False, choices=[("", "any"), *Criticality.choices])
    verdict = forms.ChoiceField(label="Verdict", required=False, choices=[("", "any"), *VERDICTS.items()])
    changed = forms.ChoiceField(
        label="Changed by",
        required=False,
        choices=[("", "anything or nothing"), ("any", "anything"), *FAMILIES.items()],
    )
    assigned = forms.ChoiceField(label="Assigned to", required=False)
    q = forms.CharField(
        label="Name",
        required=False,
        max_length=120,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off", "placeholder": "part of it"}),
    )
    group = forms.ChoiceField(label="Group", required=False, choices=[("team", "by team"), ("none", "no groups")])
    order = forms.ChoiceField(label="Order", required=False, choices=list(ORDERS.items()))

    def __init__(self, data: Mapping[str, Any], review: Review, person: Person) -> None:
        super().__init__(data, auto_id="filter_%s")
        self.teams = {team.slug: team for team in teams_in(review)}
        self.people = {p.username: p.pk for p in architects() if p.pk != person.pk}
        _choices(self, "team", [("", "any"), *((slug, team.name) for slug, team in self.teams.items())])
        _choices(self, "assigned", [("", "anyone"), (ME, "me"), (NOBODY, "nobody"), *((n, n) for n in self.people)])

    @property
    def first_fields(self) -> list[forms.BoundField]:
        """The fields always in sight."""
        return [self[name] for name in _FIRST]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        """The other fields."""
        return [field for field in self if field.name not in _FIRST]


@dataclass(frozen=True)
class Chosen:
    """What an address asks of a queue; in `problems` what of it could not be used, in words."""

    form: QueueForm
    wanted: Wanted
    asked: dict[str, str] = field(default_factory=dict)  # the values that stand, for addresses
    problems: list[str] = field(default_factory=list)

    @property
    def filtered(self) -> bool:
        """Whether something is left out but what needs no decision."""
        return bool(self.asked.keys() - {"group", "order"})

    @property
    def more_used(self) -> int:
        """How many filters are set that are not always in sight."""
        return len(self.asked.keys() - set(_FIRST))

    def address(self, **changes: object) -> str:
        """The query string with some values replaced; None removes one. Never without its question mark."""
        values = {**self.asked, **changes}
        query = QueryDict(mutable=True)
        query.update({name: str(value) for name, value in values.items() if value not in (None, "")})
        return f"?{query.urlencode()}"

    @property
    def begun(self) -> str:
        """The query string as the next value follows it: `?`, or `?team=search&`."""
        address = self.address()
        return address if address == "?" else f"{address}&"


def choose(params: Mapping[str, Any], review: Review, person: Person) -> Chosen:
    """Judge a query string. Values that cannot be used are told and left out."""
    data = {**_DEFAULTS, **{name: str(params[name]) for name in QueueForm.base_fields if params.get(name)}}
    form = QueueForm(data, review, person)
    problems = []
    if not form.is_valid():
        for name in list(form.errors):
            problems.append(
                f"“{data[name][:60]}” is nothing the filter “{form.fields[name].label}” knows: shown without it."
            )
            data.pop(name)
        form = QueueForm({**_DEFAULTS, **data}, review, person)
        form.is_valid()
    values = form.cleaned_data
    asked = {name: value for name, value in values.items() if value and value != _DEFAULTS.get(name)}
    wanted = Wanted(
        state=values["state"],
        team=form.teams[values["team"]].pk if values["team"] else None,
        criticality=values["criticality"],
        verdict=values["verdict"],
        changed=values["changed"],
        assigned=_assigned(form, values["assigned"], person),
        text=values["q"],
        by_team=values["group"] == "team",
        order=values["order"],
    )
    return Chosen(form, wanted, asked, problems)


def _assigned(form: QueueForm, value: str, person: Person) -> int | None:
    if not value:
        return None
    return {ME: person.pk, NOBODY: 0}.get(value, form.people.get(value, -1))


def _choices(form: forms.Form, name: str, choices: list[tuple[str, str]]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices
