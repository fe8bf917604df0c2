"""What the reviews room says on a workload's page: how its last review went, and which findings are waived."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from portability.accounts.models import Person
from portability.engine.model import Effect
from portability.organisation.queries import organisation
from portability.register.models import Row
from portability.reviews.decided import with_decided
from portability.reviews.models import Entry
from portability.reviews.waivers import Waived, waivers_of
from portability.workloads.findings import Shown
from portability.workloads.models import Workload


@dataclass(frozen=True, slots=True)
class OnWorkload:
    """The newest review's entry, whatever the target shown; waivers and the decided verdict for that target."""

    entry: Entry | None  # with its review, target and decision
    waivers: list[Waived]
    decided_verdict: str  # "" where nothing was judged
    unwaivable: frozenset[str]
    row: Row | None
    may_waive: bool

    @property
    def waived(self) -> int:
        """How many findings are waived now."""
        return sum(waived.holds for waived in self.waivers)

    def waiver_of(self, finding: Shown) -> Waived | None:
        """The waiver that holds for a finding."""
        return next((w for w in self.waivers if w.holds and w.mark == finding.mark), None)

    def may_be_waived(self, finding: Shown) -> bool:
        """Whether the person may waive it: no note, and not of a rule that nobody may waive."""
        return self.may_waive and finding.effect != Effect.NOTE and finding.rule not in self.unwaivable


def on_workload(person: Person, workload: Workload, row: Row | None, today: date) -> OnWorkload:
    """In two queries, one more where anybody waived or decided something. The row's assessment must be loaded."""
    entries = Entry.objects.filter(workload=workload).select_related("review", "target", "decision")
    waivers = waivers_of(workload.pk, row.target_id, row.assessment, today) if row else []
    entry = entries.order_by("-review__quarter").first()
    decided = row.verdict if row else ""
    if row and (waivers or (entry and entry.decision_id)):
        columns = ("decided_verdict",)
        ((decided,),) = with_decided(Row.objects.filter(pk=row.pk), today).values_list(*columns)
    return OnWorkload(
        entry=entry,
        waivers=waivers,
        decided_verdict=decided,
        unwaivable=frozenset(organisation().not_waivable),
        row=row,
        may_waive=person.architect and workload.retired_at is None,
    )
