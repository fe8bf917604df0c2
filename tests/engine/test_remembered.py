"""A judge that remembers says of each workload exactly what a new judge says, whatever it judged before."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portability.engine import remembered
from portability.engine.assess import Judge
from portability.engine.declared import parse_declared
from portability.engine.manifests import read_facts
from portability.engine.matrices.shipped import knowledge
from portability.engine.model import Declared, Facts, Finding, SiteKind
from portability.engine.rules import catalogue
from portability.engine.targets import parse_target, shipped_targets
from tests.bench.manifests import texts

EXAMPLES = [example for rule in catalogue.listed() for example in rule.examples]
MANIFESTS = sorted({example.manifest for example in EXAMPLES}) + texts(60_000, seed=7)
STATED = list({repr(e.workload): e.workload for e in EXAMPLES}.values())
TARGETS = {name: parse_target(given, name) for name, given in shipped_targets().items()}
ORDERED = st.lists(st.tuples(st.integers(0, len(MANIFESTS) - 1), st.integers(0, len(STATED) - 1)), max_size=12)


@cache
def _facts(number: int) -> Facts:
    return read_facts([(f"{number}.yaml", MANIFESTS[number])])


def _declared(stated: Mapping[str, Any]) -> Declared:
    return parse_declared({"name": "test", **stated}, "test")


@cache
def _judge(target: str) -> Judge:
    """One judge for all tests, which has seen more and more."""
    return Judge(TARGETS[target], knowledge())


@pytest.mark.parametrize("target", TARGETS)
@settings(deadline=None)  # a new judge looks at its target first
@given(ordered=ORDERED)
def test_what_was_judged_before_changes_nothing(target: str, ordered: list[tuple[int, int]]) -> None:
    for number, stated in ordered:
        facts, declared = _facts(number), _declared(STATED[stated])
        assert _judge(target).assess(facts, declared) == Judge(TARGETS[target], knowledge()).assess(facts, declared)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.skipif("PORTABILITY_CORPUS" not in os.environ, reason="PORTABILITY_CORPUS names no labelled manifests")
def test_labelled_manifests_are_judged_alike_in_either_order(target: str) -> None:
    files = sorted((Path(os.environ["PORTABILITY_CORPUS"]) / "manifests").rglob("*.yaml"))
    facts = [read_facts([(file.name, file.read_bytes())]) for file in files]
    anew = [Judge(TARGETS[target], knowledge()).assess(each, Declared()) for each in facts]
    judge = _judge(target)
    assert [judge.assess(each, Declared()) for each in facts] == anew
    assert [judge.assess(each, Declared()) for each in reversed(facts)] == anew[::-1]


def test_a_judge_that_has_forgotten_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "_ANSWERS", 3)
    judge = Judge(TARGETS["mi300x-single"], knowledge())
    for number in range(len(MANIFESTS)):
        anew = Judge(TARGETS["mi300x-single"], knowledge()).assess(_facts(number), Declared())
        assert judge.assess(_facts(number), Declared()) == anew


def test_long_words_are_judged_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    rule = catalogue.rule("ENV001")
    assert rule is not None

    def counted(*given: Any) -> list[Finding]:
        asked.append(given[1].value)
        return []

    monkeypatch.setattr("portability.engine.assess._workload_rules", lambda: (replace(rule, at=counted),))
    judge = Judge(TARGETS["mi300x-single"], knowledge())
    for value in ("short", "l" * 10_000, "short", "l" * 10_000):
        judge.assess(read_facts([("a.yaml", _POD % value)]), Declared())
    assert [value[:5] for value in asked] == ["short", "lllll", "lllll"]


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers: [{name: main, image: "python:3.12", env: [{name: SETTING, value: %s}]}]
"""


def test_a_rule_on_sites_reads_kinds_and_a_rule_without_does_not() -> None:
    for rule in catalogue.rules():
        assert bool(rule.at) == bool(rule.kinds), rule.id
        assert rule.at or not rule.weigh, rule.id
        assert rule.at or rule.serving or rule.check, rule.id
    assert {kind for rule in catalogue.rules() for kind in rule.kinds} == set(SiteKind)
