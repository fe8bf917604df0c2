"""Versions are compared by components at the precision of the cell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portability.engine.rules.asking import in_range
from portability.engine.versions import compare, components, less_precise, matches, nearest, newest

NUMBERS = st.lists(st.integers(0, 400), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("version", "cell", "same"),
    [
        ("6.8.0-45-generic", "6.8", True),
        ("6.17", "6.1", False),
        ("6.1", "6.17", False),
        ("1.40", "1.4", False),
        ("5.14.0-570.12.1.el9", "5.14.0-570", True),
        ("5.14.0-57", "5.14.0-570", False),
        ("v0.23.0", "0.23", True),
        ("0.23", "0.23.0", False),
        ("24.04", "24.04.4", False),
        ("", "1.2", False),
        ("1.2", "", False),
    ],
)
def test_matches(version: str, cell: str, same: bool) -> None:
    assert matches(version, cell) is same


@pytest.mark.parametrize(
    ("version", "cell", "less"), [("24.04", "24.04.4", True), ("24.4", "24.04.4", True), ("22.04", "24.04.4", False)]
)
def test_less_precise(version: str, cell: str, less: bool) -> None:
    assert less_precise(version, cell) is less


@pytest.mark.parametrize(
    ("left", "right", "order"), [("1.4", "1.40", -1), ("7.0", "7.0.0", 0), ("10.0.0", "7.14.0", 1), ("1.9", "1.10", -1)]
)
def test_compare(left: str, right: str, order: int) -> None:
    assert compare(left, right) == order
    assert compare(right, left) == -order


def test_newest() -> None:
    assert newest(["7.9.0", "10.0.0", "7.14.0"]) == "10.0.0"
    assert newest([]) is None


@pytest.mark.parametrize(
    ("version", "inside"), [("1.29", True), ("1.36.9", True), ("1.37", False), ("1.3", False), ("1", None), ("", None)]
)
def test_in_range(version: str, inside: bool | None) -> None:
    assert in_range(version, "1.29-1.36") is inside


@pytest.mark.parametrize(("asked", "found"), [("7.14.1", "7.14.0"), ("7.13.0", "7.12.0"), ("5.0", "7.12.0")])
def test_the_nearest_version(asked: str, found: str) -> None:
    assert nearest(asked, ["10.0.0", "7.12.0", "7.14.0"]) == found
    assert nearest(asked, []) is None


@given(NUMBERS, NUMBERS)
def test_a_version_is_the_cells_exactly_where_its_components_begin_so(given_: list[int], wanted: list[int]) -> None:
    version, cell = ".".join(map(str, given_)), ".".join(map(str, wanted))
    assert components(version) == tuple(given_)
    assert matches(version, cell) is (given_[: len(wanted)] == wanted)
    assert not (matches(version, cell) and less_precise(version, cell))


@given(NUMBERS, NUMBERS, NUMBERS)
def test_compare_orders(a: list[int], b: list[int], c: list[int]) -> None:
    x, y, z = (".".join(map(str, numbers)) for numbers in (a, b, c))
    if compare(x, y) <= 0 and compare(y, z) <= 0:
        assert compare(x, z) <= 0
