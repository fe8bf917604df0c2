"""vLLM's page of quantization: which method is supported on which hardware."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
from portability.engine.matrices.importers.tables import Table, grid, heads, named, same
from portability.engine.matrices.keys import VLLM_QUANTIZATION
from portability.engine.matrices.knowledge import Cell

_NAME = re.compile(r"[a-z][a-z0-9_.+]{0,40}")
_COLUMN = re.compile(r"[A-Za-z][A-Za-z0-9 .+/()-]{0,40}")


def read(documents: Sequence[Document], version: str | None) -> Reading:
    """The one table of the page."""
    pages = [page(document) for document in documents]
    refuse_other_engine(pages)
    refuse_other_legend(pages)
    tables = [table for each in pages for table in each.tables if _corner(table)]
    if not tables:
        missing = "no table of quantization methods is in it"
        raise InputError(documents[0].name, 0, f"{missing}: this is not vLLM's page of quantization")
    if len(tables) != 1:
        raise InputError(documents[0].name, 0, f"{len(tables)} tables of quantization methods; the page has one")
    table = tables[0]
    laid = grid(table)
    for cell in heads(table)[0].cells:
        refuse_qualified(table, cell)
    for column in laid.columns[1:]:
        if not _COLUMN.fullmatch(column):
            table.refuse(f"“{column[:40]}” is no name of hardware")
        if method(column) in meanings("vllm_quantization", "names").values():
            table.refuse(f"“{column[:40]}” is a method and heads a column: rows and columns are exchanged")
    methods: dict[str, dict[str, str]] = {}
    links: dict[str, str] = {}
    marks: dict[str, str] = {}
    for row in laid.rows:
        refuse_qualified(table, row[0])
        written, of_row = named(row[0])
        name = method(written)
        if not _NAME.fullmatch(name):
            table.refuse(f"“{row[0].text[:40]}” is no name of a method", row[0].line)
        if name in methods:
            table.refuse(f"{name} has two rows", row[0].line)
        methods[name] = {}
        for column, of_column, cell in zip(laid.columns[1:], laid.marks[1:], row[1:], strict=True):
            methods[name][column], mark = status(table, cell, f"{name} on {column}", of_row, of_column, laid.marks[0])
            if link := tracked(cell):
                links[f"{name}/{column}"] = link
            if mark:
                marks[f"hardware/{name}/{column}"] = mark
    if not methods:
        table.refuse("the table has no rows")
    facts = {"methods": methods, **({"links": links} if links else {})}
    return Reading(VLLM_QUANTIZATION, version or "", facts, explanations(pages, marks))


def cells(reading: Reading) -> Iterator[Cell]:
    """The cells of a reading."""
    links = reading.facts.get("links", {})
    for name, columns in reading.facts["methods"].items():
        for column, value in columns.items():
            key = f"hardware/{name}/{column}"
            yield Cell(key, value, reading.remarks.get(key, ""), links.get(f"{name}/{column}", ""))


def method(name: str) -> str:
    """A method as vLLM's flag names it; one that is new keeps its own name, in small letters."""
    known = meanings("vllm_quantization", "names").get(same(name))
    return known or re.sub(r"[\s(),/-]+", "_", same(name)).strip("_")


def _corner(table: Table) -> bool:
    top = heads(table)
    return bool(top) and same(top[0].cells[0].text) in {same(name) for name in rows()["vllm_quantization"]["corner"]}
