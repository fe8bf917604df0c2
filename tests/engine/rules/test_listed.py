"""The rules a reader may meet: those that judge, and those worked out when shown."""

from __future__ import annotations

import re

import pytest

from portability.engine.matrices.shipped import knowledge
from portability.engine.model import Effect
from portability.engine.overdue import with_overdue
from portability.engine.rules import catalogue
from portability.engine.rules.base import Example, Rule
from tests.engine.rules.judging import judge

SHOWN = [rule for rule in catalogue.listed() if rule.scope == "shown"]
EXAMPLES = [(rule, example) for rule in SHOWN for example in rule.examples]


def test_rules_that_are_worked_out_when_shown_judge_nothing() -> None:
    assert [rule.id for rule in SHOWN] == ["KNO001"]
    assert [rule for rule in catalogue.listed() if rule not in SHOWN] == list(catalogue.rules())
    assert catalogue.rule("KNO001") is SHOWN[0]
    assert catalogue.rule("KNO999") is None


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.id)
def test_a_shown_rule_explains_itself_as_the_others_do(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z0-9-]+", rule.name) and rule.class_.isupper()
    assert len(rule.why) > 20 and len(rule.fix) > 20 and rule.reads
    assert rule.references and all(link.startswith("https://") for link in rule.references)
    assert {example.outcome for example in rule.examples} == {"hit", "miss", "unknown"}


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=lambda value: getattr(value, "says", ""))
def test_an_example_of_a_shown_rule_comes_out_as_it_says(rule: Rule, example: Example) -> None:
    assert example.as_of is not None
    judged = judge(example.manifest, workload=example.workload, target=example.target)
    shown = with_overdue(judged, knowledge(), example.as_of)
    effects = {finding.effect for finding in shown.findings if finding.rule == (example.by or rule.id)}
    assert effects == ({example.effect} if example.effect else set())
    if example.by:
        assert not [finding for finding in shown.findings if finding.rule == rule.id]


@pytest.mark.parametrize("rule", catalogue.rules(), ids=lambda rule: rule.id)
def test_a_rules_effects_are_those_its_examples_come_out_with(rule: Rule) -> None:
    found = {
        finding.effect
        for example in rule.examples
        for finding in judge(example.manifest, workload=example.workload, target=example.target).findings
        if finding.rule == rule.id
    }
    assert set(rule.effects) == found
    assert list(rule.effects) == [effect for effect in Effect if effect in found]


def test_a_title_is_the_name_in_words() -> None:
    titles = {rule.id: rule.title for rule in catalogue.listed()}
    assert titles["PLT001"] == "OS not listed for part"
    assert titles["PLT009"] == "Plugin and DRA together"
    assert titles["KNO001"] == "Knowledge overdue"
