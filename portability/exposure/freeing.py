"""What would free most: the changes after which most GPUs could move, and what stands in the way most often.

Reckoned from the sets of obstacles that rows share. A set frees the workloads in whose way nothing else stands: those
with this set, or less. Sets are ranked by the GPUs they free for each thing to be changed.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count, Sum

from portability.engine.model import Verdict
from portability.exposure.counting import NOTHING, Amount, rows_of
from portability.exposure.links import Links
from portability.register.models import Obstacles
from portability.register.obstacles import parts_in
from portability.targets.models import Target

SHOWN = 5
OFTEN_SHOWN = 8
_TRIED = 100  # sets for which it is reckoned what they free: those with most GPUs for each obstacle of their own


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be changed together, and what could move then."""

    parts: list[str]
    amount: Amount
    url: str


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One thing that stands in the way, of how many, and of how many alone."""

    part: str
    amount: Amount
    alone: int  # workloads
    url: str
    alone_url: str = ""


@dataclass(frozen=True, slots=True)
class Freeing:
    """What frees most, and what stands in the way most often, of so many that need change."""

    changes: list[Change]
    often: list[Obstacle]


def freeing(target: Target, links: Links) -> Freeing:
    """Reckon it for the workloads of a vendor. Two statements, whatever the number of workloads."""
    needing = rows_of(target).filter(vendor_today=links.vendor, verdict=Verdict.NEEDS_CHANGE, obstacles__isnull=False)
    # by what one index holds: a row's own id is not in it
    sums = needing.values_list("obstacles").annotate(Count("workload"), Sum("replicas"), Sum("gpus"))
    counted = {pk: Amount(n, replicas or 0, gpus or 0) for pk, n, replicas, gpus in sums}
    texts = dict(Obstacles.objects.values_list("pk", "text")) if len(counted) > _TRIED else None
    if texts is None:
        texts = dict(Obstacles.objects.filter(pk__in=counted).values_list("pk", "text"))
    parts = {pk: parts_in(texts[pk]) for pk in counted}
    return Freeing(_changes(counted, parts, links), _often(counted, parts, links))


def _changes(counted: dict[int, Amount], parts: dict[int, list[str]], links: Links) -> list[Change]:
    bits: dict[str, int] = {}
    masks = {pk: sum(1 << bits.setdefault(p, len(bits)) for p in parts[pk]) for pk in counted}

    def worth(amount: Amount, pk: int) -> tuple[float, float, int]:
        things = len(parts[pk])
        return amount.gpus / things, amount.workloads / things, -pk

    tried = sorted(counted, key=lambda pk: worth(counted[pk], pk), reverse=True)[:_TRIED]
    freed = {
        pk: sum((amount for other, amount in counted.items() if not masks[other] & ~masks[pk]), NOTHING) for pk in tried
    }
    best = sorted(tried, key=lambda pk: worth(freed[pk], pk), reverse=True)[:SHOWN]
    return [Change(parts[pk], freed[pk], links.to(frees=str(pk))) for pk in best]


def _often(counted: dict[int, Amount], parts: dict[int, list[str]], links: Links) -> list[Obstacle]:
    sums: defaultdict[str, Amount] = defaultdict(Amount)
    alone: dict[str, tuple[int, str]] = {}  # sets are told apart by their text: of each obstacle one holds it alone
    for pk, amount in counted.items():
        for part in parts[pk]:
            sums[part] += amount
        if len(parts[pk]) == 1:
            alone[parts[pk][0]] = amount.workloads, links.to(frees=str(pk))
    ranked = sorted(sums, key=lambda part: (-sums[part].workloads, -sums[part].gpus, part))[:OFTEN_SHOWN]
    return [
        Obstacle(part, sums[part], number, links.to(obstacle=part), address)
        for part in ranked
        for number, address in [alone.get(part, (0, ""))]
    ]
