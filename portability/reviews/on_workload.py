"""What the reviews room says on a workload's page: how its last review went, and which findings are waived."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.urls import reverse

from portability.accounts.models import Person
from portability.organisation.queries import organisation
from portability.register.models import Row
from portability.reviews.beside_findings import BesideFindings, any_for_all, judged_for
from portability.reviews.decided import with_decided
from portability.reviews.models import Entry, Review
from portability.reviews.standing import Line, lines, with_standing
from portability.reviews.still import Still, still
from portability.reviews.waivers import waivers_of
from portability.targets.models import Target
from portability.workloads.models import Workload


@dataclass(frozen=True, slots=True, kw_only=True)
class OnWorkload(BesideFindings):
    """The newest review's entry, whatever the target shown; waivers and the decided verdict for that target."""

    line: Line | None  # of the entry, as it stands today
    decided_verdict: str  # "" where nothing was judged
    row: Row | None

    @property
    def entry(self) -> Entry | None:
        """With its review, target and decision, and that one's target."""
        return self.line.entry if self.line else None

    @property
    def decided_for(self) -> Target | None:
        """The target of what is told of the review."""
        if self.entry is None:
            return None
        return self.entry.decision.target if self.entry.decision else self.entry.target

    @property
    def still(self) -> str:
        """What has become of the decision, of `still.Still`. A closed review asks for nothing again."""
        if self.line is None or self.entry is None or self.entry.decision is None:
            return ""
        if self.entry.review.state == Review.State.OPEN:
            return Still.ASKS_AGAIN if self.line.asks_again else Still.STANDS
        made = self.entry.decision
        now = (self.line.engine_verdict, self.line.decided_verdict)
        return still((made.engine_verdict, made.verdict), now, asks_again=False)

    @property
    def waived(self) -> int:
        """How many findings are waived now."""
        return len({waived.mark for waived in self.waivers if waived.holds})


def on_workload(person: Person, workload: Workload, row: Row | None, today: date) -> OnWorkload:
    """In two queries; one more where anybody waived or decided something, or who reads may waive something for all, and
    two where a decision asks again because of waivers.

    The row's assessment must be loaded.
    """
    entries = with_standing(Entry.objects.filter(workload=workload), today)
    waivers = waivers_of(workload.pk, row.target_id, row.assessment, today) if row else []
    newest = entries.select_related("review", "decision__target").order_by("-review__starts", "-review_id")[:1]
    line = next(iter(lines(newest)), None)
    decided = row.verdict if row else ""
    if row and (waivers or (line and (line.entry.decision_id or line.entry.before_id))):
        columns = ("decided_verdict",)
        ((decided,),) = with_decided(Row.objects.filter(pk=row.pk), today).values_list(*columns)
    may_waive = person.architect and workload.retired_at is None
    for_all = row is not None and may_waive and any_for_all(row.assessment.findings)
    address = reverse("workloads:workload", args=[workload.pk])
    return OnWorkload(
        target=row.target if row else None,
        workload=workload.pk,
        waivers=waivers,
        unwaivable=frozenset(organisation().not_waivable),
        may_waive=may_waive,
        here=f"{address}?target={row.target.name}" if row else address,
        judged=judged_for(row.target_id) if row and for_all else 0,
        line=line,
        decided_verdict=decided,
        row=row,
    )
