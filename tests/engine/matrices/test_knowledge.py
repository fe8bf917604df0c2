"""The ledger: which release answers, and that every question is remembered, answered or not."""

from __future__ import annotations

from datetime import date

import pytest

from portability.engine.matrices.knowledge import Cell, Knowledge, Ledger, Release, Source
from portability.engine.model import Consulted, ReleaseRef

DAY = date(2026, 8, 7)


def release(source: str, version: str, **cells: str) -> Release:
    """A reading with these cells, `__` in a name standing for a slash."""
    keys = {key.replace("__", "/"): value for key, value in cells.items()}
    return Release(source, version, DAY, {key: Cell(key, value) for key, value in keys.items()})


@pytest.fixture
def ledger() -> Ledger:
    pages = [Source("matrix", "Matrix", "https://m.example", "all"), Source("page", "Page", "https://p.example", "one")]
    readings = [
        release("matrix", "7.9.0", os__a="1"),
        release("matrix", "7.14.0", os__a="2", os__b="3", part="x"),
        release("page", "", row="yes"),
    ]
    return Ledger(Knowledge(pages, readings))


@pytest.mark.parametrize(
    ("version", "read"), [("7.14.0", "7.14.0"), ("newest", "7.14.0"), ("7.9.0", "7.9.0"), ("7.10.0", None)]
)
def test_a_version_is_answered_by_its_own_release(ledger: Ledger, version: str, read: str | None) -> None:
    found = ledger.release("matrix", version)
    assert (found.version if found else None) == read
    assert ledger.consulted == {Consulted("matrix", version, "*release")}


def test_a_page_without_versions_has_one_release(ledger: Ledger) -> None:
    cell = ledger.cell("page", "row")
    assert cell is not None
    assert cell.value == "yes"
    assert ledger.releases == {ReleaseRef("page", "", DAY)}


def test_a_missing_answer_is_remembered_as_well(ledger: Ledger) -> None:
    assert ledger.cell("matrix", "os/c", "7.14.0") is None
    assert ledger.cell("matrix", "os/a", "8.0.0") is None
    assert Consulted("matrix", "7.14.0", "os/c") in ledger.consulted
    assert Consulted("matrix", "8.0.0", "os/a") in ledger.consulted
    assert ledger.releases == {ReleaseRef("matrix", "7.14.0", DAY)}


def test_cells_are_found_by_the_beginning_of_their_key(ledger: Ledger) -> None:
    assert [cell.value for cell in ledger.cells("matrix", "os/", "7.14.0")] == ["2", "3"]
    assert ledger.cells("matrix", "os/", "8.0.0") == []
    assert Consulted("matrix", "7.14.0", "os/*") in ledger.consulted


def test_evidence_says_page_version_and_day(ledger: Ledger) -> None:
    cell = ledger.cell("matrix", "part", "newest")
    assert cell is not None
    shown = ledger.evidence("matrix", cell, "newest")
    assert (shown.version, shown.read, shown.cell, shown.value) == ("7.14.0", DAY, "part", "x")
    assert shown.link == "https://m.example"
    missing = ledger.evidence("matrix", "os/c", "8.0.0")
    assert (missing.version, missing.read, missing.value) == ("8.0.0", None, "not listed")


def test_the_nearest_version_is_a_question_of_its_own(ledger: Ledger) -> None:
    assert [ledger.nearest("matrix", asked) for asked in ("7.10.0", "7.2", "9.0")] == ["7.9.0", "7.9.0", "7.14.0"]
    assert ledger.nearest("never read", "1") is None
    assert Consulted("matrix", "7.10.0", "*nearest") in ledger.consulted
    assert ledger.releases == set(), "the nearest one does not answer for it"
