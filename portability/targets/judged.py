"""How workloads are judged for a target, and whether that is still about the target as it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count

from portability.engine.model import Verdict
from portability.register.models import Row, Run
from portability.register.queries import Now, outdated, running
from portability.rules.queries import judged_by
from portability.targets.models import Target
from portability.targets.queries import in_words


@dataclass(frozen=True, slots=True)
class Judged:
    """How many workloads have which verdict for a target, and how many of those are judged by what it no longer is."""

    verdicts: list[tuple[Verdict, int]]
    outdated: int
    run: Run | None  # that is under way, where it is needed


def judged(target: Target) -> Judged:
    """The verdicts for a target, and whether they are about the target and the rules as they are now."""
    than = Now(judged_by())
    rows = Row.objects.filter(target=target, workload__retired_at__isnull=True).values_list("verdict").order_by()
    counted = list(rows.annotate(n=Count("id"), old=Count("id", filter=outdated(than))))
    old = sum(n for _, _, n in counted)
    run = running() if target.active and (old or not counted) else None
    return Judged(in_words(Counter({verdict: n for verdict, n, _ in counted})), old, run)
