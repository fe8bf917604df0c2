"""Hostile paths and conditions: refused when they are read, or stopped within a second or so; never anything else."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from portability.engine.custom_rules.bounds import MAX_CONDITION, MAX_PATH, Exceeded, Meter
from portability.engine.custom_rules.evaluation import Fault, Outcome, compile_rule, evaluate
from portability.engine.custom_rules.trees import DocumentTree
from portability.engine.errors import InputError
from tests.engine.custom_rules.asking import MI300X, ask, rule, trees

SOON = 3.0  # seconds: the bound is one, and what a machine that tests beside this one takes


def within(path: str, condition: str, value: Any) -> Outcome | Fault:
    """The answer, which must come soon."""
    compiled = compile_rule(rule(path, condition))
    documents = [DocumentTree("f", 0, value, _lines(value))]
    started = time.thread_time()
    answer = evaluate(compiled, documents, MI300X)
    assert time.thread_time() - started < SOON
    return answer


def deep(levels: int) -> list[Any]:
    """Lists in lists, ten numbers beside each."""
    whole: list[Any] = []
    inside = whole
    for _ in range(levels):
        inner: list[Any] = []
        inside += [inner, list(range(10))]
        inside = inner
    return whole


HUNDRED = "[" + ",".join(["value"] * 10) + "]"


@pytest.mark.parametrize(
    ("path", "condition", "value"),
    [
        ("$..[?@..[?@..[?@..[?@..x]]]]", "true", deep(95)),
        ("$" + "..*" * 6, "false", deep(95)),
        ("$..*", "true", [[n] for n in range(5_000)]),
        ("$[?count($..*) == 1]", "true", [list(range(100)) for _ in range(2_000)]),
        ("$[?$[0] == $[1]]", "true", [list(range(100_000)), list(range(100_000))] + [1] * 20_000),
        (
            "$",
            f"{HUNDRED}.all(a, {HUNDRED}.all(b, {HUNDRED}.all(c, {HUNDRED}.all(d, {HUNDRED}.all(e,"
            f" {HUNDRED}.all(f, true))))))",
            1,
        ),
        ("$", "value.map(a, value.map(b, value.map(c, [a, b, c]))).size() > 0", list(range(500))),
        ("$", "['aaaaaaaaaa']" + ".map(x, x + x)" * 50 + " == []", 1),
        ("$", "[value]" + ".map(x, x + x)" * 50 + " == []", [1, 2, 3]),
        ("$", "value == document", [list(range(100_000))]),
        ("$", "value.exists(x, 'b' in value)", ["a"] * 5_000),
        ("$[*]", r"value.matches('(a?){100}(a{0,20}){10}$')", ["a" * 4_000_000 + "b"] * 20),
        ("$[*]", "value.contains('aaaaaaaaaaab')", ["a" * 4_000_000] * 200),
        ("$", "document.x.y == 1 || value.all(x, document.x.y == 1)", {"x": list(range(90_000))}),
    ],
)
def test_what_takes_too_long_is_stopped(path: str, condition: str, value: Any) -> None:
    answer = within(path, condition, value)
    assert isinstance(answer, Fault)
    assert "more than" in answer.why


def test_a_regular_expression_cannot_run_away() -> None:
    answer = within("$", "value.matches('^(a+)+$')", "a" * 100_000 + "b")
    assert isinstance(answer, Outcome)
    assert answer.findings == ()


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("path", "spec.replicas", "starts with $"),
        ("path", "$..[", "unbalanced brackets"),
        ("path", "$" + ".a" * MAX_PATH, "at most 300"),
        ("path", "$[?" + "!" * 250 + "@.a]", "more than 20"),
        ("path", "$" + "[?@" * 25 + "]" * 25, "more than 20"),
        ("path", "$[?match(@.a, '(a+)+')]", "value.matches"),
        ("path", "$[?@.a == 1e999]", "cannot be read"),
        ("condition", "", "is empty"),
        ("condition", "true" + " " * MAX_CONDITION + "|| true", "at most 1,000"),
        ("condition", "value == 'a", "not closed"),
        ("condition", '"' + "\\a" * 400, "not closed"),
        ("condition", "'" + "\\a" * 100 + "\n'", "not closed"),
        ("condition", "'''a'''", "on one line"),
        ("condition", "b'a' == b'a'", "without b"),
        ("condition", "value ==", "ends too early"),
        ("condition", "value = 1", "not understood from '= 1' on (at character 7)"),
        ("condition", "value ==\n  unknown", "at line 2, character 3"),
        ("condition", "name == 'a'", "'name' is not known here; there are document, target, value"),
        ("condition", "[1].map(x, y > 0)", "'y' is not known here"),
        ("condition", "value.exists(x, x > 0) && x > 0", "'x' is not known here"),
        ("condition", "value.map(x)", "takes a name"),
        ("condition", "value.map(1, 2)", "takes a name"),
        ("condition", "timestamp(value)", "there is no function timestamp"),
        ("condition", "value.reduce(a, b, 0, a + b)", "there is no .reduce()"),
        ("condition", "value.matches('(((')", "no regular expression"),
        ("condition", "value.matches(target.vendor)", "write the pattern out"),
        ("condition", "value.matches('(a{1,90}){1,10}b{900}')", "repeats too much"),
        ("condition", "has(value)", "has takes a field"),
        ("condition", "99999999999999999999 > value", "too large"),
        ("condition", "(" * 30 + "true" + ")" * 30, "more than 20"),
        ("condition", "!" * 900 + "true", "more than 60"),
        ("condition", "||".join(["value=='a'"] * 80), "more than 60"),
        ("condition", ".value", "leading dot"),
        ("condition", "Thing{a: 1}", "messages"),
    ],
)
def test_what_is_refused_is_told_where_and_why(field: str, text: str, said: str) -> None:
    written = rule(text) if field == "path" else rule("$", text)
    started = time.thread_time()
    with pytest.raises(InputError) as refused:
        compile_rule(written)
    assert time.thread_time() - started < 1
    assert refused.value.file == field
    assert said in refused.value.message


def test_the_meter_counts_and_stops() -> None:
    meter = Meter(steps=10)
    meter.tick(10)
    assert meter.used == 10
    with pytest.raises(Exceeded, match="more than 10 steps"):
        meter.tick()
    with pytest.raises(Exceeded, match="more than 0 s"):
        Meter(seconds=0).tick()


PATH_PARTS = st.sampled_from(
    ["$", "@", ".", "..", "*", "[", "]", "(", ")", "?", "a", "containers", "'a'", '"', "0", "-1", "1:", "::2", ",",
     "==", "<", "&&", "||", "!", "length", "count(", "value(", "match(", "1e99", "1e999", "null", "true", " ", "\\"]
)  # fmt: skip
CONDITION_PARTS = st.sampled_from(
    ["value", "document", "target", "x", "(", ")", "[", "]", "{", "}", ".", ",", ":", "?", "==", "!=", "<", ">=", "&&",
     "||", "!", "-", "+", "*", "/", "%", " in ", "'a'", "'", '"', "\\", "r'", "b'a'", "1", "0.5", "1u", "0x1f", "null",
     "true", "has(", "size(", "int(", ".map(x,", ".exists(x,", ".all(x,", ".matches('a+')", ".size()", "value.a", "//",
     "\n", " ", "string(value)", "double('x')", "value[0]", "value['a']", "{'a': 1}", "[1, 2]", "'\\x4'", "'\\u12'"]
)  # fmt: skip


def _any_answer(path: str, condition: str) -> None:
    try:
        compiled = compile_rule(rule(path, condition))
    except InputError as refused:
        assert refused.file in ("path", "condition")
        assert refused.message
        return
    assert isinstance(evaluate(compiled, trees(), MI300X, steps=5_000), Outcome | Fault)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PATH_PARTS, max_size=25).map("".join) | st.text(max_size=60))
@example("$..*..*..*")
def test_any_path_is_refused_or_answered(path: str) -> None:
    _any_answer(path if path.startswith("$") else "$" + path, "true")


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(CONDITION_PARTS, max_size=25).map("".join) | st.text(max_size=60))
@example("value.map(x,x).map(x,value)")
def test_any_condition_is_refused_or_answered(condition: str) -> None:
    _any_answer("$..*", condition)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(JSON)
def test_any_document_is_answered_without_a_fault(value: Any) -> None:
    """Values of any kind: what a condition cannot take is counted, and switches no rule off."""
    compiled = compile_rule(rule("$..*", "value.a > 1 && value.b.startsWith('x') || size(value) > 3"))
    answer = evaluate(compiled, [DocumentTree("f", 0, value, _lines(value))], MI300X)
    assert isinstance(answer, Outcome)


def _lines(value: Any) -> Any:
    if isinstance(value, dict):
        return [1, {k: _lines(v) for k, v in value.items()}]
    return [1, [_lines(v) for v in value]] if isinstance(value, list) else 1


def test_a_deep_manifest_is_read_and_answered() -> None:
    text = "a:\n" + "".join("  " * n + "a:\n" for n in range(1, 95))
    assert isinstance(ask("$..a", "has(value.a)", text), Outcome)
