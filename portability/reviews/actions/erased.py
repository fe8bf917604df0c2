"""What is left of decisions once a value was erased from what they were made on."""

from __future__ import annotations

from collections.abc import Collection

from portability.reviews.actions.common import basis_of
from portability.reviews.models import Decision

_AT_ONCE = 500


def renew_bases(assessment_ids: Collection[int]) -> None:
    """Let decisions rest on these assessments as they are now. In the transaction that took a value out of them."""
    ids = sorted(assessment_ids)
    for start in range(0, len(ids), _AT_ONCE):
        made = Decision.objects.filter(assessment__in=ids[start : start + _AT_ONCE]).select_related("assessment")
        for decision in made:
            Decision.objects.filter(pk=decision.pk).update(basis=basis_of(decision.assessment))
