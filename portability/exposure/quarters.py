"""The movement over the quarters: from the records of closed reviews, as they were signed."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from portability.exposure.counting import Amount
from portability.reviews.models import Record
from portability.reviews.record.figures import GROUPS

SHOWN = 8  # the newest, two years
_VERDICTS = {group: verdict for verdict, group in GROUPS.items()}
_FIGURES = re.compile(r'"figures":(\[[^\]]*\])')  # no text of a record holds these quotes unescaped
_known: dict[str, list[dict[str, Any]]] = {}  # by the digest of a record, which never changes


@dataclass(frozen=True, slots=True)
class Closed:
    """How the workloads of a vendor stood when the review of a quarter was closed, by verdict."""

    quarter: str
    amounts: dict[str, Amount]


def closed_quarters(vendor: str) -> list[Closed]:
    """The newest closed reviews, the oldest first. A record's text is read once in the life of a process."""
    newest = Record.objects.order_by("-review__ends").values_list("digest", "review__quarter")[:SHOWN]
    found = list(newest)
    unread = [digest for digest, _ in found if digest not in _known]
    if unread:
        for digest, text in Record.objects.filter(digest__in=unread).values_list("digest", "text"):
            _known[digest] = _figures_in(text)
    return [Closed(quarter, _amounts(_known[digest], vendor)) for digest, quarter in reversed(found)]


def _figures_in(text: str) -> list[dict[str, Any]]:
    said = _FIGURES.search(text)
    figures: list[dict[str, Any]] = json.loads(said[1]) if said else []
    return figures


def _amounts(figures: list[dict[str, Any]], vendor: str) -> dict[str, Amount]:
    amounts: defaultdict[str, Amount] = defaultdict(Amount)
    for line in figures:
        if line["vendor"] == vendor and line["group"] in _VERDICTS:
            amounts[_VERDICTS[line["group"]]] += Amount(line["workloads"], line["replicas"], line["gpus"])
    return dict(amounts)
