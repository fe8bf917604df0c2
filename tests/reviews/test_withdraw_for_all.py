"""Taking back what was accepted for all workloads."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from portability.audit.models import Entry as AuditEntry
from portability.reviews.actions import withdraw_waiver
from portability.reviews.models import Decided, Waiver
from tests.conftest import Cast
from tests.reviews.for_all import JAMMY, READY, SAYS, verdicts, waived_for_all
from tests.reviews.making import TODAY, register

pytestmark = [pytest.mark.database, pytest.mark.usefixtures("shipped")]


def test_it_ends_for_every_workload_and_may_be_given_again(cast: Cast) -> None:
    some = [register(cast.member, cast.search, f"w{n}", READY, **SAYS) for n in range(2)]
    waiver = waived_for_all(cast.architect)
    assert {verdicts(w) for w in some} == {("needs-change", "movable", 1)}
    for _ in range(2):
        ended = withdraw_waiver(cast.architect, waiver.pk, TODAY)
        assert ended.withdrawn_by == cast.architect
    assert {verdicts(w) for w in some} == {("needs-change", "needs-change", 0)}
    assert not Decided.objects.exists()
    [said] = AuditEntry.objects.filter(action="waiver.withdrawn")
    assert (said.subject, said.details) == (JAMMY, {"rule": "PLT001", "workloads": "all"})
    assert waived_for_all(cast.architect).pk != waiver.pk
    assert {verdicts(w) for w in some} == {("needs-change", "movable", 1)}


@pytest.mark.parametrize("who", ["viewer", "member", "curator", "administrator"])
def test_only_architects_withdraw(cast: Cast, who: str) -> None:
    waiver = waived_for_all(cast.architect)
    with pytest.raises(PermissionDenied):
        withdraw_waiver(getattr(cast, who), waiver.pk, TODAY)
    assert Waiver.objects.get().withdrawn_at is None
