"""What of a review's queue an address asks for. The query string is judged here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef
from django.http import QueryDict

from portability.accounts.models import Person, Team
from portability.reviews.changes import FAMILIES
from portability.reviews.models import Entry, Review
from portability.reviews.queries import architects
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

    def __init__(self, data: Mapping[str, Any], by: Known, person: Person) -> None:
        super().__init__(data, auto_id="filter_%s")
        teams = [(slug, t.name) for slug, t in by.teams.items() if slug in by.with_entries or slug == data.get("team")]
        people = [n for n in by.people if n != person.username or n == data.get("assigned")]
        _choices(self, "team", [("", "any"), *teams])
        _choices(self, "assigned", [("", "anyone"), (ME, "me"), (NOBODY, "nobody"), *((n, n) for n in people)])

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
    all: str = "?"  # the query string that asks for nothing

    @property
    def words(self) -> dict[str, str]:
        """What is asked for, by label, as the choices say it."""
        said = {}
        for name, value in self.asked.items():
            choices = dict(getattr(self.form.fields[name], "choices", ()))
            said[str(self.form.fields[name].label)] = str(choices.get(value, value))
        return said

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
        return f"?{query.urlencode()}" if query else self.all

    @property
    def begun(self) -> str:
        """The query string as the next value follows it: `?`, or `?team=search&`."""
        address = self.address()
        return address if address == "?" else f"{address}&"


@dataclass(frozen=True, slots=True)
class Known:
    """What query strings are judged by."""

    teams: Mapping[str, Team]  # by slug
    with_entries: frozenset[str]  # of these, those that are offered
    people: dict[str, int]  # who decides: ids by name


def known(review: Review | None) -> Known:
    """What holds for a review, or for none in particular. To judge several query strings, ask once."""
    entries = Entry.objects.filter(review=review) if review else Entry.objects.none()
    teams = Team.objects.annotate(here=Exists(entries.filter(workload__team=OuterRef("pk"))))
    found = {team.slug: team for team in teams if team.active or team.here}
    here = frozenset(slug for slug, team in found.items() if review is None or team.here)
    return Known(found, here, {p.username: p.pk for p in architects()})


def choose(params: Mapping[str, Any], person: Person, by: Known) -> Chosen:
    """Judge a query string. Values that cannot be used are told and left out."""
    data = {**_DEFAULTS, **{name: str(params[name]) for name in QueueForm.base_fields if params.get(name)}}
    form = QueueForm(data, by, person)
    problems = []
    if not form.is_valid():
        for name in list(form.errors):
            problems.append(
                f"“{data[name][:60]}” is nothing the filter “{form.fields[name].label}” knows: shown without it."
            )
            data.pop(name)
        form = QueueForm({**_DEFAULTS, **data}, by, person)
        form.is_valid()
    values = form.cleaned_data
    asked = {name: value for name, value in values.items() if value and value != _DEFAULTS.get(name)}
    wanted = Wanted(
        state=values["state"],
        team=by.teams[values["team"]].pk if values["team"] else None,
        criticality=values["criticality"],
        verdict=values["verdict"],
        changed=values["changed"],
        assigned=_assigned(by, values["assigned"], person),
        text=values["q"],
        by_team=values["group"] == "team",
        order=values["order"],
    )
    return Chosen(form, wanted, asked, problems)


def _assigned(by: Known, value: str, person: Person) -> int | None:
    if not value:
        return None
    return {ME: person.pk, NOBODY: 0}.get(value, by.people.get(value, -1))


def _choices(form: forms.Form, name: str, choices: list[tuple[str, str]]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices
