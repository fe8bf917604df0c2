"""The register's filters: one class for the page and the export. The query string is judged here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import django_filters
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Lower
from django.forms import BoundField
from django.http import QueryDict

from portability.accounts.models import Person, Team
from portability.engine.matrices.knowledge import Knowledge, Release
from portability.engine.model import Vendor, Verdict
from portability.engine.rules.catalogue import rules
from portability.matrices.queries import knowledge
from portability.register import queries
from portability.register.columns import COLUMNS
from portability.register.models import Row
from portability.register.more_filters import EXPOSED, VERDICT_CHOICES, VERDICTS, MoreFilters, chosen_obstacles
from portability.register.resting import sets_resting_on
from portability.targets.models import Target
from portability.workloads.engines import engine_name, engines
from portability.workloads.models import Criticality

__all__ = ["DEFAULT_SORT", "VERDICTS", "Chosen", "RegisterFilter", "choose"]

DEFAULT_SORT = "verdict"
OF_EXPOSURE = ("gpus", "replicas", "obstacle", "frees")  # offered where a link from exposure set them
FIRST = ("q", "team", "verdict", "criticality", "engine")  # always in sight; the others open on demand
_FEW = 500  # rows that a search found, to be named one by one
STATES = {"outdated": "out of date", "retired": "retired", "all": "retired ones too"}
BECAUSE = {"target": "only because of the target", "confirm": "only to be confirmed"}
_SORTS: Mapping[str, tuple[Any, ...]] = {
    "workload": (F("name_key"),),
    "team": (Lower("team__name"),),
    "criticality": (F("urgency"),),
    "vendor": (F("vendor_today"),),
    "gpus": (F("gpus"),),
    "verdict": (F("verdict_order"), F("urgency")),
    "why": (F("why_key"),),
    "changed": (F("moved_at"),),
}
Choices = list[tuple[str, str]]


class RegisterFilter(MoreFilters):
    """Every filter by its name in the address. `verdict` comes last, so that the counts can leave it out."""

    q = django_filters.CharFilter(method="search", label="Search", max_length=200)
    team = django_filters.ChoiceFilter(field_name="team__slug", label="Team", empty_label="any")
    criticality = django_filters.ChoiceFilter(
        method="by_criticality", label="Criticality", empty_label="any", choices=Criticality.choices
    )
    engine = django_filters.ChoiceFilter(field_name="engine", label="Engine", empty_label="any")
    vendor = django_filters.ChoiceFilter(method="by_vendor", label="Runs on", empty_label="any")
    rule = django_filters.ChoiceFilter(method="by_rule", label="Rule", empty_label="any")
    rests = django_filters.ChoiceFilter(method="by_reading", label="Rests on", empty_label="any reading")
    because = django_filters.ChoiceFilter(
        method="by_cause", label="Needs change", empty_label="for any reason", choices=list(BECAUSE.items())
    )
    state = django_filters.ChoiceFilter(
        method="by_state", label="State", empty_label="registered", choices=list(STATES.items())
    )
    verdict = django_filters.ChoiceFilter(
        method="by_verdict", label="Verdict", empty_label="any", choices=VERDICT_CHOICES
    )

    class Meta:
        model = Row
        fields: list[str] = []

    def __init__(
        self, data: QueryDict, queryset: QuerySet[Row], choices: Mapping[str, Choices], now: queries.Now
    ) -> None:
        super().__init__(data=data, queryset=queryset)
        self._now = now
        for name, known in choices.items():
            self.filters[name].extra["choices"] = known
        box = self.form.fields["q"].widget
        box.input_type = "search"
        box.attrs.update({"placeholder": "name, model, image", "autocomplete": "off"})

    @property
    def first_fields(self) -> list[BoundField]:
        """The fields always in sight."""
        return [self.form[name] for name in FIRST]

    @property
    def more_fields(self) -> list[BoundField]:
        """The other fields."""
        unused = {name for name in OF_EXPOSURE if not self.form.cleaned_data.get(name)}
        return [field for field in self.form if field.name not in FIRST and field.name not in unused]

    @cached_property
    def any_verdict(self) -> QuerySet[Row]:
        """The rows that match everything but the verdict: what the counts count."""
        found: QuerySet[Row] = self.queryset
        for name, value in self.form.cleaned_data.items():
            if name != "verdict":
                found = self.filters[name].filter(found, value)
        if self.form.cleaned_data.get("state"):
            return found
        return found.filter(retired=False)

    @property
    def unfiltered(self) -> QuerySet[Row]:
        """The rows that filters choose among: retired ones only where they are asked for."""
        found: QuerySet[Row] = self.queryset
        with_retired = self.form.cleaned_data.get("state") in ("retired", "all")
        return found if with_retired else found.filter(retired=False)

    @cached_property
    def rows(self) -> QuerySet[Row]:
        """The rows that match everything."""
        found: QuerySet[Row] = self.filters["verdict"].filter(self.any_verdict, self.form.cleaned_data["verdict"])
        return found

    def search(self, rows: QuerySet[Row], _name: str, text: str) -> QuerySet[Row]:
        """Rows that hold every word in name, model, owner, team, images or the short reason.

        Where they are few they are looked for once, and not again by each who asks for something of them.
        """
        teams = [(pk, name.lower()) for pk, name in Team.objects.values_list("pk", "name")]
        found = rows
        for word in text.lower().split()[:8]:
            of_teams = [pk for pk, name in teams if word in name]
            found = found.filter(Q(known_as__contains=word) | Q(said__contains=word) | Q(team__in=of_teams))
        few = list(found.order_by().values_list("pk", flat=True)[: _FEW + 1])
        return found if len(few) > _FEW else rows.filter(pk__in=few)

    def by_criticality(self, rows: QuerySet[Row], _name: str, criticality: str) -> QuerySet[Row]:
        """Rows of workloads that matter so much."""
        return rows.filter(urgency=Criticality.values.index(criticality))

    def by_verdict(self, rows: QuerySet[Row], _name: str, verdict: str) -> QuerySet[Row]:
        """Rows with the verdict, or with any that is not movable."""
        return rows.exclude(verdict=Verdict.MOVABLE) if verdict == EXPOSED else rows.filter(verdict=verdict)

    def by_rule(self, rows: QuerySet[Row], _name: str, rule: str) -> QuerySet[Row]:
        """Rows with a finding of the rule."""
        return rows.filter(rules__contains=f"|{rule}|")

    def by_reading(self, rows: QuerySet[Row], _name: str, reading: str) -> QuerySet[Row]:
        """Rows whose verdict rests on this version of a source."""
        source, _, version = reading.partition(":")
        return rows.filter(assessment__consulted__in=sets_resting_on(self.queryset, (source, version)))

    def by_cause(self, rows: QuerySet[Row], _name: str, cause: str) -> QuerySet[Row]:
        """Rows that need change, and would not but for the target, or but for what is to be confirmed."""
        needing = rows.filter(verdict=Verdict.NEEDS_CHANGE)
        return needing.filter(own_verdict=Verdict.MOVABLE) if cause == "target" else needing.filter(changes=0)

    def by_state(self, rows: QuerySet[Row], _name: str, state: str) -> QuerySet[Row]:
        """Retired rows, all rows, or those that are out of date."""
        if state == "all":
            return rows
        if state == "retired":
            return rows.filter(retired=True)
        return rows.filter(queries.outdated(self._now), retired=False)


@dataclass(frozen=True)
class Chosen:
    """What an address asks the register for, and in `problems` what of it could not be used, in words."""

    target: Target
    targets: list[Target]
    filter: RegisterFilter
    sort: str
    page: int
    now: queries.Now
    knowledge: Knowledge
    problems: list[str] = field(default_factory=list)
    asked: dict[str, str] = field(default_factory=dict)  # the values that stand, for addresses
    all: str = ""  # the query string that asks for nothing

    @property
    def rows(self) -> QuerySet[Row]:
        """The filtered rows in their order."""
        return self._in_order(self.filter.rows)

    def part(self, start: int, stop: int, total: int = 0) -> QuerySet[Row]:
        """Some of them. Which these are is found by what filters and sorts alone; the rest is read of these only.

        `total`: how many there are, where it is known. Then the last are found from the end.
        """
        wanted = self.rows.values("pk")
        last = 0 < total < start + stop
        found = wanted.reverse()[max(0, total - stop) : total - start] if last else wanted[start:stop]
        return self._in_order(self.filter.queryset.filter(pk__in=found))

    def _in_order(self, rows: QuerySet[Row]) -> QuerySet[Row]:
        """Ties go by name, so that pages do not overlap."""
        key = self.sort.removeprefix("-")
        down = self.sort.startswith("-")
        ordered = [t.desc(nulls_last=True) if down else t.asc(nulls_last=True) for t in _SORTS[key]]
        return rows.order_by(*ordered, "name_key", "pk")

    @property
    def filtered(self) -> bool:
        """Whether any filter leaves something out."""
        return bool(self.asked.keys() - {"target", "sort", "page"})

    @property
    def more_used(self) -> int:
        """How many filters are set that are not always in sight."""
        return len(self.asked.keys() - {*FIRST, "target", "sort", "page"})

    def address(self, **changes: object) -> str:
        """The query string with some values replaced; None removes one. A change starts again at page one."""
        values = {**self.asked, "page": None, **changes}
        query = QueryDict(mutable=True)
        query.update({name: str(value) for name, value in values.items() if value not in (None, "")})
        return f"?{query.urlencode()}" if query else self.all


@dataclass(frozen=True, slots=True)
class Known:
    """What query strings are judged by: the targets, the knowledge, and the choices of each filter."""

    targets: list[Target]
    published: Knowledge
    now: queries.Now
    choices: dict[str, Choices]


def known() -> Known:
    """What holds now. To judge several query strings, ask once."""
    published = knowledge()
    now = queries.now(published)
    targets = list(Target.objects.order_by("-active", "-default", "name"))
    return Known(targets, published, now, _choices(now, published))


def choose(params: QueryDict, person: Person, by: Known | None = None) -> Chosen | None:
    """Judge a query string. Values that cannot be used are told and left out; None where there is no target at all."""
    problems: list[str] = []
    by = by or known()
    targets, published, now = by.targets, by.published, by.now
    target = _target(params.get("target", ""), targets, problems)
    if target is None:
        return None
    base = queries.rows_for(person, target)
    choices = by.choices | chosen_obstacles(params)
    data = params.copy()
    chosen = RegisterFilter(data, base, choices, now)
    if not chosen.is_valid():
        for name in chosen.form.errors:
            problems.append(_unusable(name, data.get(name, "")))
            data.pop(name)
        chosen = RegisterFilter(data, base, choices, now)
        chosen.is_valid()
    asked = {name: str(value) for name, value in chosen.form.cleaned_data.items() if value}
    sort = _sort(params.get("sort", ""), problems)
    if sort != DEFAULT_SORT:
        asked["sort"] = sort
    if params.get("target") == target.name:
        asked = {"target": target.name, **asked}
    page = _page(params.get("page", ""), problems)
    if page > 1:
        asked["page"] = str(page)
    return Chosen(target, targets, chosen, sort, page, now, published, problems, asked)


def _choices(now: queries.Now, published: Knowledge) -> dict[str, Choices]:
    """The choices that come from the database or from files."""
    return {
        "team": list(Team.objects.values_list("slug", "name")),
        "engine": [(engine, engine_name(engine)) for engine in engines()],
        "vendor": [(v.value, v.value) for v in Vendor],
        "rests": [(f"{r.source}:{r.version}", _named(r, published)) for r in published.releases()],
        "rule": [
            *((rule.id, f"{rule.id} {rule.name}") for rule in rules()),
            *((rule.id, f"{rule.id} {rule.name}") for rule in now.custom),
        ],
    }


def _named(release: Release, published: Knowledge) -> str:
    """`ROCm compatibility matrix 7.14.0`."""
    return f"{published.sources[release.source].title} {release.version}".strip()


def _target(name: str, targets: list[Target], problems: list[str]) -> Target | None:
    active = next((t for t in targets if t.active), None)
    if not name:
        return active
    found = next((t for t in targets if t.name == name), None)
    if found is None and active:
        problems.append(f"There is no target “{name[:60]}”: shown for {active.name}.")
    return found or active


def _unusable(name: str, value: str) -> str:
    if name == "q":
        return "The search text is too long, or holds a character that no text holds: shown without it."
    label = RegisterFilter.base_filters[name].label.lower()
    return f"“{value[:60]}” is nothing the filter “{label}” knows: shown without it."


def _sort(text: str, problems: list[str]) -> str:
    if not text or text.removeprefix("-") in _SORTS:
        return text or DEFAULT_SORT
    known = ", ".join(column.key for column in COLUMNS)
    problems.append(f"“{text[:60]}” is no column to sort by ({known}): sorted by verdict.")
    return DEFAULT_SORT


def _page(text: str, problems: list[str]) -> int:
    if not text:
        return 1
    if text.isascii() and text.isdigit() and int(text[:9]) > 0:
        return int(text[:9])
    problems.append(f"“{text[:60]}” is no page: the first is shown.")
    return 1
