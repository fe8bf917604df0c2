"""vLLM's page of features: which exclude each other, and which are supported on which hardware."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from portability.engine.errors import InputError
from portability.engine.matrices.importers.names import meanings, refuse_qualified, rows
from portability.engine.matrices.importers.pages import page
from portability.engine.matrices.importers.reading import Document, Reading
from portability.engine.matrices.importers.statuses import (
    explanations,
    refuse_other_engine,
    refuse_other_legend,
    status,
    tracked,
)
from portability.engine.matrices.importers.tables import Grid, Table, TableCell, grid, heads, named, same
from portability.engine.matrices.keys import VLLM_FEATURES
from portability.engine.matrices.knowledge import Cell

_NAME = re.compile(r"[a-z][a-z0-9.+-]{0,40}")
_COLUMN = re.compile(r"[A-Za-z][A-Za-z0-9 .+/()-]{0,40}")


def read(documents: Sequence[Document], version: str | None) -> Reading:
    """The two tables, which one page holds."""
    pages = [page(document) for document in documents]
    refuse_other_engine(pages)
    refuse_other_legend(pages)
    tables = [table for each in pages for table in each.tables if _corner(table)]
    grids = [(table, grid(table)) for table in tables]
    for table in tables:
        for cell in heads(table)[0].cells:
            refuse_qualified(table, cell)
    pairs = [(table, laid) for table, laid in grids if _is_pairs(laid)]
    hardware = [(table, laid) for table, laid in grids if not _is_pairs(laid)]
    if not grids:
        raise InputError(documents[0].name, 0, "no table of features is in it: this is not vLLM's page of features")
    for found, what in ((pairs, "features by features"), (hardware, "features by hardware")):
        if len(found) != 1:
            raise InputError(documents[0].name, 0, f"{len(found)} tables of {what}; the page has one")
    links: dict[str, str] = {}
    marks: dict[str, str] = {}
    facts = {
        "features": _hardware(*hardware[0], links, marks),
        "pairs": _pairs(*pairs[0], links, marks),
        "links": links,
    }
    remarks = explanations(pages, marks)
    return Reading(VLLM_FEATURES, version or "", facts, remarks)


def cells(reading: Reading) -> Iterator[Cell]:
    """The cells of a reading. A pair's key names the row first, as published."""
    links: Mapping[str, str] = reading.facts["links"]
    for feature, columns in reading.facts["features"].items():
        for column, value in columns.items():
            yield _cell(reading, "hardware", f"{feature}/{column}", value, links)
    for column, feature, value in reading.facts["pairs"]:
        yield _cell(reading, "pair", f"{feature}/{column}", value, links)


def _cell(reading: Reading, kind: str, at: str, value: str, links: Mapping[str, str]) -> Cell:
    return Cell(f"{kind}/{at}", value, reading.remarks.get(f"{kind}/{at}", ""), links.get(at, ""))


def feature(name: str) -> str:
    """A feature's canonical name; one that is new keeps its own, in small letters with hyphens."""
    known = meanings("vllm_features", "names").get(same(name))
    return known or re.sub(r"[\s_]+", "-", same(name))


def _corner(table: Table) -> bool:
    top = heads(table)
    return bool(top) and same(top[0].cells[0].text) in {same(name) for name in rows()["vllm_features"]["corner"]}


def _is_pairs(laid: Grid) -> bool:
    """Whether the columns are features themselves: told by names, never by which table comes first."""
    features = {feature(named(row[0])[0]) for row in laid.rows}
    shared = [column for column in laid.columns[1:] if feature(column) in features]
    return len(shared) * 2 > len(laid.columns) - 1


def _rows(table: Table, laid: Grid) -> Iterator[tuple[str, str, tuple[TableCell, ...]]]:
    """The feature of each row, the footnote sign beside its name, and the cells behind it."""
    seen: set[str] = set()
    for row in laid.rows:
        refuse_qualified(table, row[0])
        written, mark = named(row[0])
        name = feature(written)
        if not _NAME.fullmatch(name):
            table.refuse(f"“{row[0].text[:40]}” is no name of a feature", row[0].line)
        if name in seen:
            table.refuse(f"{name} has two rows", row[0].line)
        seen.add(name)
        yield name, mark, row[1:]
    if not seen:
        table.refuse("the table has no rows")


def _hardware(table: Table, laid: Grid, links: dict[str, str], marks: dict[str, str]) -> dict[str, dict[str, str]]:
    columns = laid.columns[1:]
    for column in columns:
        if not _COLUMN.fullmatch(column) or feature(column) in meanings("vllm_features", "names").values():
            table.refuse(f"“{column[:40]}” is no name of hardware")
    found: dict[str, dict[str, str]] = {}
    for name, of_row, row in _rows(table, laid):
        found[name] = {}
        for column, of_column, cell in zip(columns, laid.marks[1:], row, strict=True):
            found[name][column], mark = status(table, cell, f"{name} on {column}", of_row, of_column, laid.marks[0])
            _keep(f"{name}/{column}", "hardware", tracked(cell), mark, links, marks)
    return found


def _pairs(table: Table, laid: Grid, links: dict[str, str], marks: dict[str, str]) -> list[list[str]]:
    columns = [feature(column) for column in laid.columns[1:]]
    if len(set(columns)) < len(columns) or not all(_NAME.fullmatch(column) for column in columns):
        table.refuse("two columns are of the same feature, or one is of none")
    found: list[list[str]] = []
    answered: dict[frozenset[str], str] = {}
    names = []
    for name, of_row, row in _rows(table, laid):
        names.append(name)
        for column, of_column, cell in zip(columns, laid.marks[1:], row, strict=True):
            if not cell.lines and not cell.marks:
                continue
            value, mark = status(table, cell, f"{name} with {column}", of_row, of_column, laid.marks[0])
            if answered.setdefault(frozenset((name, column)), value) != value:
                table.refuse(f"{name} with {column} is answered twice, and differently", cell.line)
            found.append([column, name, value])
            _keep(f"{name}/{column}", "pair", tracked(cell), mark, links, marks)
    both = [name for name in names if name in columns]
    for n, name in enumerate(both):
        for other in both[:n]:  # older pages leave out a feature with itself
            if frozenset((name, other)) not in answered:
                table.refuse(f"{name} with {other} is not answered: a cell is missing or empty")
    return found


def _keep(at: str, kind: str, link: str, mark: str, links: dict[str, str], marks: dict[str, str]) -> None:
    if link:
        links[at] = link
    if mark:
        marks[f"{kind}/{at}"] = mark
