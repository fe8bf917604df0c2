"""A rule that does more than it may is switched off wherever that is seen, and is never a verdict."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.register.models import Assessment, Batch, Run
from portability.rules.custom import actions
from portability.rules.custom.judging import AtFault
from portability.rules.custom.standing import engine_rule
from portability.rules.custom.switching import switch_off
from portability.rules.models import CustomRule
from portability.rules.queries import judged_by
from portability.targets.models import Target
from portability.workloads.contents import content
from portability.workloads.preview import preview
from tests.conftest import Cast
from tests.rules.custom import BOMB, MOVABLE, enable, found, row, values, work, workload

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_batch_goes_on_without_it(cast: Cast, few: Target) -> None:
    """Beside a rule that is fine. The run ends, nothing failed, and no answer is out of date."""
    enable(cast.curator)
    bomb = enable(cast.curator, name="Bomb", condition=BOMB, effect="blocks")
    work()
    bomb.refresh_from_db()
    assert (bomb.state, bomb.state_by, bomb.at_fault) == ("off", None, True)
    assert bomb.state_reason == "it takes more than 100,000 steps (on two)"
    assert (row("two").own_verdict, row("three").own_verdict) == ("movable", "needs-change")
    assert found("three", "ORG001")
    assert found("two", "ORG002") == found("three", "ORG002") == []
    assert set(Run.objects.values_list("state", "failed")) == {("done", 0)}
    assert not Batch.objects.exclude(state="done").exists()
    assert set(Assessment.objects.filter(current=True).values_list("catalogue", flat=True)) == {judged_by()}
    assert Run.objects.filter(about="custom rule ORG002 was switched off: it takes more than 100,000 steps").exists()
    (entry,) = Entry.objects.filter(action="custom_rule.switched_off")
    assert (entry.who_name, entry.subject, entry.details["workload"]) == ("system", "ORG002", "two")


def test_what_it_said_before_it_was_at_fault_is_judged_again(cast: Cast, few: Target) -> None:
    """It was fine on what there was; a new workload shows the fault. Its findings on the others do not stay."""
    enable(cast.curator, path="$..x", condition="true", effect="blocks")
    few_text = MOVABLE.format(name="one", replicas=1) + "x: 1\n"
    workload(cast.search, "one", text=few_text)
    work()
    assert row("one").own_verdict == "pinned"
    many = MOVABLE.format(name="many", replicas=1) + "y:\n" + "".join(f"  - x: {n}\n" for n in range(1_001))
    workload(cast.search, "many", text=many)
    assert row("many").own_verdict == "movable"
    rule = CustomRule.objects.get()
    assert rule.state_reason == "its path leads to more than 1,000 values (on many)"
    work()
    assert row("one").own_verdict == "movable"
    assert found("one") == []


def test_an_answer_that_is_no_answer_switches_off(cast: Cast, few: Target) -> None:
    enable(cast.curator, condition="value + 1", effect="blocks")
    work()
    assert CustomRule.objects.get().state_reason.startswith("its answer is a number, neither true nor false")
    assert row("two").own_verdict == row("three").own_verdict == "movable"


def test_an_absent_field_switches_nothing_off(cast: Cast, few: Target) -> None:
    enable(cast.curator, path="$", condition="document.spec.nothing.here == 1", effect="blocks")
    work()
    assert CustomRule.objects.get().state == "enabled"
    assert row("two").own_verdict == "movable"


def test_a_rule_that_is_no_longer_understood_is_switched_off(cast: Cast, few: Target) -> None:
    """As after an update of the library that reads it."""
    enable(cast.curator)
    CustomRule.objects.update(condition="value >")
    workload(cast.search, "four", 4)
    assert CustomRule.objects.get().state_reason.startswith("its condition is no longer understood: ends too early")
    assert row("four").own_verdict == "movable"


def test_two_workers_switch_it_off_once_and_an_edited_rule_not_at_all(cast: Cast, few: Target) -> None:
    rule = enable(cast.curator)
    fault = AtFault(engine_rule(rule), "it takes more than 1 s", "two")
    edited = actions.save_rule(cast.curator, 1, rule.version, values(condition="value > 9"), enable=True).rule
    assert not switch_off(fault)
    fault = AtFault(engine_rule(edited), "it takes more than 1 s", "two")
    assert switch_off(fault)
    assert not switch_off(fault)
    assert Entry.objects.filter(action="custom_rule.switched_off").count() == 1


def test_a_preview_shows_what_rules_find_and_switches_nothing_off(cast: Cast, few: Target) -> None:
    enable(cast.curator)
    enable(cast.curator, condition=BOMB, effect="blocks")
    shown = preview(content([("a.yaml", MOVABLE.format(name="a", replicas=3))], {}), "a")
    assert [f.rule for group in shown.groups.own for f in group.findings] == ["ORG001"]
    assert shown.chosen is not None
    assert shown.chosen.own_verdict == "needs-change"
    assert shown.faults == {"ORG002": "it takes more than 100,000 steps"}
    assert CustomRule.objects.filter(state="enabled").count() == 2


def test_everyone_is_told_by_the_rules_and_by_the_register(
    cast: Cast, few: Target, reader: Client, client_of: Callable[[Person | None], Client]
) -> None:
    enable(cast.curator, condition=BOMB)
    work()
    listed = reader.get("/rules/").content.decode()
    assert "was switched off: it takes more than 100,000 steps (on two)" in listed
    assert "The product switched this rule off" in reader.get("/rules/ORG001/").content.decode()
    told = "ORG001 Few replicas</a> was switched off"
    assert told in client_of(cast.curator).get("/register/").content.decode()
    assert told in reader.get("/register/").content.decode()
