"""The shipped knowledge: every source has a reading, cells are sound, and the short form says what it should."""

from __future__ import annotations

from datetime import date

import pytest

from portability.engine.matrices.keys import ROCM, VLLM_FEATURES, VLLM_QUANTIZATION
from portability.engine.matrices.shipped import knowledge, read_release, releases, sources

STATUSES = {"supported", "unsupported", "partial", "unknown"}


def test_every_source_has_a_reading_and_every_reading_a_source() -> None:
    assert {r.source for r in releases()} == {s.id for s in sources()}


def test_every_reading_says_its_day() -> None:
    assert all(isinstance(r.read, date) for r in releases())
    assert {str(r.read) for r in releases() if r.source == ROCM and r.version != "10.0.0"} == {"2026-08-07"}


def test_cells_fit_where_they_are_stored() -> None:
    for release in releases():
        for cell in release.cells.values():
            assert 0 < len(cell.value) <= 400, cell
            assert len(cell.key) <= 160
            assert len(cell.note) <= 400
            assert "{" not in cell.key
            assert "$" not in cell.value
            assert not cell.link or cell.link.startswith("https://")


def test_pages_that_moved_or_were_retired_are_never_due() -> None:
    assert {s.id: s.status for s in sources() if s.status != "current"} == {
        "user-kernel-space-matrix": "moved",
        "rocm-on-radeon": "retired",
    }
    assert all((s.due_days is None) == (s.status != "current") for s in sources())


@pytest.mark.parametrize(
    ("version", "key", "value"),
    [
        ("7.14.0", "part/mi350p/gfx", "gfx950"),
        ("7.14.0", "os/mi300x/ubuntu/24.04.4", "6.8"),
        ("7.14.0", "os/mi350p/ubuntu/22.04.5", None),
        ("7.14.0", "os/mi325x/rhel/8.10", None),
        ("7.14.0", "os/mi300x/oracle-linux/8", "UEK 7"),
        ("7.14.0", "framework/ONNX Runtime/gfx1100/1.23.2", None),
        ("7.12.0", "os/mi300x/ubuntu/24.04.3", "6.8"),
        ("7.12.0", "os/mi350p/ubuntu/24.04.3", None),
        ("10.0.0", "driver/mi300x", None),
        ("10.0.0", "os/radeon/ubuntu/24.04.4", "6.17"),
    ],
)
def test_rocm_cells(version: str, key: str, value: str | None) -> None:
    release = knowledge().release(ROCM, version)
    assert release is not None
    cell = release.cells.get(key)
    assert (cell.value if cell else None) == value


def test_fourteen_drivers_for_every_part_of_7_14() -> None:
    release = knowledge().release(ROCM, "7.14.0")
    assert release is not None
    lists = {c.value for key, c in release.cells.items() if key.startswith("driver/")}
    assert [len(text.split(", ")) for text in lists] == [14]
    assert len([key for key in release.cells if key.startswith("driver/")]) == 10


@pytest.mark.parametrize(("source", "rows", "columns"), [(VLLM_FEATURES, 15, 8), (VLLM_QUANTIZATION, 11, 10)])
def test_hardware_tables_are_whole(source: str, rows: int, columns: int) -> None:
    release = knowledge().release(source)
    assert release is not None
    cells = {k: c for k, c in release.cells.items() if k.startswith("hardware/")}
    assert len(cells) == rows * columns
    assert {c.value for c in cells.values()} <= STATUSES


def test_what_amd_lacks_in_vllm() -> None:
    release = knowledge().release(VLLM_FEATURES)
    assert release is not None
    lacking = {k.split("/")[1] for k, c in release.cells.items() if k.endswith("/AMD") and c.value != "supported"}
    assert lacking == {"encoder-decoder", "async-output", "prompt-embeds"}


def test_pairs_are_a_triangle() -> None:
    release = knowledge().release(VLLM_FEATURES)
    assert release is not None
    pairs = [k for k in release.cells if k.startswith("pair/")]
    assert len(pairs) == 15 * 16 // 2


def test_the_short_form_expands_braces_groups_and_words() -> None:
    release = read_release(
        {
            "source": "s",
            "version": "1",
            "read": "2026-01-02",
            "groups": {"all": "a, b"},
            "cells": {"x/{all}/{1,2}": "v", "y": {"value": "$all, c", "note": "n"}},
            "grids": [{"key": "g", "columns": ["p", "q"], "rows": {"r": "+ ?"}, "links": {"r/q": "https://e.example"}}],
        }
    )
    assert list(release.cells) == ["x/a/1", "x/a/2", "x/b/1", "x/b/2", "y", "g/r/p", "g/r/q"]
    assert release.cells["y"].value == "a, b, c"
    assert release.cells["g/r/q"].value == "unknown"
    assert release.cells["g/r/q"].link == "https://e.example"
    assert release.read == date(2026, 1, 2)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"cells": {"{a,a}": "1"}}, "given twice"),
        ({"grids": [{"key": "g", "columns": ["p"], "rows": {"r": "+ +"}}]}, "more signs"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(body: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_release({"source": "s", "version": "1", "read": "2026-01-02", **body})
