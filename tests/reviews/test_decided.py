"""The decided verdict: the engine's with waived findings counted as notes, or the reviewer's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portability.engine.assess import verdict_of
from portability.engine.model import Effect, Verdict
from portability.register.models import Row
from portability.reviews import findings
from portability.reviews.decided import with_decided
from portability.reviews.models import Decided, Review
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import TODAY, decided, entry_of, target, waived

BEST = {"not-assessed": -1, "pinned": 0, "needs-change": 1, "movable": 2}

Finding = dict[str, Any]


def _finding(effect: str, rule: str, path: str, value: str, cell: str) -> Finding:
    resource = {"kind": "Deployment", "namespace": "", "name": "serving"}
    evidence = [
        {"source": "vllm-features", "version": "", "read": "2026-08-07", "cell": "a", "value": cell, "link": ""}
    ]
    where = {"file": "serving.yaml", "line": 7, "pointer": f"0:/{path}", "path": path, "resource": resource}
    return {"rule": rule, "effect": effect, "value": value, "evidence": evidence, "about": "workload", **where}


found = st.builds(
    _finding,
    st.sampled_from([e.value for e in Effect]),
    st.sampled_from(["IMG001", "RES001", "SRV001"]),
    st.sampled_from(["spec/a", "spec/b"]),
    st.sampled_from(["x", "y"]),
    st.sampled_from(["supported", "unsupported"]),
)
several = st.lists(found, max_size=6)
missing = st.sampled_from([[], ["values.yaml:1: a template"]])


def engine(some: Sequence[Finding], absent: Sequence[str]) -> str:
    """The engine's verdict."""
    return verdict_of({Effect(f["effect"]) for f in some}, bool(absent)).value


@given(several, missing)
def test_with_nothing_waived_it_is_the_engines(some: list[Finding], absent: list[str]) -> None:
    assert findings.waived_verdict(some, absent, set()) == engine(some, absent)


@given(several, missing, st.data())
def test_waiving_more_never_makes_it_worse(some: list[Finding], absent: list[str], data: st.DataObject) -> None:
    marks = [findings.mark(f) for f in some]
    fewer = data.draw(st.sets(st.sampled_from(marks))) if marks else set()
    more = fewer | (data.draw(st.sets(st.sampled_from(marks))) if marks else set())
    before, after = (findings.waived_verdict(some, absent, waived) for waived in (fewer, more))
    assert BEST[after] >= BEST[before] or after == "not-assessed"


@given(several, st.data())
def test_a_waived_blocks_never_makes_it_movable(some: list[Finding], data: st.DataObject) -> None:
    marks = {findings.mark(f) for f in some}
    waived = data.draw(st.sets(st.sampled_from(sorted(marks)))) if marks else set()
    if any(f["effect"] == "blocks" for f in some):
        assert findings.waived_verdict(some, [], waived) != Verdict.MOVABLE


@given(several, missing)
def test_what_is_not_assessed_is_never_waived_into_an_answer(some: list[Finding], absent: list[str]) -> None:
    verdict = findings.waived_verdict(some, absent, {findings.mark(f) for f in some})
    assert (verdict == Verdict.NOT_ASSESSED) == bool(absent)


@given(several, several, missing)
def test_waiving_what_is_not_found_changes_nothing(
    some: list[Finding], other: list[Finding], absent: list[str]
) -> None:
    there = {findings.mark(f) for f in some}
    elsewhere = {findings.mark(f) for f in other} - there
    assert findings.waived_verdict(some, absent, elsewhere) == engine(some, absent)


@given(found, st.integers(1, 999), st.text(max_size=9), st.dates().map(str), st.text(max_size=9))
def test_line_file_pointer_and_the_day_of_a_reading_are_no_cause(
    one: Finding, line: int, file: str, read: str, version: str
) -> None:
    evidence = [{**one["evidence"][0], "read": read, "version": version}]
    other = {**one, "line": line, "file": file, "pointer": f"3:/{file}", "evidence": evidence}
    assert findings.mark(other) == findings.mark(one)


@given(found, found)
def test_another_value_effect_or_cell_is_another_mark(one: Finding, other: Finding) -> None:
    told = [(f["rule"], f["path"], f["value"], f["effect"], f["evidence"][0]["value"]) for f in (one, other)]
    assert (findings.mark(one) == findings.mark(other)) == (told[0] == told[1])


@given(several, missing, st.randoms())
def test_a_basis_knows_no_order_and_no_notes(some: list[Finding], absent: list[str], dice: Any) -> None:
    shuffled = [f for f in some if f["effect"] != "note"]
    dice.shuffle(shuffled)
    verdict = engine(some, absent)
    assert findings.basis(verdict, shuffled, absent) == findings.basis(verdict, some, absent)


@pytest.mark.database
def test_the_register_carries_both_and_filters_by_either(cast: Cast, review: Review, chat: Workload) -> None:
    rows: Any = with_decided(Row.objects.filter(target=target()), TODAY)
    assert rows.get().decided_verdict == "needs-change"
    decision = decided(
        cast.architect,
        entry_of(review, chat),
        kind="otherwise",
        verdict="movable",
        reason="It ran.",
        evidence="Rehearsed.",
    )
    assert list(rows.filter(decided_verdict="movable").values_list("verdict", "own_decision", "waived")) == [
        ("needs-change", decision.pk, 0)
    ]
    assert not rows.filter(decided_verdict="needs-change").exists()
    waived(cast.architect, entry_of(review, chat), "IMG001")
    assert list(rows.values_list("decided_verdict", "own_decision", "waived")) == [("movable", decision.pk, 1)]


@pytest.mark.database
def test_agreeing_leaves_the_register_as_it_is(cast: Cast, review: Review, chat: Workload) -> None:
    decided(cast.architect, entry_of(review, chat))
    decided(cast.architect, entry_of(review, chat), kind="stays", reason="It stays.")
    assert not Decided.objects.exists()
