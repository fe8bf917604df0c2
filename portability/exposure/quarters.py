"""The movement over the quarters: from the records of closed reviews, as they were signed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from portability.engine.model import Verdict
from portability.exposure.counting import NOTHING, Amount
from portability.exposure.links import Figure
from portability.reviews.closed_filter import ALL_COUNTED, WOULD_STOP, Wanted
from portability.reviews.models import Record
from portability.reviews.record.figures import GROUPS, KNOWN, UNKNOWN

SHOWN = 8  # the newest, two years
_VERDICTS = {group: verdict for verdict, group in GROUPS.items()}


@dataclass(frozen=True, slots=True)
class Closed:
    """How the workloads of a vendor stood when the review of a quarter was closed, by verdict."""

    quarter: str
    vendor: str
    amounts: dict[str, Amount]

    def whole(self) -> Figure:
        """All that ran on the vendor and was counted."""
        return self._figure(sum(self.amounts.values(), NOTHING), ALL_COUNTED)

    def exposed(self) -> Figure:
        """What would have stopped."""
        stop = (found for verdict, found in self.amounts.items() if verdict != Verdict.MOVABLE)
        return self._figure(sum(stop, NOTHING), WOULD_STOP)

    def state(self, verdict: Verdict) -> Figure:
        """One of the four states."""
        return self._figure(self.amounts.get(verdict, NOTHING), GROUPS[verdict])

    def _figure(self, amount: Amount, exposure: str) -> Figure:
        """It leads to the page of the closed review, where the register no longer shows it."""
        page = reverse("reviews:review", args=[self.quarter])
        to = {
            unknown: f"{page}{Wanted(vendor=self.vendor, exposure=exposure, unknown=unknown).address}"
            for unknown, number in (
                ("", amount.workloads), ("replicas", amount.replicas_unknown), ("gpus", amount.gpus_unknown),
            )
            if number
        }  # fmt: skip
        return Figure(amount, to.get("", ""), to.get("replicas", ""), to.get("gpus", ""))


def closed_quarters(vendor: str) -> list[Closed]:
    """The newest closed reviews, the oldest first."""
    newest = Record.objects.order_by("-review__ends").values_list("review__quarter", "summary__said__figures")[:SHOWN]
    return [Closed(quarter, vendor, _amounts(figures, vendor)) for quarter, figures in reversed(newest)]


def _amounts(figures: list[dict[str, Any]], vendor: str) -> dict[str, Amount]:
    amounts: defaultdict[str, Amount] = defaultdict(Amount)
    for line in figures:
        if line["vendor"] == vendor and line["group"] in _VERDICTS:
            unknown = (line.get(name, 0) for name in UNKNOWN)  # of which records of before may say nothing
            amounts[_VERDICTS[line["group"]]] += Amount(*(line[name] for name in KNOWN), *unknown)
    return dict(amounts)
