"""Every rule explains itself and comes with examples, and each example comes out as it says."""

from __future__ import annotations

import re
import sys
from types import ModuleType

import pytest

from portability.engine.model import Effect
from portability.engine.rules import catalogue
from portability.engine.rules.base import Example, Rule
from portability.engine.vendor_rows.rows import shipped
from tests.engine.rules.judging import found

RULES = catalogue.rules()
EXAMPLES = [(rule, example) for rule in RULES for example in rule.examples]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_explains_itself(rule: Rule) -> None:
    assert re.fullmatch(r"[A-Z]{3}\d{3}", rule.id)
    assert re.fullmatch(r"[a-z0-9-]+", rule.name)
    assert rule.class_.isupper()
    assert len(rule.why) > 20
    assert len(rule.fix) > 20
    assert rule.reads
    assert rule.references
    assert all(link.startswith("https://") for link in rule.references)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_has_examples_of_the_three_outcomes(rule: Rule) -> None:
    assert {example.outcome for example in rule.examples} == {"hit", "miss", "unknown"}
    assert all(example.says for example in rule.examples)


def _name(value: object) -> str:
    return (
        value.id if isinstance(value, Rule) else f"{value.outcome}-{value.says}" if isinstance(value, Example) else ""
    )


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=_name)
def test_an_example_comes_out_as_it_says(rule: Rule, example: Example) -> None:
    findings = found(example.by or rule.id, example.manifest, workload=example.workload, target=example.target)
    effects = {finding.effect for finding in findings}
    if example.outcome == "miss":
        assert not findings
    elif example.outcome == "hit":
        assert example.effect is not None, "an example that hits says with which effect"
        assert example.effect in effects
    else:  # asked about, noted, or left to the rule that `says` names: never claimed
        assert effects <= {Effect.CONFIRM, Effect.NOTE}
        assert example.effect in {None, *effects}
    assert all(finding.reason and finding.remedy for finding in findings)


def test_ids_and_names_are_used_once() -> None:
    assert len({rule.id for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)


def test_the_order_is_stable() -> None:
    assert [rule.id for rule in RULES] == sorted(rule.id for rule in RULES)


def test_an_id_used_twice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    twin = ModuleType("portability.engine.rules.zz_twin")
    twin.RULE = RULES[0]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, twin.__name__, twin)
    names = [*catalogue.modules(), twin.__name__]
    with pytest.raises(ValueError, match=f"rule {RULES[0].id} is defined twice"):
        catalogue.collect(names)


def test_the_digest_follows_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    before = catalogue.digest()
    catalogue.digest.cache_clear()
    more = shipped().with_extra([next(iter(shipped()))])
    monkeypatch.setattr(catalogue, "shipped", lambda: more)
    try:
        assert catalogue.digest() != before
    finally:
        catalogue.digest.cache_clear()
