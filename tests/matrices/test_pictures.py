"""Releases as pictures: every place says what the page says, and what it does not say is never a yes."""

from __future__ import annotations

from datetime import date

import pytest

from portability.engine.matrices import shipped
from portability.engine.matrices.knowledge import Cell, Release
from portability.matrices.grids import Box, Grid
from portability.matrices.pictures import grids


def reading(source: str, cells: dict[str, str | Cell]) -> Release:
    """A reading of a source."""
    made = {key: value if isinstance(value, Cell) else Cell(key, value) for key, value in cells.items()}
    return Release(source, "1", date(2026, 8, 7), made)


def at(grid: Grid, row: str, column: str) -> Box:
    """The box where a row and a column meet."""
    return next(r for r in grid.rows if r.head == row).boxes[grid.columns.index(column)]


ROCM: dict[str, str | Cell] = {
    "part/x1/gfx": "gfx950",
    "part/x2/gfx": "gfx950",
    "part/y1/gfx": "gfx942",
    "part/x1/series": "AMD Instinct X Series",
    "part/x2/series": "AMD Instinct X Series",
    "part/y1/series": "AMD Instinct Y Series",
    "os/x1/ubuntu/24.04.4": "6.8",
    "os/x2/ubuntu/24.04.4": "6.8",
    "os/radeon/ubuntu/24.04.4": "6.17",
    "os/x1/rhel/9.6": "5.14.0-570",
}


def test_systems_stand_by_exact_part_and_never_by_series() -> None:
    grid = grids(reading("rocm-compatibility-matrix", ROCM))[0]
    assert grid.columns == ["Kernel", "X1", "X2", "Y1", "Radeon"]
    assert grid.groups == [("", 1), ("Instinct X", 2), ("Instinct Y", 1), ("family", 1)]
    assert at(grid, "RHEL 9.6", "X1").css == "y"
    assert (at(grid, "RHEL 9.6", "X2").css, at(grid, "RHEL 9.6", "X2").words) == ("x", "not listed for X2")


def test_the_kernel_has_a_column_and_stands_in_the_box_that_differs() -> None:
    grid = grids(reading("rocm-compatibility-matrix", ROCM))[0]
    assert at(grid, "Ubuntu 24.04.4", "Kernel").shown == "6.8"
    assert at(grid, "Ubuntu 24.04.4", "X1").shown == "✓"
    assert at(grid, "Ubuntu 24.04.4", "Radeon").shown == "✓ 6.17"
    assert "kernel 6.8" in at(grid, "Ubuntu 24.04.4", "X1").words


def test_a_part_without_any_row_keeps_its_column_and_is_not_known() -> None:
    """`Not listed` is said where the release lists systems for the part at all."""
    grid = grids(reading("rocm-compatibility-matrix", ROCM))[0]
    assert {at(grid, row.head, "Y1").css for row in grid.rows} == {"u"}


FRAMEWORKS: dict[str, str | Cell] = {
    "framework/PyTorch/gfx950/2.12": Cell("", "ubuntu, rhel", "Python 3.14"),
    "framework/PyTorch/radeon/2.12": "ubuntu, rhel",
    "framework/PyTorch/any/2.13": "windows, wsl",
    "framework/Engine/gfx950/0.2": "ubuntu",
    "framework/Engine/gfx1201/0.2": "ubuntu",
}


def framework_grid(families: dict[str, str]) -> Grid:
    """The framework picture alone."""
    return next(
        grid
        for grid in grids(reading("rocm-compatibility-matrix", ROCM | FRAMEWORKS), families)
        if grid.corner == "Framework"
    )


def test_a_family_answers_for_its_targets() -> None:
    grid = framework_grid({"gfx1201": "radeon", "gfx950": "instinct"})
    assert grid.columns == ["gfx950", "gfx1201", "Radeon", "any part", "With"]
    assert at(grid, "PyTorch 2.12", "With").shown == "Python 3.14"
    assert at(grid, "PyTorch 2.12", "gfx1201").css == "y"
    assert "whole Radeon family" in at(grid, "PyTorch 2.12", "gfx1201").words
    assert at(grid, "PyTorch 2.13", "gfx950").css == "x"
    assert at(grid, "PyTorch 2.13", "any part").shown == "✓ Windows, WSL"
    assert at(grid, "Engine 0.2", "Radeon").shown == "–"


def test_a_target_of_unknown_family_is_not_answered_where_the_page_names_a_family() -> None:
    assert at(framework_grid({}), "PyTorch 2.12", "gfx1201").css == "u"


def test_drivers_stand_by_part_and_a_part_without_a_list_is_not_known() -> None:
    cells: dict[str, str | Cell] = {"driver/x1": "3.2, 3.1", "driver/x2": "3.2"}
    grid = next(g for g in grids(reading("rocm-compatibility-matrix", ROCM | cells)) if g.title == "Drivers")
    assert [row.head for row in grid.rows] == ["3.2", "3.1"]
    assert [box.css for box in grid.rows[1].boxes] == ["y", "x", "u"]


