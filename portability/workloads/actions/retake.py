"""Keeping the facts of stored revisions that were taken anew: an upgrade takes others from the same manifests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from portability.engine.facts_json import facts_from_json
from portability.engine.model import Summary
from portability.rules.queries import judging_rows
from portability.workloads.actions.common import REPEATED, repeat
from portability.workloads.models import Revision, Workload


@dataclass(frozen=True, slots=True)
class Retaken:
    """The facts taken anew of a revision (as it was when its texts were read), as stored, and what it sums up to."""

    revision: Revision
    facts: dict[str, Any]
    summary: Summary


def keep_facts(retaken: Iterable[Retaken]) -> None:
    """Store them with the version that took them; the workloads' columns follow. The product does so, nobody else.

    Must be called in a transaction. Compared and swapped: where another worker kept the same already it changes
    nothing, and where a value was erased since the texts were read, what was taken from them is dropped.
    """
    news = {each.revision.pk: each for each in retaken}
    if not news:
        return
    locked = Revision.objects.select_for_update().filter(pk__in=news).order_by("pk").only("digest", "extractor")
    kept = [revision for revision in locked if _same(revision, news[revision.pk].revision)]
    for revision in kept:
        facts = news[revision.pk].facts
        revision.facts, revision.extractor = facts, facts["extractor"]
    Revision.objects.bulk_update(kept, ["facts", "extractor"])
    rows, workloads = judging_rows(), list(Workload.objects.filter(current__in=kept))
    for workload in workloads:
        new = news[workload.current_id or 0]
        repeat(workload, facts_from_json(new.facts), new.summary, rows)
    Workload.objects.bulk_update(workloads, REPEATED)


def _same(stored: Revision, read: Revision) -> bool:
    return (stored.digest, stored.extractor) == (read.digest, read.extractor)
