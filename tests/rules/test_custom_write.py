"""Writing custom rules: who may, what is kept, what is judged again, and two people at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.refused import Refused
from portability.register.models import Assessment, Run
from portability.rules.custom import actions
from portability.rules.models import CustomRule
from portability.rules.queries import judged_by
from portability.targets.models import Target
from tests.conftest import Cast
from tests.register.generate import make_target
from tests.rules.custom import VALUES, enable, found, row, values, work, workload

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_an_enabled_rule_judges_and_says_why(cast: Cast, few: Target) -> None:
    saved = actions.add_rule(cast.curator, values(), enable=True)
    assert (saved.rule.label, saved.rule.state) == ("ORG001", "enabled")
    assert saved.run is not None
    assert (saved.run.cause, saved.run.about, saved.run.total) == ("custom", "custom rule ORG001 was added", 2)
    work()
    assert (row("two").own_verdict, row("three").own_verdict) == ("movable", "needs-change")
    (finding,) = found("three")
    assert finding["reason"] == "The second site has two nodes."
    assert (finding["file"], finding["line"], finding["path"]) == ("serving.yaml", 5, "spec/replicas")
    assert found("two") == []
    three = row("three")
    assert "|ORG001|" in three.rules
    assert "ORG001: Run two." in three.what_to_change
    assert "organisation-rule, entered" in three.evidence


def test_a_verdict_that_it_moves_says_what_moved_it(cast: Cast, few: Target) -> None:
    enable(cast.curator, effect="blocks")
    work()
    assert (row("three").verdict, row("three").moved_cause) == ("pinned", "custom")


def test_a_draft_judges_nothing_and_starts_nothing(cast: Cast, few: Target) -> None:
    before = judged_by()
    saved = actions.add_rule(cast.administrator, values(), enable=False)
    assert (saved.rule.state, saved.run) == ("draft", None)
    assert judged_by() == before


def test_every_save_is_kept_with_all_its_words(cast: Cast, few: Target) -> None:
    rule = enable(cast.curator)
    actions.save_rule(cast.administrator, 1, rule.version, values(condition="value > 5"), enable=True)
    first, second = Entry.objects.filter(action__startswith="custom_rule.").order_by("pk")
    assert (first.action, first.who_name, first.subject) == ("custom_rule.added", "curator", "ORG001")
    assert first.details == {**VALUES, "state": "enabled"}
    assert (second.action, second.who_name) == ("custom_rule.saved", "administrator")
    assert second.details == {**VALUES, "condition": "value > 5", "state": "enabled"}


@pytest.mark.parametrize("name", ["viewer", "member", "architect"])
def test_others_may_not(cast: Cast, few: Target, name: str) -> None:
    person: Person = getattr(cast, name)
    rule = enable(cast.curator)
    attempts: list[Callable[[], object]] = [
        lambda: actions.add_rule(person, values(), enable=False),
        lambda: actions.save_rule(person, 1, rule.version, values(name="Other"), enable=True),
        lambda: actions.switch_off_rule(person, 1, rule.version, "because"),
        lambda: actions.remove_rule(person, 1, rule.version),
    ]
    for attempt in attempts:
        with pytest.raises(PermissionDenied):
            attempt()
    assert CustomRule.objects.get().version == rule.version


def test_saving_what_is_there_changes_nothing(cast: Cast, few: Target) -> None:
    rule = enable(cast.curator)
    runs = Run.objects.count()
    saved = actions.save_rule(cast.curator, 1, rule.version, values(), enable=True)
    assert (saved.rule.version, saved.run, Run.objects.count()) == (rule.version, None, runs)


def test_whoever_is_second_is_told(cast: Cast, few: Target) -> None:
    rule = enable(cast.curator)
    actions.save_rule(cast.administrator, 1, rule.version, values(name="Other"), enable=True)
    attempts: list[Callable[[], object]] = [
        lambda: actions.save_rule(cast.curator, 1, rule.version, values(name="Mine"), enable=True),
        lambda: actions.switch_off_rule(cast.curator, 1, rule.version, "because"),
        lambda: actions.remove_rule(cast.curator, 1, rule.version),
    ]
    for attempt in attempts:
        with pytest.raises(actions.Conflict) as told:
            attempt()
        assert told.value.rule.name == "Other"


def test_a_rule_switched_off_judges_no_more_and_says_why(cast: Cast, few: Target) -> None:
    rule = enable(cast.curator)
    work()
    with pytest.raises(Refused, match="why"):
        actions.switch_off_rule(cast.curator, 1, rule.version, "  ")
    off = actions.switch_off_rule(cast.curator, 1, rule.version, "The second site grew.").rule
    work()
    assert (off.state, off.state_reason, off.state_by, off.at_fault) == (
        "off",
        "The second site grew.",
        cast.curator,
        False,
    )
    assert row("three").own_verdict == "movable"
    assert found("three") == []


def test_it_can_be_enabled_again(cast: Cast, few: Target) -> None:
    rule = enable(cast.curator)
    off = actions.switch_off_rule(cast.curator, 1, rule.version, "The second site grew.").rule
    again = actions.save_rule(cast.curator, 1, off.version, values(), enable=True)
    assert (again.rule.state, again.rule.state_reason) == ("enabled", "")
    assert again.run is not None
    assert again.run.about == "custom rule ORG001 was enabled"


def test_a_number_means_one_rule_for_ever(cast: Cast, few: Target) -> None:
    rule = enable(cast.curator)
    work()
    actions.remove_rule(cast.curator, 1, rule.version)
    work()
    assert row("three").own_verdict == "movable"
    assert enable(cast.curator).label == "ORG002"
    with pytest.raises(actions.Conflict):
        actions.save_rule(cast.curator, 1, 2, values(), enable=True)


def test_only_what_is_touched_is_judged_again(cast: Cast, few: Target) -> None:
    """A rule for NVIDIA targets leaves the AMD one's assessments standing, and none of them out of date."""
    other = make_target("h100", default=False)
    other.vendor, other.spec = "nvidia", {"name": "h100", "vendor": "nvidia", "part": "h100"}
    other.save()
    before = set(Assessment.objects.filter(current=True).values_list("pk", flat=True))
    saved = actions.add_rule(cast.curator, values(applies_to="nvidia"), enable=True)
    assert saved.run is not None
    assert saved.run.total == 2
    work()
    assert found("three", target="h100")
    assert found("three") == []
    assert before <= set(Assessment.objects.filter(current=True, catalogue=judged_by()).values_list("pk", flat=True))


