"""Conditions: exactly an object of lists of words, in two spellings; and when two may both hold."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portability.engine.matrices.importers.conditions import (
    ConditionError,
    Conditions,
    from_json,
    from_pairs,
    may_both_hold,
    of_attributes,
    together,
)
from portability.engine.matrices.importers.parts import known_parts

PARTS: list[dict[str, str]] = [
    {"gpu": "mi300x", "gfx": "gfx942", "fam": "instinct"},
    {"gpu": "rx-7600", "gfx": "gfx1102", "fam": "radeon"},
]
LETTERS = st.text("abcxyz-", min_size=1, max_size=8).map(lambda word: f"a{word}")
NUMBERED = st.integers(100, 999)
VALUES = {
    "os": LETTERS,
    "fam": LETTERS,
    "gpu": st.builds("{}{}".format, LETTERS, NUMBERED),
    "gfx": NUMBERED.map("gfx{}".format),
}
CONDITIONS = st.fixed_dictionaries(
    {}, optional={key: st.lists(value, min_size=1, max_size=4, unique=True).map(tuple) for key, value in VALUES.items()}
).filter(bool)


@given(CONDITIONS)
def test_both_spellings_say_the_same(conditions: Conditions) -> None:
    pairs = " ".join(f"{key}={value}" for key, values in conditions.items() for value in values)
    assert from_pairs(pairs) == from_json(json.dumps(conditions)) == conditions


@given(
    st.text(max_size=60)
    | st.recursive(
        st.none() | st.integers() | st.text(max_size=5), lambda s: st.lists(s) | st.dictionaries(st.text(max_size=5), s)
    ).map(json.dumps)
)
def test_anything_else_is_refused_and_never_fails_otherwise(raw: str) -> None:
    for read in (from_json, from_pairs):
        try:
            found = read(raw)
        except ConditionError as error:
            assert "\n" not in str(error)
        else:
            assert found and all(values for values in found.values())


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "{}",
        "[]",
        "null",
        "0",
        '"os"',
        "{",
        '{"os": "rhel"}',
        '{"os": []}',
        '{"os": [1]}',
        '{"os": [["rhel"]]}',
        '{"os": {}}',
        '{"os": ["rhel"], "os": ["sles"]}',
        '{"os": ["RHEL"]}',
        '{"os": ["rhel "]}',
        '{"os": [""]}',
        '{"x": ["rhel"]}',
        "[" * 100_000,
        "{'os': ['rhel']}",
        '{"os": ["rhel"]} {}',
        "{&quot;os&quot;: [&quot;rhel&quot;]}",
        '{"os": ["rhel", null]}',
    ],
)
def test_what_is_no_condition(raw: str) -> None:
    with pytest.raises(ConditionError):
        from_json(raw)


@pytest.mark.parametrize(
    "raw", ["", " ", "os", "os=", "=rhel", "os=rhel sles", "os=RHEL", "os==rhel", "w=compute", "not os=rhel"]
)
def test_what_are_no_pairs(raw: str) -> None:
    with pytest.raises(ConditionError):
        from_pairs(raw)


def test_an_older_spelling_of_targets() -> None:
    assert from_pairs("gfx=942 gfx=90a gfx=gfx950 gfx=1201") == {"gfx": ("gfx942", "gfx90a", "gfx950", "gfx1201")}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("data-show-con", "x"),
        ("data-sow-cnd", "x"),
        ("show-cond", "x"),
        ("data-x", "{"),
        ("data-when", ""),
        ("data-if", "os=rhel"),
    ],
)
def test_an_attribute_that_may_be_a_damaged_condition(name: str, value: str) -> None:
    with pytest.raises(ConditionError, match="may be a damaged condition"):
        of_attributes({"class": "x", name: value}, known=frozenset({"class"}), prefix="data-")


def test_other_attributes_do_not_matter() -> None:
    assert of_attributes({"class": "x", "data-bs-theme": "dark"}, known=frozenset({"class"}), prefix="data-") is None


def test_all_conditions_at_once() -> None:
    assert together(None, {"os": ("a", "b")}, {"os": ("b", "c"), "gpu": ("x",)}) == {"os": ("b",), "gpu": ("x",)}
    assert together(None, None) is None
    with pytest.raises(ConditionError, match="exclude each other"):
        together({"os": ("a",)}, {"os": ("b",)})


@pytest.mark.parametrize(
    ("a", "b", "both"),
    [
        ({}, {}, True),
        ({"gpu": ("mi300x",)}, {}, True),
        ({"gpu": ("mi300x",)}, {"os": ("rhel",)}, True),
        ({"gpu": ("mi300x",)}, {"gpu": ("mi300a",)}, False),
        ({"gpu": ("mi300x",), "os": ("rhel",)}, {"gpu": ("mi300x",), "os": ("sles",)}, False),
        ({"gpu": ("mi300x",)}, {"gfx": ("gfx942",)}, True),
        ({"gpu": ("mi300x",)}, {"gfx": ("gfx1102",)}, False),
        ({"gfx": ("gfx942", "gfx1250")}, {"fam": ("radeon",)}, False),
        ({"gfx": ("gfx942",)}, {"fam": ("instinct",)}, True),
        ({"gfx": ("gfx942",), "fam": ("radeon",)}, {"gfx": ("gfx942",)}, False),
        ({"gfx": ("gfx1250",), "fam": ("radeon",)}, {"gfx": ("gfx1250",)}, True),
    ],
)
def test_whether_two_may_both_hold(a: Conditions, b: Conditions, both: bool) -> None:
    assert may_both_hold(a, b, PARTS) is may_both_hold(b, a, PARTS) is both


@given(CONDITIONS, CONDITIONS)
def test_what_holds_for_a_known_part_is_found(a: Conditions, b: Conditions) -> None:
    part = {**PARTS[0], "os": "rhel"}
    a, b = ({key: (*values, part[key]) for key, values in each.items()} for each in (a, b))
    assert may_both_hold(a, b, PARTS)


def test_known_parts_have_a_target_and_a_family() -> None:
    assert {"gpu": "mi300x", "gfx": "gfx942", "fam": "instinct"} in known_parts()
    assert {part["fam"] for part in known_parts()} == {"instinct", "radeon", "ryzen", "nvidia"}
