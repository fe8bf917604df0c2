"""A judge that remembers says of a workload what one says that asks every rule anew, whatever it judged before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Concatenate, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portability.engine import remembered
from portability.engine.assess import Judge
from portability.engine.declared import parse_declared
from portability.engine.manifests import read_facts
from portability.engine.matrices.knowledge import Knowledge, Ledger
from portability.engine.matrices.shipped import knowledge
from portability.engine.model import Assessment, Declared, Facts, Finding, SiteKind, Target
from portability.engine.rules import catalogue
from portability.engine.rules.base import Context, Ground, Rule, Said
from portability.engine.rules.subjects import subjects
from portability.engine.targets import parse_target, shipped_targets
from portability.engine.vendor_rows.rows import VendorRows
from tests.bench.manifests import texts

T = TypeVar("T")
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
    judge = Judge(TARGETS[target], knowledge())
    judge.assess(Facts(), Declared())
    return judge


class Plainly(Ground):
    """A ground on which nothing is kept."""

    def once(self, work: Callable[Concatenate[Ground, ...], T], *about: str) -> T:
        return work(self, *about)


class Forgetful:
    """Stands for `Remembered`: every rule on every site of every workload, with the real places."""

    def __init__(self, target: Target, published: Knowledge, rows: VendorRows, rules: Iterable[Rule]) -> None:
        self.rules = list(rules)
        self.known: dict[Any, Any] = {}
        ledger = Ledger(published)
        for rule in self.rules:
            if rule.asks:
                rule.asks(Plainly(target, ledger, rows, {}))
        self.asked_anyway = ledger.asked

    def of_sites(self, ctx: Context) -> Iterator[Finding]:
        ground = Plainly(ctx.target, ctx.ledger, ctx.rows, {})
        for rule in self.rules:
            for site in ctx.facts.sites if rule.at else ():
                for finding in rule.at(ground, Said.of(site)) if rule.at and site.kind in rule.kinds else ():
                    placed: Finding | None = finding._replace(place=site.place)
                    if placed and rule.weigh:
                        placed = rule.weigh(ctx, site, placed)
                    if placed:
                        yield placed

    def of_served(self, ctx: Context) -> Iterator[Finding]:
        ground = Plainly(ctx.target, ctx.ledger, ctx.rows, {})
        for rule in self.rules:
            if rule.serving:
                yield from rule.serving(ground, subjects(ctx))


def _plainly(target: str, facts: Facts, declared: Declared) -> Assessment:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("portability.engine.assess.Remembered", Forgetful)
        return Judge(TARGETS[target], knowledge()).assess(facts, declared)


@pytest.mark.parametrize("target", TARGETS)
@settings(deadline=None)  # a new judge looks at its target first
@given(ordered=ORDERED)
def test_what_was_judged_before_changes_nothing(target: str, ordered: list[tuple[int, int]]) -> None:
    for number, stated in ordered:
        facts, declared = _facts(number), _declared(STATED[stated])
        assert _judge(target).assess(facts, declared) == _plainly(target, facts, declared)


@pytest.mark.parametrize("target", TARGETS)
def test_every_manifest_is_judged_alike_in_either_order(target: str) -> None:
    facts = [_facts(number) for number in range(len(MANIFESTS))]
    plainly = [_plainly(target, each, Declared()) for each in facts]
    judge = Judge(TARGETS[target], knowledge())
    assert [judge.assess(each, Declared()) for each in facts] == plainly
    assert [judge.assess(each, Declared()) for each in reversed(facts)] == plainly[::-1]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.skipif("PORTABILITY_CORPUS" not in os.environ, reason="PORTABILITY_CORPUS names no labelled manifests")
def test_labelled_manifests_are_judged_alike(target: str) -> None:
    files = sorted((Path(os.environ["PORTABILITY_CORPUS"]) / "manifests").rglob("*.yaml"))
    for file in files:
        facts = read_facts([(file.name, file.read_bytes())])
        assert _judge(target).assess(facts, Declared()) == _plainly(target, facts, Declared())


def test_a_judge_that_has_forgotten_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "_ON_WORDS", 3)
    monkeypatch.setattr(remembered, "_ON_SERVED", 2)
    judge = Judge(TARGETS["mi300x-single"], knowledge())
    for number in range(len(MANIFESTS)):
        assert judge.assess(_facts(number), Declared()) == _plainly("mi300x-single", _facts(number), Declared())


def test_threads_may_share_a_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "_ON_WORDS", 20)  # it forgets all the time
    numbers = list(range(len(MANIFESTS))) * 4
    plainly = {number: _plainly("mi300x-single", _facts(number), Declared()) for number in set(numbers)}
    judge = Judge(TARGETS["mi300x-single"], knowledge())
    with ThreadPoolExecutor(8) as threads:
        judged = threads.map(lambda number: judge.assess(_facts(number), Declared()), numbers)
        assert list(judged) == [plainly[number] for number in numbers]


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
