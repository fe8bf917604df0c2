"""Whether the last review's decision can be confirmed as it is."""

from __future__ import annotations

from datetime import date

from portability.organisation.dates import Quarter
from portability.reviews.models import Decision, Entry
from portability.ui.templatetags.ui import dated


def why_not(entry: Entry, verdict: str, basis: str, quarter: Quarter, today: date) -> str:
    """In words, why the last decision cannot be confirmed; "" where it can.

    `verdict`, `basis`: how the entry stands now. `entry.before.entry` must be loaded.
    """
    before = entry.before
    if before is None:
        return "Nothing was decided before."
    if before.entry.target_id != entry.target_id:
        return "It was decided for another target."
    if before.engine_verdict != verdict:
        return "The verdict was another one then."
    if before.kind == Decision.Kind.OTHERWISE and before.basis != basis:
        return "What it was decided on has changed."
    if before.kind == Decision.Kind.PLAN and Quarter.parse(before.plan_quarter) < quarter:
        return f"The plan was for {before.plan_quarter}, which is over."
    if before.kind == Decision.Kind.NOT_KNOWN and before.by_day is not None and before.by_day < today:
        return f"It was to be known by {dated(before.by_day)}."
    return ""
