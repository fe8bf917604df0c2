"""The register's counts: what its head says of the rows that are shown, right at any moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Case, Count, IntegerField, QuerySet, Sum, Value, When

from portability.engine.matrices.knowledge import Knowledge
from portability.engine.model import Verdict
from portability.engine.overdue import overdue_days
from portability.register import texts
from portability.register.models import Basis, Row
from portability.register.queries import Now


@dataclass(frozen=True, slots=True)
class Shown:
    """How many workloads, and their replicas and GPUs as far as those are known."""

    workloads: int
    replicas: int
    gpus: int
    replicas_unknown: int = 0  # of how many workloads it is not known
    gpus_unknown: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading that rows rest on, in words, and by how many days it is overdue."""

    text: str
    overdue: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows have which verdict, and what else the register's head tells."""

    verdicts: dict[str, int]
    replicas: dict[str, int]  # by verdict
    gpus: dict[str, int]
    replicas_unknown: dict[str, int]  # of how many workloads that is not known
    gpus_unknown: dict[str, int]
    only_target: int  # need change only because of the target
    only_confirm: int  # need change only until something is confirmed
    outdated: int
    older: frozenset[int]  # of what rows were judged by (`Row.basis`), that which is out of date
    platform_judged: bool  # False where no source describes the platform of the target's vendor
    readings: list[str]  # of the platform's source, that the rows rest on: the first and the last by name

    @property
    def all(self) -> int:
        """All rows."""
        return sum(self.verdicts.values())

    def shown(self, verdict: str = "") -> Shown:
        """What is shown with this filter for the verdict."""
        of = [verdict] if verdict in self.verdicts else list(self.verdicts)
        if verdict not in ("", *self.verdicts):  # any but movable
            of.remove(Verdict.MOVABLE)
        numbers = (self.verdicts, self.replicas, self.gpus, self.replicas_unknown, self.gpus_unknown)
        return Shown(*(sum(each[v] for v in of) for each in numbers))


_OF_BASIS = ("target_version", "catalogue", "consulted__digest", "platform_judged", "as_of", "target__version")
_COUNTED_BY = ("verdict", "own_verdict", "changeless", "basis")


def counts(rows: QuerySet[Row], than: Now) -> Counts:
    """The counts of filtered rows, in two queries: by verdict and basis, and what those few bases say."""
    changeless = Case(When(changes=0, then=Value(1)), default=Value(0), output_field=IntegerField())
    groups = rows.order_by().annotate(changeless=changeless).values(*_COUNTED_BY)
    known = {"known_replicas": Count("replicas"), "known_gpus": Count("gpus")}
    groups = list(groups.annotate(n=Count("pk"), of_replicas=Sum("replicas"), of_gpus=Sum("gpus"), **known))
    bases = Basis.objects.select_related("target", "consulted").only(*_OF_BASIS).in_bulk({g["basis"] for g in groups})
    older = than.older(bases.values())
    numbers, replicas, gpus, no_replicas, no_gpus = (Counter[str]() for _ in range(5))
    only_target = only_confirm = old = 0
    for group in groups:
        verdict, n = group["verdict"], group["n"]
        numbers[verdict] += n
        replicas[verdict] += group["of_replicas"] or 0
        gpus[verdict] += group["of_gpus"] or 0
        no_replicas[verdict] += n - group["known_replicas"]
        no_gpus[verdict] += n - group["known_gpus"]
        if verdict == Verdict.NEEDS_CHANGE:
            only_target += n if group["own_verdict"] == Verdict.MOVABLE else 0
            only_confirm += n if group["changeless"] else 0
        old += n if group["basis"] in older else 0
    said = {basis.as_of for basis in bases.values()} - {""}
    return Counts(
        verdicts={v.value: numbers[v.value] for v in Verdict},
        replicas={v.value: replicas[v.value] for v in Verdict},
        gpus={v.value: gpus[v.value] for v in Verdict},
        replicas_unknown={v.value: no_replicas[v.value] for v in Verdict},
        gpus_unknown={v.value: no_gpus[v.value] for v in Verdict},
        only_target=only_target,
        only_confirm=only_confirm,
        outdated=old,
        older=older,
        platform_judged=all(basis.platform_judged for basis in bases.values()),
        readings=sorted({min(said), max(said)}) if said else [],
    )


def whole(rows: QuerySet[Row]) -> Shown:
    """How many workloads, replicas and GPUs there are before any filter."""
    found = rows.order_by().aggregate(workloads=Count("pk"), replicas=Sum("replicas"), gpus=Sum("gpus"))
    return Shown(found["workloads"], found["replicas"] or 0, found["gpus"] or 0)


def readings(counted: Counts, published: Knowledge, today: date) -> list[Reading]:
    """The readings that counted rows rest on."""
    return readings_in_words(counted.readings, published, today)


def readings_in_words(said: Iterable[str], published: Knowledge, today: date) -> list[Reading]:
    """Readings as rows name them, each once; how late they are is worked out for the day, and never stored."""
    late = {
        texts.release_in_words(r, published): overdue_days(published, r.source, r.read, today)
        for r in published.releases()
    }
    told: set[str] = set()
    found = []
    for text in said:
        if parts := [part for part in text.split("; ") if part not in told]:
            found.append(Reading("; ".join(parts), max(late.get(part, 0) for part in parts)))
        told.update(parts)
    return found
