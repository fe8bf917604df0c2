"""Making the record of a review from the register as it stands, in one pass over the entries."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta
from importlib.resources import files
from typing import Any

from django.conf import settings

from portability.organisation.queries import default_targets, stored
from portability.reviews.models import Entry, Review
from portability.reviews.record.canonical import canonical, moment
from portability.reviews.record.csv_lines import CsvLines
from portability.reviews.record.entry_json import entry_json
from portability.reviews.record.gathering import gathered
from portability.reviews.record.people import People
from portability.reviews.record.summary import Summary

SCHEMA = 1
KIND = "portability-review-record"


@dataclass(slots=True)
class Made:
    """What is to be stored, and what the pass found. `ended`: ids of entries by the decided verdict they end with."""

    text: str = ""
    csv: bytes = b""
    summary: Summary = field(default_factory=Summary)
    undecided: int = 0
    again: int = 0
    ended: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @property
    def entries(self) -> int:
        """How many there are."""
        return sum(len(ids) for ids in self.ended.values())


def schema() -> bytes:
    """The schema of records, as it is published."""
    return (files("portability.reviews") / "data" / "record.schema.json").read_bytes()


def make(review: Review, today: date) -> Made:
    """The record of a review whose closing (when, by whom, statement) is set already. Writes nothing.

    Where entries are not decided, or ask again, they are counted and there is no text.
    """
    settled = stored()
    rehearsals_from = today - timedelta(days=settled.rehearsal_days)
    made, people, csv = Made(), People(), CsvLines()
    texts = ['{"entries":[']  # the first of its keys; the others follow
    for part in gathered(review, today):
        for g in part:
            entry = g.line.entry
            made.undecided += entry.state == Entry.State.OPEN
            made.again += g.line.asks_again
            made.ended[g.line.decided_verdict].append(entry.pk)
            if made.undecided or made.again:
                continue
            said = entry_json(g, people, rehearsals_from)
            texts += ([","] if made.summary.lines else []) + [canonical(said)]
            csv.add(said)
            made.summary.add(said)
    if made.undecided or made.again:
        return made
    rest = made.summary.rest = {
        "schema": SCHEMA,
        "kind": KIND,
        "organisation": {
            "name": settled.name,
            "time_zone": settled.time_zone or settings.TIME_ZONE,
            "first_month": settled.first_month,
            "not_waivable": sorted(settled.not_waivable),
            "rehearsal_days": settled.rehearsal_days,
            "default_targets": {vendor: target.name for vendor, target in default_targets().items()},
        },
        "review": _review(review, people),
        "people": people.to_json(),
        "figures": made.summary.figures.to_json(),
    }
    made.csv = csv.content()
    made.text = "".join([*texts, "],", canonical(rest)[1:]])
    return made


def _review(review: Review, people: People) -> dict[str, Any]:
    return {
        "quarter": review.quarter,
        "starts": review.starts.isoformat(),
        "ends": review.ends.isoformat(),
        "opened_at": moment(review.opened_at),
        "opened_by": people.named(review.opened_by),
        "closed_at": moment(review.closed_at),
        "closed_by": people.named(review.closed_by),
        "statement": review.statement,
    }
