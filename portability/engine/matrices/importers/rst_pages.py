"""reStructuredText to tables, through docutils, with the directives of AMD's documentation: `matrix` and what is in it.

Nothing is included, fetched or run. What docutils cannot read is dropped by it without a word, so a page is refused
where fewer tables, rows or cells came out than its text has.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from docutils import core, nodes

from portability.engine.errors import InputError
from portability.engine.matrices.importers.conditions import ConditionError, Conditions, of_attributes, together
from portability.engine.matrices.importers.headings import fault_under
from portability.engine.matrices.importers.reading import Document
from portability.engine.matrices.importers.rst_directives import Cell, Elsewhere, Matrix, Row, Selected, prepare
from portability.engine.matrices.importers.tables import (
    LIMIT_CELLS,
    LIMIT_SPAN,
    Page,
    Table,
    TableCell,
    TableRow,
    plain,
)

_LIMIT_CHARACTERS = 120_000
_LIMIT_INDENT = 60
_LIMIT_BLOCK = 3_000  # characters without a blank line between: docutils looks for the end of markup in all of them
_LIMIT_MARKS = 500  # that may begin markup in such a block
_KNOWN = frozenset({"class", "name", "header", "rowspan", "colspan", "width", "widths", "align", "heading", "key"})
_COUNTED = {
    name: re.compile(rf"^[ \t]*\.\. {name}::", re.MULTILINE) for name in ("matrix", "matrix-row", "matrix-cell")
}
_DIRECTIVE_LOST = re.compile(r"matrix|selected|show-cond|show-when")
_MARK = re.compile(r"[*`|]")
_NUMBER = re.compile(r"[0-9]{1,4}")
_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": 5,
    "halt_level": 5,
    "line_length_limit": 10_000,
    "input_encoding": "unicode",
    "smart_quotes": False,
    "doctitle_xform": False,  # a heading alone in its page stays one
    "syntax_highlight": "none",
    "tab_width": 8,
}


def page(document: Document) -> Page:
    """Every `matrix` of a source file. Raises InputError where one cannot be read safely."""
    _limit(document)
    prepare()
    try:
        tree = core.publish_doctree(document.text, source_path=document.name, settings_overrides=dict(_SETTINGS))
    except RecursionError:
        raise InputError(document.name, 0, "is nested too deep") from None
    except Exception as error:  # docutils fails in many ways on what is none of its markup
        raise InputError(document.name, 0, f"docutils cannot read it ({error.__class__.__name__})") from None
    reader = _Reader(document.name, _at_the_end(document, tree))
    found = tuple(reader.table(node) for node in tree.findall(nodes.Element) if isinstance(node, Matrix | nodes.table))
    _count(document, tree)
    title = next(iter(tree.findall(nodes.title)), None)
    return Page(
        document.name,
        (title.astext(),) if title is not None and not list(title.findall(nodes.problematic)) else (),
        found,
        tuple(node["file"] for node in tree.findall(Elsewhere)),
        tuple(" ".join(node.astext().split()) for node in tree.findall(nodes.paragraph)),
    )


def _limit(document: Document) -> None:
    if len(document.text) > _LIMIT_CHARACTERS:
        raise InputError(document.name, 0, f"more than {_LIMIT_CHARACTERS:,} characters of reStructuredText")
    size = marks = 0
    for number, line in enumerate(document.text.split("\n"), 1):
        size, marks = (size + len(line), marks + len(_MARK.findall(line))) if line.strip() else (0, 0)
        if size > _LIMIT_BLOCK or marks > _LIMIT_MARKS:
            raise InputError(
                document.name, number, f"more than {_LIMIT_BLOCK:,} characters, or much markup, without a blank line"
            )
        expanded = line.expandtabs(8)
        if len(expanded) - len(expanded.lstrip()) > _LIMIT_INDENT:
            raise InputError(document.name, number, f"indented more than {_LIMIT_INDENT} deep")


def _at_the_end(document: Document, tree: nodes.document) -> nodes.Node | None:
    """What the file ends with, if it may have been cut there: a blank line behind it shows that it was not."""
    return None if document.text.endswith("\n\n") else deque(tree.findall(), maxlen=1)[0]


def _count(document: Document, tree: nodes.document) -> None:
    """Refuse a file of which docutils dropped a part."""
    read = {
        "matrix": len(list(tree.findall(Matrix))),
        "matrix-row": len(list(tree.findall(Row))),
        "matrix-cell": len(list(tree.findall(Cell))),
    }
    for name, pattern in _COUNTED.items():
        starts = [match.start() for match in pattern.finditer(document.text)]
        if len(starts) != read[name]:
            raise InputError(
                document.name,
                0,
                f"{len(starts)} times `{name}` is written, {read[name]} could be read: broken indentation?",
            )


def _damaged(child: nodes.Node) -> bool:
    """Whether a comment inside a table was a directive before a colon of it was lost."""
    return isinstance(child, nodes.comment) and bool(_DIRECTIVE_LOST.search(child.astext()))


class _Reader:
    def __init__(self, name: str, last: nodes.Node | None) -> None:
        self.name = name
        self.last = last

    def table(self, matrix: nodes.Element) -> Table:
        """A matrix, or a table of reStructuredText's own, whose cells can have no conditions."""
        around: list[nodes.Element] = []
        over: list[str] = []
        fault = ""
        at: int = matrix["at"] if isinstance(matrix, Matrix) else matrix.line or 0
        parent = matrix.parent
        while parent is not None:
            if isinstance(parent, Selected):
                around.append(parent)
            elif isinstance(parent, nodes.section):
                over.append(parent[0].astext())
                fault = fault or fault_under(over[-1])
            elif isinstance(parent, nodes.Admonition | nodes.sidebar | nodes.topic):
                fault = "the table stands in a note, whose words may limit it"
            elif isinstance(parent, Cell | Row | Matrix | nodes.entry):
                self.refuse(at, "a table stands inside a table")
            parent = parent.parent
        conditions = None
        try:
            own = self.conditions(matrix) if isinstance(matrix, Matrix) else None
            conditions = self.together(at, *map(self.shown, around), own)
        except InputError as error:
            fault = error.message
        rows = tuple(self.rows(matrix, ()) if isinstance(matrix, Matrix) else self.entries(matrix, at))
        if sum(len(row.cells) for row in rows) > LIMIT_CELLS:
            self.refuse(at, f"a table of more than {LIMIT_CELLS:,} cells")
        cut = isinstance(matrix, nodes.table) and any(node is self.last for node in matrix.findall())
        return Table(self.name, at, rows, conditions, ends_document=cut, fault=fault, over=tuple(over))

    def entries(self, table: nodes.Element, at: int) -> Iterator[TableRow]:
        """The rows of a table of reStructuredText's own."""
        for row in table.findall(nodes.row):
            header = isinstance(row.parent, nodes.thead)
            yield TableRow(
                tuple(self.entry(entry, row.line or at) for entry in row.children), row.line or at, None, header
            )

    def entry(self, entry: Any, line: int) -> TableCell:
        rows, columns = int(entry.get("morerows", 0)) + 1, int(entry.get("morecols", 0)) + 1
        try:
            content = _Content(self, entry, line)
        except InputError as error:
            return TableCell((plain(entry.astext()),), line, fault=error.message)
        lines, links, marks = tuple(content.lines), tuple(content.links), tuple(content.marks)
        return TableCell(lines, line, False, None, rows, columns, links, marks)

    def rows(self, group: nodes.Element, around: Sequence[nodes.Element]) -> Iterator[TableRow]:
        for child in group.children:
            if isinstance(child, Row):
                yield self.row(child, around)
            elif isinstance(child, Selected):
                yield from self.rows(child, (*around, child))
            elif _damaged(child) or not isinstance(child, nodes.comment):
                yield TableRow((), group["at"], fault="something else than rows stands in a table")

    def row(self, row: Row, around: Sequence[nodes.Element]) -> TableRow:
        cells = tuple(self.cell(child) for child in row.children if isinstance(child, Cell))
        comments = sum(isinstance(child, nodes.comment) and not _damaged(child) for child in row.children)
        try:
            if not cells:
                self.refuse(row["at"], "a row has no cells")
            if len(cells) + comments < len(row.children) or row["argument"]:
                self.refuse(row["at"], "something else than cells stands in a row")
            groups = (self.shown(node) if node["argument"] else self.conditions(node) for node in around)
            own = self.together(row["at"], *groups, self.conditions(row))
        except InputError as error:
            return TableRow(cells, row["at"], fault=error.message)
        return TableRow(cells, row["at"], own, "header" in row["options"])

    def cell(self, cell: Cell) -> TableCell:
        line, header = cell["at"], "header" in cell["options"]
        try:
            content = _Content(self, cell, line)
            return TableCell(
                tuple(content.lines),
                line,
                header,
                self.conditions(cell),
                self.span(cell, "rowspan"),
                self.span(cell, "colspan"),
                tuple(content.links),
                tuple(content.marks),
                content.wrapped,
            )
        except InputError as error:
            return TableCell((" ".join(cell.astext().split()),), line, header, fault=error.message)

    def span(self, cell: Cell, name: str) -> int:
        raw = cell["options"].get(name, "1").strip()
        if not _NUMBER.fullmatch(raw) or not 1 <= int(raw) <= LIMIT_SPAN:
            self.refuse(cell["at"], f"{name} is no number of cells")
        return int(raw)

    def conditions(self, node: nodes.Element) -> Conditions | None:
        try:
            return of_attributes(node["options"], known=_KNOWN)
        except ConditionError as error:
            self.refuse(node["at"], str(error))

    def shown(self, node: nodes.Element) -> Conditions | None:
        """The conditions of a `selected` block, which are its argument."""
        try:
            return of_attributes({"show-cond": node["argument"]}, known=_KNOWN)
        except ConditionError as error:
            self.refuse(node["at"], str(error))

    def together(self, line: int, *given: Conditions | None) -> Conditions | None:
        try:
            return together(*given)
        except ConditionError as error:
            self.refuse(line, str(error))

    def refuse(self, line: int, message: str) -> NoReturn:
        raise InputError(self.name, line, message)


