"""The register's filters that exposure and rehearsals lead to: what stands in the way, what ran, what was decided."""

from __future__ import annotations

from collections.abc import Mapping

import django_filters
from django.db.models import F, Q, QuerySet
from django.http import QueryDict
from django.utils import timezone

from portability.engine.model import Verdict
from portability.organisation.kept import organisation
from portability.register.models import Obstacles, Row
from portability.register.obstacles import parts_in
from portability.rehearsals.standing import KINDS, Kind, oldest

DIFFERS = "differs"  # from the engine's verdict
EXPOSED = "exposed"  # not movable: it would stop where supply does
VERDICTS = {
    Verdict.MOVABLE: "movable",
    Verdict.NEEDS_CHANGE: "needs change",
    Verdict.PINNED: "pinned",
    Verdict.NOT_ASSESSED: "not assessed",
}
VERDICT_CHOICES = [*((v.value, words) for v, words in VERDICTS.items()), (EXPOSED, "any but movable")]
_NEVER = "never"
Choices = list[tuple[str, str]]


class MoreFilters(django_filters.FilterSet):  # type: ignore[misc]
    """Filters by name in the address, for the register's own filter to build on."""

    decided = django_filters.ChoiceFilter(
        method="by_decided",
        label="Decided",
        empty_label="anything",
        choices=[*VERDICT_CHOICES, (DIFFERS, "other than judged")],
    )
    rehearsed = django_filters.ChoiceFilter(
        method="by_rehearsal",
        label="Rehearsed",
        empty_label="or not",
        choices=[*((k.value, words) for k, words in KINDS.items()), (_NEVER, "never")],
    )
    gpus = django_filters.ChoiceFilter(
        method="by_gpus", label="GPUs", empty_label="any number", choices=[("unknown", "not known")]
    )
    replicas = django_filters.ChoiceFilter(
        method="by_replicas", label="Replicas", empty_label="any number", choices=[("unknown", "not known")]
    )
    obstacle = django_filters.ChoiceFilter(method="by_obstacle", label="In the way", empty_label="anything")
    frees = django_filters.ChoiceFilter(method="by_frees", label="Nothing in the way but", empty_label="anything")

    def by_decided(self, rows: QuerySet[Row], _name: str, verdict: str) -> QuerySet[Row]:
        """Rows by what people decided, or the engine's verdict where nobody did."""
        from portability.reviews.decided import decided_verdict  # reviews build on the register

        decided = rows.alias(decided=decided_verdict(timezone.localdate()))
        if verdict == DIFFERS:
            return decided.exclude(decided=F("verdict"))
        return decided.exclude(decided=Verdict.MOVABLE) if verdict == EXPOSED else decided.filter(decided=verdict)

    def by_rehearsal(self, rows: QuerySet[Row], _name: str, kind: str) -> QuerySet[Row]:
        """Rows by how their rehearsals stand today."""
        ran = Q(rehearsed="ran")
        since = oldest(timezone.localdate(), organisation().rehearsal_days)
        wanted = {
            Kind.PROVEN: Q(rehearsed="kept"),
            Kind.RAN: ran & Q(rehearsed_on__gte=since),
            Kind.LAPSED: ran & Q(rehearsed_on__lt=since),
            Kind.FAILED: Q(rehearsed="failed"),
            _NEVER: Q(rehearsed=""),
        }
        return rows.filter(wanted[kind])

    def by_gpus(self, rows: QuerySet[Row], _name: str, _value: str) -> QuerySet[Row]:
        """Rows of workloads whose number of GPUs is not known."""
        return rows.filter(gpus=None)

    def by_replicas(self, rows: QuerySet[Row], _name: str, _value: str) -> QuerySet[Row]:
        """Rows of workloads whose number of replicas is not known."""
        return rows.filter(replicas=None)

    def by_vendor(self, rows: QuerySet[Row], _name: str, vendor: str) -> QuerySet[Row]:
        """Rows of what runs on a vendor today; of whom it is not said, are among the unknown."""
        return rows.filter(vendor_today__in=["", "unknown"] if vendor == "unknown" else [vendor])

    def by_obstacle(self, rows: QuerySet[Row], _name: str, part: str) -> QuerySet[Row]:
        """Rows that need change, this among it."""
        return rows.filter(verdict=Verdict.NEEDS_CHANGE, obstacles__in=sets_with(part))

    def by_frees(self, rows: QuerySet[Row], _name: str, pk: str) -> QuerySet[Row]:
        """Rows that need change, and nothing but what is in this set, or less."""
        return rows.filter(verdict=Verdict.NEEDS_CHANGE, obstacles__in=sets_within(int(pk)))


def chosen_obstacles(params: QueryDict | Mapping[str, str]) -> dict[str, Choices]:
    """What the two filters by obstacles offer: the one that the address names, as long as it exists."""
    part, pk = params.get("obstacle", ""), params.get("frees", "")
    known = bool(part) and bool(sets_with(part))
    found = Obstacles.objects.filter(pk=int(pk)).first() if pk.isascii() and pk.isdigit() and len(pk) < 10 else None
    return {
        "obstacle": [(part, part)] if known else [],
        "frees": [(pk, "; ".join(parts_in(found.text)))] if found else [],
    }


def sets_with(part: str) -> list[int]:
    """The sets of obstacles that hold this one."""
    if "\x00" in part or "\n" in part or not part:
        return []
    found = Obstacles.objects.filter(text__contains=f"\n{part}\n")  # SQLite looks past capitals
    return [pk for pk, text in found.values_list("pk", "text") if part in parts_in(text)]


def sets_within(pk: int) -> list[int]:
    """The sets that hold nothing which this one does not hold."""
    of = Obstacles.objects.filter(pk=pk).first()
    if of is None:
        return []
    allowed = set(parts_in(of.text))
    return [each for each, text in Obstacles.objects.values_list("pk", "text") if allowed.issuperset(parts_in(text))]
