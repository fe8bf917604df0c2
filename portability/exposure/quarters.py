"""The movement over the quarters: from the records of closed reviews, as they were signed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from portability.exposure.counting import Amount
from portability.reviews.models import Record
from portability.reviews.record.figures import GROUPS

SHOWN = 8  # the newest, two years
_VERDICTS = {group: verdict for verdict, group in GROUPS.items()}


@dataclass(frozen=True, slots=True)
class Closed:
    """How the workloads of a vendor stood when the review of a quarter was closed, by verdict."""

    quarter: str
    amounts: dict[str, Amount]


def closed_quarters(vendor: str) -> list[Closed]:
    """The newest closed reviews, the oldest first."""
    newest = Record.objects.order_by("-review__ends").values_list("review__quarter", "summary__said__figures")[:SHOWN]
    return [Closed(quarter, _amounts(figures, vendor)) for quarter, figures in reversed(newest)]


def _amounts(figures: list[dict[str, Any]], vendor: str) -> dict[str, Amount]:
    amounts: defaultdict[str, Amount] = defaultdict(Amount)
    for line in figures:
        if line["vendor"] == vendor and line["group"] in _VERDICTS:
            amounts[_VERDICTS[line["group"]]] += Amount(line["workloads"], line["replicas"], line["gpus"])
    return dict(amounts)