def test_a_release_without_any_driver_list_says_not_known_for_every_part() -> None:
    grid = next(g for g in grids(reading("rocm-compatibility-matrix", ROCM)) if g.title == "Drivers")
    assert [(row.head, [box.css for box in row.boxes]) for row in grid.rows] == [("any version", ["u", "u", "u"])]


@pytest.mark.parametrize(
    ("value", "sign", "css"),
    [("supported", "✓", "y"), ("unsupported", "✕", "x"), ("partial", "◐", "p"), ("unknown", "?", "u")],
)
def test_each_status_has_a_sign_of_its_own(value: str, sign: str, css: str) -> None:
    box = grids(reading("vllm-quantization", {"hardware/awq/AMD GPU": value}))[0].rows[0].boxes[0]
    assert (box.shown, box.css, box.words) == (sign, css, value)


def test_a_feature_the_page_does_not_name_for_a_hardware_is_not_known() -> None:
    cells: dict[str, str | Cell] = {"hardware/lora/Hopper": "supported", "hardware/beam-search/AMD": "supported"}
    grid = grids(reading("vllm-features", cells))[0]
    assert at(grid, "lora", "AMD").css == "u"
    assert at(grid, "beam-search", "AMD").css == "y"


def test_the_other_half_of_the_pairs_is_empty_and_a_link_is_kept() -> None:
    cells: dict[str, str | Cell] = {
        "pair/a/a": "supported",
        "pair/b/a": Cell("pair/b/a", "partial", "only sometimes", "https://example.com/1"),
        "pair/b/b": "supported",
    }
    grid = grids(reading("vllm-features", cells))[0]
    assert at(grid, "a", "b") == Box("", "")
    assert at(grid, "b", "a") == Box("◐", "p", "partial: only sometimes", "https://example.com/1")
    assert grid.notes == ["b, a: only sometimes"]


def test_the_operators_platforms_and_what_narrows_a_part() -> None:
    cells: dict[str, str | Cell] = {
        "platform/ubuntu/22.04/kubernetes": "1.29-1.36",
        "platform/rhcos/any/openshift": "4.16-4.22",
        "gpu/x1": "supported",
        "narrowed/x2/openshift": "none",
        "helm": ">=3.2.0",
    }
    table, parts, rest = grids(reading("gpu-operator-platforms", cells))
    assert at(table, "Ubuntu 22.04", "Kubernetes").shown == "1.29-1.36"
    assert at(table, "RHCOS", "Kubernetes") == Box("", "")
    assert at(parts, "X1", "Listed").css == "y"
    assert at(parts, "X2", "OpenShift").shown == "none"
    assert (rest.title, [row.head for row in rest.rows]) == ("Further cells", ["helm"])


def test_a_cell_of_an_unexpected_shape_is_listed_and_breaks_nothing() -> None:
    cells: dict[str, str | Cell] = {"os/x1": "odd", "framework/PyTorch": "odd", "driver/x1/y/z": "odd"}
    assert [row.head for row in grids(reading("rocm-compatibility-matrix", ROCM | cells))[-1].rows] == list(cells)


def test_systems_stand_in_the_box_where_they_are_others_than_usual() -> None:
    cells: dict[str, str | Cell] = {f"framework/PyTorch/gfx9{n}/1": "ubuntu, rhel" for n in range(3)}
    cells["framework/PyTorch/gfx950/1"] = "ubuntu"
    grid = grids(reading("rocm-compatibility-matrix", cells))[0]
    assert grid.about == "On Ubuntu, RHEL, unless a box names others."
    assert at(grid, "PyTorch 1", "gfx950").shown == "✓ Ubuntu"
    assert at(grid, "PyTorch 1", "gfx91").shown == "✓"


def test_a_source_without_a_picture_of_its_own_is_listed_cell_by_cell() -> None:
    (grid,) = grids(reading("another-page", {"a/b": "c"}))
    assert [(row.head, row.boxes[0].shown) for row in grid.rows] == [("a/b", "c")]


@pytest.mark.parametrize("ships", shipped.releases(), ids=lambda r: f"{r.source} {r.version}".strip())
def test_every_value_that_ships_is_drawn(ships: Release) -> None:
    """No cell gets lost: each value stands in some box, row or column, as its sign or as it is written."""
    drawn = grids(ships)
    shown = " ".join(
        f"{row.head} " + " ".join(f"{box.shown} {box.words}" for box in row.boxes)
        for grid in drawn
        for row in grid.rows
    ) + " ".join(f"{name}" for grid in drawn for name, _ in grid.groups)
    for cell in ships.cells.values():
        if cell.key.startswith(("framework/", "part/")) and ships.source == "rocm-compatibility-matrix":
            continue
        values = cell.value.split(", ") if cell.key.startswith("driver/") else [cell.value]
        assert all(value in shown for value in values), cell.key
