"""What a pattern spells out, by which the workloads are looked for that a changed row may touch."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from portability.engine.model import Vendor
from portability.engine.vendor_rows.rows import Row, Table, VendorRows
from portability.rules.own_rows import TABLES, literals

_PARTS = st.lists(st.sampled_from(["ml", "Scorer", "v2", "x_y", "a.b", "/", ":", "=", "-", "*", "#", "$("]), max_size=8)


def test_the_longest_run_comes_first_and_no_wildcard_or_joint_is_in_it() -> None:
    assert literals("ML/scorer-*:v##=x") == ["scorer-", "ml", "v", "x"]


@given(st.sampled_from(sorted(TABLES)), _PARTS, st.lists(st.sampled_from(["", "7", "ml/", "-x", "Q"]), max_size=8))
def test_every_text_that_a_pattern_matches_holds_all_that_it_spells_out(
    table: Table, parts: list[str], fillings: list[str]
) -> None:
    """What a changed row touches is looked for by these: one that is missing would leave a workload out."""
    pattern = "".join(parts)
    filled = iter([*fillings, *[""] * len(parts)])
    text = "".join(next(filled) if part == "*" else "42" if part == "#" else part for part in parts)
    for said in (text, f"{text}=value", f"team/{text}:1"):
        if VendorRows([Row(table, pattern, Vendor.NVIDIA)]).find(table, said) is not None:
            assert all(word in said.lower() for word in literals(pattern))