class _Content:
    """The text of a cell, a line for each paragraph in it."""

    def __init__(self, reader: _Reader, cell: nodes.Element, line: int) -> None:
        self.reader = reader
        self.at = line
        self.lines: list[str] = []
        self.links: list[str] = []
        self.marks: list[str] = []
        self.wrapped = False
        for child in cell.children:
            self.block(child)

    def block(self, node: nodes.Node) -> None:
        if isinstance(node, nodes.paragraph | nodes.line):
            line = plain("".join(self.inline(child) for child in node.children))
            self.wrapped = self.wrapped or "\n" in node.astext()
            if line:
                self.lines.append(line)
        elif isinstance(node, nodes.bullet_list | nodes.enumerated_list | nodes.list_item | nodes.line_block):
            for child in node.children:
                self.block(child)
        elif _damaged(node) or not isinstance(node, nodes.comment | nodes.target):
            self.reader.refuse(self.at, f"a cell holds what cannot be read as text ({node.__class__.__name__})")

    def inline(self, node: nodes.Node) -> str:
        if isinstance(node, nodes.Text):
            return node.astext()
        if isinstance(node, nodes.superscript | nodes.subscript | nodes.footnote_reference):
            self.marks.append(node.astext())
            return ""
        if isinstance(node, nodes.target):
            return ""
        if isinstance(node, nodes.reference):
            self.links.append(str(node.get("refuri", "")))
        elif not isinstance(node, nodes.emphasis | nodes.strong | nodes.literal | nodes.inline):
            self.reader.refuse(self.at, f"a cell holds what cannot be read as text ({node.__class__.__name__})")
        return "".join(self.inline(child) for child in node.children)
