"""The decided verdict beside the engine's: for any queryset of register rows, in one statement.

    rows = with_decided(rows, today)          # adds decided_verdict, waived, own_decision
    rows.filter(decided_verdict="movable")    # filters and orders like a column

Where nobody waived or decided anything, `decided_verdict` is the engine's, `waived` 0 and `own_decision` None.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import CharField, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from portability.register.models import Row
from portability.reviews.models import Decided


def with_decided(rows: QuerySet[Row], today: date) -> QuerySet[Row]:
    """Rows with `decided_verdict`, `waived` (findings) and `own_decision` (id of the reviewer's own, or None)."""
    return rows.annotate(decided_verdict=decided_verdict(today), waived=waived(today), own_decision=own_decision(today))


def decided_verdict(today: date, assessment: str = "assessment_id", verdict: str = "verdict") -> Coalesce:
    """The decided verdict of a row. `assessment` and `verdict`: where the row's columns are, seen from the query."""
    return Coalesce(_now(today, assessment, "verdict", CharField()), F(verdict), output_field=CharField())


def waived(today: date, assessment: str = "assessment_id") -> Coalesce:
    """How many findings of a row are waived on that day."""
    return Coalesce(_now(today, assessment, "waived", IntegerField()), 0, output_field=IntegerField())


def with_waivers(today: date, assessment: str = "assessment_id", verdict: str = "verdict") -> Coalesce:
    """The engine's verdict with what is waived on that day, whatever a reviewer decided otherwise."""
    return Coalesce(_now(today, assessment, "with_waivers", CharField()), F(verdict), output_field=CharField())


def own_decision(today: date, assessment: str = "assessment_id") -> Subquery:
    """The id of the decision by which a reviewer decided otherwise, where that holds."""
    return _now(today, assessment, "decision_id", IntegerField())


def _now(today: date, assessment: str, column: str, kind: Any) -> Subquery:
    """Of the spans of an assessment, the one that the day lies in: that which ends first of those not yet ended."""
    spans = Decided.objects.filter(Q(until=None) | Q(until__gte=today), assessment=OuterRef(assessment))
    return Subquery(spans.order_by(F("until").asc(nulls_last=True), "pk").values(column)[:1], output_field=kind)
