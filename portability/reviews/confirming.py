"""Whether the last review's decision can be confirmed as it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from portability.engine.model import Verdict
from portability.register.models import Assessment
from portability.reviews.by_waivers import change
from portability.reviews.models import Decision, Entry
from portability.reviews.waivers import Waived, with_waivers
from portability.reviews.words import VERDICTS
from portability.ui.templatetags.ui import dated


def why_not(entry: Entry, assessment: Assessment | None, basis: str, waivers: Sequence[Waived], today: date) -> str:
    """In words, why the last decision cannot be confirmed; "" where that would store the same decision once more.

    `assessment`, its `basis`, `waivers` (all that were ever given for it): how the entry stands now.
    """
    before = entry.before
    if before is None:
        return "Nothing was decided before."
    if before.target_id != entry.target_id:
        return "It was decided for another target."
    if before.engine_verdict != (assessment.verdict if assessment else Verdict.NOT_ASSESSED):
        return "The verdict was another one then."
    verdict = with_waivers(assessment, waivers)
    if (waived := change(before, waivers, verdict)) is not None:
        already = "already" if before.verdict == verdict else "now"
        was, now = VERDICTS[before.verdict], VERDICTS[verdict]
        return f"It was decided as {was}, and with what is waived it is {now} {already}: {waived.words}."
    if before.kind == Decision.Kind.OTHERWISE and before.basis != basis:
        return "What it was decided on has changed."
    if before.plan_ends is not None and before.plan_ends < today:
        return f"The plan was for {before.plan_quarter}, until {dated(before.plan_ends)}, which is over."
    if before.kind == Decision.Kind.NOT_KNOWN and before.by_day is not None and before.by_day < today:
        return f"It was to be known by {dated(before.by_day)}."
    return ""
