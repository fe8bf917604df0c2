"""Text that starts like a formula is neutralised, numbers are left alone."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portability.engine.output.csv_safe import WrittenCells, csv_cell, csv_cells, written_cell


@pytest.mark.parametrize(
    "text",
    [
        '=HYPERLINK("http://x","y")', "+1-800", "-rm", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "\u00a0=1", '"=1',
        "'=1", "＝1+1", "＋1+1", "－1+1", "＠SUM", "\ufeff=1", "\u200b=1", "-1+2", "=1", "-", "+", "−1+cmd",
        " \t @x", "“=1",
    ],
)  # fmt: skip
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert csv_cells([text])[0].startswith("'")


@pytest.mark.parametrize("value", [-5, 0, 3.5, "-5", "+3.25", "12", "-1e5"])
def test_numbers_are_left_alone(value: object) -> None:
    assert csv_cells([value]) == [str(value)]


@pytest.mark.parametrize("text", ["a=b", "chat-assistant", "", "x @ y", "été", "(=1)", "vllm/vllm-openai:v1"])
def test_other_text_is_left_alone(text: str) -> None:
    assert csv_cells([text]) == [text]


def test_nothing_is_empty_and_control_characters_are_blanks() -> None:
    assert csv_cells([None, "a\x00b\x1b[31m"]) == ["", "a b [31m"]


@given(st.text())
def test_no_text_comes_out_as_a_formula(text: str) -> None:
    [cell] = csv_cells([text])
    start = cell.lstrip()[:1]
    try:
        float(cell)
    except ValueError:
        assert start not in ("=", "+", "-", "@", "＝", "＋", "－", "＠") or not start


@given(st.lists(st.one_of(st.text(), st.integers(), st.none(), st.dates()), min_size=2))
def test_a_written_cell_is_what_the_csv_writer_writes(values: list[object]) -> None:
    written = io.StringIO(newline="")
    csv.writer(written).writerow(csv_cells(values))
    assert ",".join(written_cell(value) for value in values) + "\r\n" == written.getvalue()


def test_remembered_cells_are_the_same_and_do_not_grow_without_end() -> None:
    cells = WrittenCells()
    assert [cells[n] for n in range(20_000)] == [csv_cell(n) for n in range(20_000)]
    assert cells['a "b", =c'] == cells['a "b", =c'] == '"a ""b"", =c"'
    assert len(cells) < 10_000