def test_what_is_not_understood_is_refused_whoever_sends_it(cast: Cast, few: Target) -> None:
    with pytest.raises(Refused) as refused:
        actions.add_rule(cast.curator, values(path="spec.replicas"), enable=True)
    assert refused.value.field == "path"
    with pytest.raises(Refused) as refused:
        actions.add_rule(cast.curator, values(condition="value >"), enable=True)
    assert refused.value.field == "condition"
    assert not CustomRule.objects.exists()


def test_no_more_are_enabled_than_can_be_judged_by(cast: Cast, few: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MAX_ENABLED", 1)
    enable(cast.curator)
    with pytest.raises(Refused, match="1 rules are enabled"):
        enable(cast.curator, condition="value > 7")
    assert actions.add_rule(cast.curator, values(condition="value > 7"), enable=False).rule.state == "draft"


def test_a_new_revision_is_judged_by_it(cast: Cast, few: Target) -> None:
    enable(cast.curator)
    workload(cast.search, "four", 4)
    assert row("four").own_verdict == "needs-change"


def test_a_rule_that_is_sent_twice_is_one(cast: Cast, few: Target) -> None:
    """By a double click, or from a page one went back to. Once it is removed it may be written again."""
    first = actions.add_rule(cast.curator, values(), enable=True).rule
    with pytest.raises(Refused, match="ORG001, Few replicas, asks exactly this already") as refused:
        actions.add_rule(cast.administrator, values(name="Another name", effect="note"), enable=False)
    assert refused.value.field == "condition"
    actions.add_rule(cast.curator, values(applies_to="amd"), enable=True)
    actions.remove_rule(cast.curator, first.number, first.version)
    assert actions.add_rule(cast.curator, values(), enable=True).rule.label == "ORG003"
