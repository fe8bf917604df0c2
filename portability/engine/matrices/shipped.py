"""The knowledge that ships with the product: sources and releases, read from `data/matrices`.

A release's file writes keys in short: `os/{mi300x,mi210}/ubuntu/24.04.4` stands for a cell of each part, and
`{name}` for a group of the file's own. `grids` spell a table row by row: one sign a column, the signs below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from portability.engine.matrices.knowledge import Cell, Knowledge, Release, Source
from portability.engine.shipped_files import load

FOLDER = Path(__file__).parent.parent / "data" / "matrices"
SOURCES = "sources.yaml"
SIGNS = {"+": "supported", "-": "unsupported", "~": "partial", "?": "unknown"}


@cache
def sources() -> tuple[Source, ...]:
    """The standing sources, in the order of the shipped list."""
    return tuple(Source(**entry) for entry in load(FOLDER / SOURCES))


@cache
def releases() -> tuple[Release, ...]:
    """The shipped readings of them."""
    return tuple(read_release(load(path)) for path in sorted(FOLDER.glob("*.yaml")) if path.name != SOURCES)


@cache
def knowledge() -> Knowledge:
    """Both, put together once for a process."""
    return Knowledge(sources(), releases())


def read_release(data: Mapping[str, Any]) -> Release:
    """A release from its short form."""
    groups = {name: text.replace(",", " ").split() for name, text in data.get("groups", {}).items()}
    words = {f"${name}": text for name, text in data.get("groups", {}).items()}
    cells: dict[str, Cell] = {}
    for cell in (*_cells(data.get("cells", {}), groups, words), *_grids(data.get("grids", ()))):
        if cell.key in cells:
            raise ValueError(f"{data['source']} {data['version']}: {cell.key} is given twice")
        cells[cell.key] = cell
    read = data["read"]
    day = read if isinstance(read, date) else date.fromisoformat(read)
    return Release(data["source"], data["version"], day, cells)


def _cells(data: Mapping[str, Any], groups: Mapping[str, list[str]], words: Mapping[str, str]) -> Iterator[Cell]:
    for short, given in data.items():
        entry = given if isinstance(given, dict) else {"value": given}
        value = entry["value"]
        if "$" in value:
            for word, text in words.items():
                value = value.replace(word, text)
        for key in _expand(short, groups):
            yield Cell(key, value, entry.get("note", ""), entry.get("link", ""))


def _grids(grids: Any) -> Iterator[Cell]:
    for grid in grids:
        notes, links = grid.get("notes", {}), grid.get("links", {})
        for row, signs in grid["rows"].items():
            marks = signs.split()
            if len(marks) > len(grid["columns"]):
                raise ValueError(f"{grid['key']}: {row} has more signs than the grid has columns")
            for column, mark in zip(grid["columns"], marks, strict=False):
                at = f"{row}/{column}"
                yield Cell(f"{grid['key']}/{at}", SIGNS[mark], notes.get(at, ""), links.get(at, ""))


def _expand(short: str, groups: Mapping[str, list[str]]) -> Iterator[str]:
    if "{" not in short:
        yield short
        return
    parts: list[list[str]] = []
    for n, piece in enumerate(short.replace("}", "{").split("{")):
        parts.append((groups.get(piece) or piece.split(",")) if n % 2 else [piece])
    for chosen in product(*parts):
        yield "".join(chosen)
