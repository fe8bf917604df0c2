"""Accepting what is found about a target, once, for all workloads."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from portability.audit.models import Entry as AuditEntry
from portability.organisation.actions import save_settings
from portability.organisation.queries import stored
from portability.register.models import Row
from portability.reviews import findings
from portability.reviews.actions import waive, waive_for_all
from portability.reviews.errors import Conflict, Refused
from portability.reviews.models import Waiver
from portability.targets.models import Target
from portability.targets.queries import stands_against
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.for_all import JAMMY, NEWEST, READY, SAYS, TOLD, UNTIL, jammy, mark_of, verdicts, waived_for_all
from tests.reviews.making import TODAY, register
from tests.reviews.test_follow import chosen

pytestmark = [pytest.mark.database, pytest.mark.usefixtures("shipped")]


@pytest.fixture
def ready(cast: Cast, shipped: None) -> Workload:
    """A workload that needs change for the target only because of the target."""
    return register(cast.member, cast.search, "ready", READY, **SAYS)


def test_it_counts_for_every_workload_and_for_what_is_registered_later(cast: Cast, ready: Workload) -> None:
    other = register(cast.member, cast.search, "other")
    assert (verdicts(ready), verdicts(other)) == (("needs-change", "needs-change", 0),) * 2
    waiver = waived_for_all(cast.architect)
    assert (waiver.workload, waiver.target.name, waiver.rule, waiver.ends) == (None, JAMMY, "PLT001", UNTIL)
    assert waiver.where == "rocm-compatibility-matrix/os/mi350p/ubuntu/22.04.5"
    assert verdicts(ready) == ("needs-change", "movable", 1)
    assert verdicts(other) == ("needs-change", "needs-change", 1), "its own findings are not waived"
    later = register(cast.member, cast.search, "later", READY, **SAYS)
    assert verdicts(later) == ("needs-change", "movable", 1)


def test_it_is_for_one_target_and_one_finding(cast: Cast, ready: Workload) -> None:
    newest = Target.objects.get(name=NEWEST)
    waived_for_all(cast.architect, "PLT003", newest)
    assert verdicts(ready, target=newest) == ("needs-change", "needs-change", 1)
    assert verdicts(ready) == ("needs-change", "needs-change", 0)
    waived_for_all(cast.architect, "PLT004", newest)
    assert verdicts(ready, target=newest) == ("needs-change", "movable", 2)


def test_the_history_says_who_waived_what_of_the_target(cast: Cast, ready: Workload) -> None:
    waived_for_all(cast.architect)
    said = AuditEntry.objects.get(action="waiver.given")
    assert (said.who, said.subject, said.workload) == (cast.architect, JAMMY, None)
    assert (said.details["rule"], said.details["ends"], said.details["workloads"]) == ("PLT001", "2027-03-31", "all")
    assert (said.details["reason"], said.details["link"]) == (TOLD["reason"], TOLD["link"])


@pytest.mark.parametrize("who", ["viewer", "member", "outsider", "curator", "administrator"])
def test_only_architects_waive(cast: Cast, who: str) -> None:
    with pytest.raises(PermissionDenied):
        waived_for_all(getattr(cast, who))
    cast.architect.is_active = False
    with pytest.raises(PermissionDenied):
        waived_for_all(cast.architect)
    assert not Waiver.objects.exists()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"reason": " "}, "reason"),
        ({"link": ""}, "link"),
        ({"link": "ticket 7"}, "link"),
        ({"ends": None}, "ends"),
        ({"ends": TODAY}, "ends"),
        ({"ends": TODAY + timedelta(days=732)}, "ends"),
    ],
)
def test_reason_link_and_an_end_are_required(cast: Cast, given: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refused:
        waive_for_all(cast.architect, jammy().pk, mark_of("PLT001"), **(TOLD | {"ends": UNTIL} | given), today=TODAY)
    assert refused.value.field == field
    assert not Waiver.objects.exists()


def test_a_note_and_a_rule_that_nobody_may_waive_are_refused(cast: Cast) -> None:
    with pytest.raises(Refused, match="It is a note"):
        waived_for_all(cast.architect, "OBS003")
    save_settings(cast.administrator, stored().version, chosen(not_waivable=("PLT001",)))
    with pytest.raises(Refused, match="PLT001 may not be waived"):
        waived_for_all(cast.architect)


def test_what_does_not_stand_against_the_target_is_a_conflict(cast: Cast, ready: Workload) -> None:
    other = register(cast.member, cast.search, "other")
    row = Row.objects.get(workload=other, target=jammy())
    own = next(f for f in row.assessment.findings if f["about"] == "workload")
    for mark in (findings.mark(own), "0" * 64, mark_of("PLT003", Target.objects.get(name=NEWEST))):
        with pytest.raises(Conflict, match=f"The finding of {JAMMY} is gone"):
            waive_for_all(cast.architect, jammy().pk, mark, **TOLD, ends=UNTIL, today=TODAY)
    with pytest.raises(Target.DoesNotExist):
        waive_for_all(cast.architect, 0, "0" * 64, **TOLD, ends=UNTIL, today=TODAY)


def test_sent_twice_it_counts_once_and_a_second_waiver_is_refused(cast: Cast) -> None:
    assert waived_for_all(cast.architect) == waived_for_all(cast.architect)
    with pytest.raises(Refused, match="architect waived it until 31 March 2027"):
        waived_for_all(cast.architect, ends=UNTIL + timedelta(days=30))
    assert AuditEntry.objects.filter(action="waiver.given").count() == 1


def test_what_is_about_the_target_is_waived_for_no_single_workload(cast: Cast, ready: Workload) -> None:
    with pytest.raises(Refused, match=f"It is about {JAMMY} itself: it is waived there, once for all"):
        waive(cast.architect, ready.pk, jammy().pk, mark_of("PLT001"), **TOLD, ends=UNTIL, today=TODAY)
    assert verdicts(ready) == ("needs-change", "needs-change", 0)


def test_one_given_for_a_workload_before_still_holds_beside_it(cast: Cast, ready: Workload) -> None:
    finding = next(f for f in stands_against(jammy()) if f["rule"] == "PLT001")
    told = {
        "identity": findings.key(finding),
        "cause": findings.cause(finding),
        "rule": "PLT001",
        "where": "its system",
    }
    Waiver.objects.create(
        workload=ready, target=jammy(), **told, **TOLD, ends=UNTIL, given_by=cast.architect, given_by_name="architect"
    )
    later = register(cast.member, cast.search, "later", READY, **SAYS)
    waived_for_all(cast.architect, ends=TODAY + timedelta(days=3))
    assert verdicts(ready) == verdicts(later) == ("needs-change", "movable", 1), "it is one finding"
    after = TODAY + timedelta(days=4)
    assert (verdicts(ready, after)[1:], verdicts(later, after)[1:]) == (("movable", 1), ("needs-change", 0))
