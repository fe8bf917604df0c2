"""What stands beside findings on a page: the waiver that holds for one, and where the person may waive it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.urls import reverse

from portability.engine.model import Effect
from portability.register.models import Row
from portability.reviews import findings
from portability.reviews.waivers import Waived
from portability.targets.models import Target
from portability.workloads.findings import Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideFindings:
    """Of the findings of a workload for a target, or of a target alone. `here`: the page's address."""

    target: Target | None
    workload: int | None = None
    waivers: Sequence[Waived]
    unwaivable: frozenset[str]
    may_waive: bool
    here: str
    judged: int  # workloads for the target; asked for where the person may waive something for all of them

    def waiver_of(self, finding: Shown) -> Waived | None:
        """The waiver that holds for a finding."""
        return next((w for w in self.waivers if w.holds and w.mark == finding.mark), None)

    def waive_address(self, finding: Shown) -> str:
        """Where the person may waive it: no note, and not of a rule that nobody may waive. Else ""."""
        if (
            not self.may_waive
            or self.target is None
            or finding.effect == Effect.NOTE
            or finding.rule in self.unwaivable
        ):
            return ""
        if finding.about == "target":
            address = reverse("reviews:waive_for_all", args=[self.target.pk, finding.mark])
            return f"{address}?next={quote(self.here, safe='')}"
        return reverse("reviews:waive", args=[self.workload, self.target.pk, finding.mark])


def judged_for(target_id: int) -> int:
    """How many workloads that are not retired are judged for a target."""
    return Row.objects.filter(target=target_id, retired=False).count()


def any_for_all(found: Iterable[Mapping[str, Any]]) -> bool:
    """Whether there is anything about the target that might be waived."""
    return any(findings.about_target(f) for f in findings.counting(found))
