"""AMD's matrix: whatever could give a cell to a part it does not hold for is refused, with what and where."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from portability.engine.errors import InputError
from portability.engine.matrices.importers import read_document
from portability.engine.matrices.keys import ROCM
from tests.engine.matrices.importers.reading import refused
from tests.engine.matrices.importers.samples import C, R, T, as_html, as_rst, frameworks, systems

PAGE = as_html(systems(), frameworks())
SOURCE = as_rst(systems(), frameworks())
_CONDITION = re.compile(r' data-show-cond="[^"]*"')


def _systems(change: Callable[[T], object]) -> T:
    table = systems()
    change(table)
    return table


def _frameworks(change: Callable[[T], object]) -> T:
    table = frameworks()
    change(table)
    return table


TABLES: dict[str, tuple[str, T]] = {
    "two cells of a row for one part": (
        "both answer for mi300x",
        _systems(lambda t: t.rows[2].cells[1].when["gpu"].append("mi300x")),
    ),
    "the same in other words": (
        "both answer for mi300x",
        _systems(lambda t: t.rows[3].cells.append(C("Ubuntu 24.04.9 (kernel: 6.8)", {"gfx": ["gfx942"]}))),
    ),
    "a cell without its condition": ("both answer", _systems(lambda t: setattr(t.rows[1].cells[1], "when", {}))),
    "two rows of one kind": ("both answer for mi355x", _systems(lambda t: t.rows.append(t.rows[2]))),
    "a row that says nothing of its system": (
        "which operating system",
        _systems(lambda t: setattr(t.rows[3], "when", {})),
    ),
    "a row of two systems": ("which operating system", _systems(lambda t: t.rows[3].when["os"].append("debian"))),
    "a heading that contradicts its condition": (
        "contradicts",
        _systems(lambda t: t.rows[3].when.update(os=["debian"])),
    ),
    "a value of another system": (
        "not recognised",
        _systems(lambda t: setattr(t.rows[4].cells[1], "lines", "Ubuntu 9.9 (kernel: 5.14)")),
    ),
    "a system that was never listed for all parts": (
        "its condition seems lost",
        _systems(lambda t: setattr(t.rows[5].cells[1], "when", {})),
    ),
    "an unknown value": (
        "“RHEL soon” is not recognised",
        _systems(lambda t: setattr(t.rows[4].cells[1], "lines", "RHEL soon")),
    ),
    "an unknown remark": (
        "not recognised",
        _systems(lambda t: setattr(t.rows[4].cells[1], "lines", "RHEL 9.9 (preview)")),
    ),
    "a version without its kernel": (
        "without its kernel",
        _systems(lambda t: setattr(t.rows[3].cells[1], "lines", ["Ubuntu 24.04.9 (kernel: 6.8)", "Ubuntu 22.04.9"])),
    ),
    "a version listed twice": (
        "listed twice",
        _systems(lambda t: setattr(t.rows[4].cells[1], "lines", ["RHEL 9.9 (kernel: 5.1)", "RHEL 9.9 (kernel: 5.2)"])),
    ),
    "an unknown target": ("not recognised", _systems(lambda t: setattr(t.rows[2].cells[1], "lines", "gfx"))),
    "two targets": ("not recognised", _systems(lambda t: setattr(t.rows[2].cells[1], "lines", ["gfx950", "gfx942"]))),
    "a driver that is none": (
        "not recognised",
        _systems(lambda t: setattr(t.rows[6].cells[1], "lines", ["39.20.1", "01.26.00.02"])),
    ),
    "an empty cell": ("a cell is empty", _systems(lambda t: setattr(t.rows[1].cells[1], "lines", ""))),
    "a row without cells": ("has no cells", _systems(lambda t: t.rows[6].cells.pop())),
    "a row without heading": ("no heading", _systems(lambda t: t.rows[6].cells.pop(0))),
    "a damaged heading": ("damaged heading", _systems(lambda t: setattr(t.rows[2].cells[0], "lines", "LVM targt"))),
    "a heading over two rows": ("next row", _systems(lambda t: setattr(t.rows[2].cells[1], "rows", 2))),
    "drivers for some systems only": (
        "says nothing of",
        _systems(lambda t: setattr(t.rows[6], "when", {"os": ["ubuntu"]})),
    ),
    "no cell that names a part": (
        "lost its conditions",
        T(
            [
                R([C("LLVM target", head=True), C("gfx950")]),
                R([C("Supported PLDM bundle (firmware) versions", head=True), C("BKC 9")]),
            ],
            {"fam": ["instinct"]},
        ),
    ),
    "conditions that name targets only": (
        "names no part in its conditions",
        T(
            [
                R([C("LLVM target", head=True), C("gfx950", {"gfx": ["gfx950"]}), C("gfx942", {"gfx": ["gfx942"]})]),
                R([C("Supported PLDM bundle (firmware) versions", head=True), C("BKC 9")]),
            ]
        ),
    ),
    "frameworks: two versions for one part": (
        "cells that can be shown",
        _frameworks(lambda t: t.rows[0].cells[1].when.update(gfx=["gfx942", "gfx1100"])),
    ),
    "frameworks: a version without its condition": (
        "cells that can be shown",
        _frameworks(lambda t: setattr(t.rows[0].cells[1], "when", {})),
    ),
    "frameworks: a version alone without its condition": (
        "lost the condition",
        _frameworks(lambda t: setattr(t.rows[2].cells[1], "when", {})),
    ),
    "frameworks: a row without its system": (
        "operating systems",
        _frameworks(lambda t: setattr(t.rows[4], "when", {})),
    ),
    "frameworks: a row twice": ("both answer", _frameworks(lambda t: t.rows.append(t.rows[4]))),
    "frameworks: a row twice, and differently": (
        "both answer",
        _frameworks(
            lambda t: t.rows.append(R([C("vLLM"), C("0.1.0", {"gfx": ["gfx950"]}), C("3.14")], {"os": ["ubuntu"]}))
        ),
    ),
    "frameworks: a cell too few": ("2 cells that can be shown for 3", _frameworks(lambda t: t.rows[1].cells.pop())),
    "frameworks: a cell too many": (
        "4 cells that can be shown for 3",
        _frameworks(lambda t: t.rows[1].cells.append(C("3.14"))),
    ),
    "frameworks: a span too short": (
        "2 cells that can be shown for 3",
        _frameworks(lambda t: setattr(t.rows[2].cells[0], "rows", 1)),
    ),
    "frameworks: a span too long": (
        "3 cells that can be shown for 2",
        _frameworks(lambda t: setattr(t.rows[2].cells[0], "rows", 3)),
    ),
    "frameworks: an unknown version": (
        "not recognised as versions",
        _frameworks(lambda t: setattr(t.rows[4].cells[1], "lines", "most")),
    ),
    "frameworks: versions in the column of Python": (
        "not recognised as Python",
        _frameworks(lambda t: t.rows[1].cells.append(t.rows[1].cells.pop(1))),
    ),
    "frameworks: conditions that exclude each other": (
        "exclude each other",
        _frameworks(lambda t: t.rows[1].cells[1].when.update(os=["ubuntu"])),
    ),
    "frameworks: a heading lost": ("lacks a heading", _frameworks(lambda t: t.columns.__setitem__(0, "Name"))),
    "frameworks: a heading damaged": (
        "lacks a heading|damaged",
        _frameworks(lambda t: t.columns.__setitem__(1, "Suported versons")),
    ),
    "frameworks: a heading of a column emptied": ("is damaged", _frameworks(lambda t: t.columns.__setitem__(2, ""))),
    "frameworks: a heading of a column damaged": (
        "is damaged",
        _frameworks(lambda t: t.columns.__setitem__(2, "Pythn versions")),
    ),
    "frameworks: no headings": ("no headings", _frameworks(lambda t: t.columns.clear())),
}


@pytest.mark.parametrize("form", ["html", "rst"])
@pytest.mark.parametrize("name", TABLES)
def test_a_table_that_is_not_safe(name: str, form: str) -> None:
    words, table = TABLES[name]
    if form == "rst" and name in ("an empty cell", "a row without cells", "a row without heading", "a damaged heading"):
        words = ".*"  # docutils may notice first
    refused(as_html(table) if form == "html" else as_rst(table), words, version="9.9.0")


def test_conditions_gone_altogether() -> None:
    refused(_CONDITION.sub("", PAGE), "line|lost its conditions: no cell of it can be given to a part")
    at = PAGE.index("Framework</p>")
    refused(_CONDITION.sub("", PAGE[:at]) + PAGE[at:], "systems has lost its conditions")
    refused(PAGE[:at] + _CONDITION.sub("", PAGE[at:]), "frameworks has lost its conditions")


def test_what_a_text_extraction_keeps() -> None:
    refused(
        "# ROCm 9.9.0 compatibility matrix\n\n| AMD GPU series | |\n|---|---|\n| LLVM target | gfx950 | \n"
        "| Supported Ubuntu versions | Ubuntu 24.04.9 (kernel: GA 6.8) |\n",
        "lost its conditions",
    )


PAGES: dict[str, tuple[str, str]] = {
    "a condition inside a cell": (
        "condition of its own",
        PAGE.replace("<p>BKC 99</p>", '<p data-show-cond="{&quot;gpu&quot;: [&quot;mi300a&quot;]}">BKC 99</p>'),
    ),
    "a condition of another kind": (
        "not known and may be a damaged condition",
        PAGE.replace(
            "<td data-show-cond", '<td data-hide-when="{&quot;os&quot;: [&quot;rhel&quot;]}" data-show-cond', 1
        ),
    ),
    "a condition asks for something unknown": (
        "something unknown: site",
        PAGE.replace("&quot;os&quot;", "&quot;site&quot;", 1),
    ),
    "part of the page that lost its condition": (
        "does not say for which",
        PAGE.replace("<section>", '<section class="rocm-docs-selected-content">', 1),
    ),
    "a footnote": ("a footnote may limit", PAGE.replace("5.15)</p>", "5.15)<sup>1</sup></p>")),
    "struck out": ("<del> stands inside a cell", PAGE.replace("<p>BKC 99</p>", "<p><del>BKC 99</del></p>")),
    "a table in a table": (
        "a table stands inside a table",
        PAGE.replace("<p>BKC 99</p>", "<table><tr><td>BKC 99</td></tr></table>"),
    ),
    "a whole table in a table": (
        "a table stands inside a table",
        PAGE.replace("<table ", "<table><tr><td>Layout<table ", 1).replace("</table>", "</table></td></tr></table>", 1),
    ),
    "a column with a condition": (
        "a column has a condition",
        PAGE.replace(
            "<tbody>", '<colgroup><col data-show-cond="{&quot;os&quot;: [&quot;rhel&quot;]}"></colgroup><tbody>', 1
        ),
    ),
    "parts named where targets belong": (
        "gfx950 is no value of gpu",
        PAGE.replace("{&quot;gfx&quot;: [&quot;gfx950", "{&quot;gpu&quot;: [&quot;gfx950", 1),
    ),
    "parts named where systems belong": (
        "exclude each other|both answer",
        PAGE.replace("{&quot;gpu&quot;: [&quot;mi350p&quot;]}", "{&quot;os&quot;: [&quot;mi350p&quot;]}", 1),
    ),
    "rows run together": (
        "two rows have run together",
        re.sub(r"</tr>\s*<tr[^>]*>(?=\s*<th><p>Supported PLDM)", "", PAGE),
    ),
    "a row outside of the table": ("broken markup", PAGE.replace("</tbody></table>", "</table><tr><td>x</td></tr>", 1)),
    "an open quote": ("broken markup|not known|ends inside", PAGE.replace(']}">', "]}>", 1)),
    "an attribute twice": ("duplicate attribute", PAGE.replace("<td data", '<td data-show-cond="{}" data', 1)),
    "two versions": ("describes ROCm 9.9.1, but page says 9.9.0", PAGE.replace("<h1>ROCm 9.9.0", "<h1>ROCm 9.9.1")),
    "no version": ("give the version with it", PAGE.replace("ROCm 9.9.0", "ROCm")),
    "the same table twice": ("two tables of systems|both answer", as_html(systems(), systems(), frameworks())),
    "no table": ("no table", "<!DOCTYPE html><html><body><h1>ROCm 9.9.0 compatibility matrix</h1></body></html>"),
    "other tables": (
        "no table",
        "<!DOCTYPE html><html><body><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>",
    ),
    "lost character": ("not recognised", PAGE.replace("gfx950</p>", "gfx9�50</p>", 1)),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_is_not_safe(name: str) -> None:
    words, page = PAGES[name]
    assert page != PAGE
    refused(page, words)


SOURCES: dict[str, tuple[str, str]] = {
    "a directive lost a colon": (
        "stands in a (?:row|table)|could be read|no cells",
        SOURCE.replace(".. matrix-cell:: gfx950", ".. matrix-cell: gfx950"),
    ),
    "a directive misspelt": (
        "could be read|stands in a row|nothing else",
        SOURCE.replace(".. matrix-cell:: gfx950", ".. matrix-cel:: gfx950"),
    ),
    "a row misspelt": (
        "stands in a (?:row|table)|could be read|run together",
        SOURCE.replace("   .. matrix-row::", "   .. matrix-rw::", 3),
    ),
    "an option misspelt": (
        "not known and may be a damaged condition",
        SOURCE.replace(":show-cond: gpu=", ":show-con: gpu=", 1),
    ),
    "a condition without key": ("not made of key=value", SOURCE.replace("gpu=mi355x", "mi355x", 1)),
    "a condition without value": ("a value that is not a word", SOURCE.replace("gpu=mi355x", "gpu=", 1)),
    "an empty condition": ("a condition is empty", re.sub(r"(:show-cond:) gpu=.*", r"\1", SOURCE, count=1)),
    "a substitution nobody defined": ("cannot be read as text", SOURCE.replace("gfx950\n", "|target|\n", 1)),
    "paragraphs run together": (
        "cannot tell one entry from the next",
        SOURCE.replace("(or later)\n\n", "(or later)\n", 1),
    ),
    "raw markup": (
        "stands in a table",
        SOURCE.replace("   .. matrix-row::", "   .. raw:: html\n\n      <tr><td>x</td></tr>\n\n   .. matrix-row::", 1),
    ),
    "cut in a line": ("ends inside a table", SOURCE.rstrip()[:-4]),
    "cut before its last rows": (
        "ends inside a table: its last rows are missing",
        as_rst(_systems(lambda t: t.rows.__delitem__(slice(5, None)))),
    ),
    "cut before its last cell": (
        "ends inside a table: its last rows are missing",
        as_rst(_systems(lambda t: t.rows[-1].cells.pop())),
    ),
    "only pointers to other files": (
        "in files it includes, such as ./a.rst",
        "ROCm 9.9.0\n==========\n\n.. include:: ./a.rst\n",
    ),
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_that_is_not_safe(name: str) -> None:
    words, text = SOURCES[name]
    assert text != SOURCE
    refused(text, words, version="9.9.0")


@pytest.mark.parametrize(
    ("version", "words"), [("9.9.1", "describes ROCm 9.9.0, not 9.9.1"), ("newest", "is no ROCm version")]
)
def test_a_version_that_contradicts(version: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_document(ROCM, [("page", PAGE.encode())], version)


def test_two_documents_of_different_versions() -> None:
    other = as_html(frameworks(), title="ROCm 9.8.0 compatibility matrix")
    with pytest.raises(InputError, match=r"b: describes ROCm 9\.8\.0, but a says 9\.9\.0"):
        read_document(ROCM, [("a", as_html(systems()).encode()), ("b", other.encode())])
