"""reStructuredText to tables, through docutils, with the directives of AMD's documentation: `matrix` and what is in it.

Nothing is included, fetched or run. What docutils cannot read is dropped by it without a word, so a page is refused
where fewer tables, rows or cells came out than its text has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from docutils import core, nodes
from docutils.parsers.rst import Directive, directives, roles, states

from portability.engine.errors import InputError
from portability.engine.matrices.importers.conditions import ConditionError, Conditions, of_attributes, together
from portability.engine.matrices.importers.reading import Document
from portability.engine.matrices.importers.tables import LIMIT_CELLS, LIMIT_SPAN, Page, Table, TableCell, TableRow

_LIMIT_CHARACTERS = 120_000
_LIMIT_SUBSTITUTION = 100
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
_ROWS_IN_MARKUP = re.compile(r"<\s*/?\s*(?:table|tr|td|th|tbody)\b", re.IGNORECASE)
_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": 5,
    "halt_level": 5,
    "line_length_limit": 10_000,
    "input_encoding": "unicode",
    "smart_quotes": False,
    "syntax_highlight": "none",
    "tab_width": 8,
}


def page(document: Document) -> Page:
    """Every `matrix` of a source file. Raises InputError where one cannot be read safely."""
    _limit(document)
    _prepare()
    try:
        tree = core.publish_doctree(document.text, source_path=document.name, settings_overrides=dict(_SETTINGS))
    except RecursionError:
        raise InputError(document.name, 0, "is nested too deep") from None
    except Exception as error:  # docutils fails in many ways on what is none of its markup
        raise InputError(document.name, 0, f"docutils cannot read it ({error.__class__.__name__})") from None
    reader = _Reader(document.name)
    found = tuple(reader.table(node) for node in tree.findall(_Matrix))
    _count(document, found, tree)
    title = next(iter(tree.findall(nodes.title)), None)
    return Page(
        document.name,
        (title.astext(),) if title is not None and not list(title.findall(nodes.problematic)) else (),
        found,
        tuple(node["file"] for node in tree.findall(_Elsewhere)),
    )


class _Matrix(nodes.General, nodes.Element):
    """A table."""


class _Row(nodes.General, nodes.Element):
    """A row of it."""


class _Cell(nodes.General, nodes.Element):
    """A cell of a row."""


class _Selected(nodes.General, nodes.Element):
    """A part of the page that is shown under conditions."""


class _Elsewhere(nodes.General, nodes.Invisible, nodes.Element):
    """Another file that belongs here."""


class _AnyOption(dict[str, Any]):
    """Takes every option as it is; which are allowed is decided where the table is read."""

    def __missing__(self, name: str) -> Any:
        return directives.unchanged


_ANY = _AnyOption({"class": directives.unchanged})  # docutils looks for options only where this is not empty


class _Container(Directive):
    """Reads what stands in it, in a node of its own."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = _ANY
    node_class: type[nodes.Element] = _Matrix

    def run(self) -> list[nodes.Node]:
        """One node, with options as text and an argument as a first paragraph."""
        node = self.node_class()
        node["options"] = {name: value or "" for name, value in self.options.items()}
        node["argument"] = self.arguments[0] if self.arguments else ""
        node["at"] = self.lineno
        if self.arguments and self.node_class is _Cell:
            text, messages = self.state.inline_text(self.arguments[0], self.lineno)
            node += nodes.paragraph(self.arguments[0], "", *text)
            node += messages
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


class _MatrixDirective(_Container):
    node_class = _Matrix


class _RowDirective(_Container):
    node_class = _Row


class _CellDirective(_Container):
    node_class = _Cell


class _SelectedDirective(_Container):
    node_class = _Selected


class _HeadDirective(_Container):
    """Groups rows; it has no meaning of its own unless it has options."""

    node_class = _Selected


class _IncludeDirective(Directive):
    """Names a file, and reads nothing."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = _ANY

    def run(self) -> list[nodes.Node]:
        """The name only."""
        return [_Elsewhere(file=self.arguments[0])]


class _ReplaceDirective(Directive):
    """A substitution's text as it is, and a short one: substitutions in substitutions grow without end."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The text."""
        text = " ".join(" ".join(self.content).split())
        if len(text) > _LIMIT_SUBSTITUTION:
            raise self.error("a substitution is too long")
        return [nodes.Text(text)]


class _NothingDirective(Directive):
    """Takes what it is given and leaves nothing, unless that was a part of a table."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = _ANY

    def run(self) -> list[nodes.Node]:
        """Nothing, or a fault."""
        if _ROWS_IN_MARKUP.search("\n".join(self.content)):
            return [nodes.problematic(self.block_text, "raw markup of a table")]
        return []


_DIRECTIVES: Mapping[str, type[Directive]] = {
    "matrix": _MatrixDirective,
    "matrix-head": _HeadDirective,
    "matrix-body": _HeadDirective,
    "matrix-row": _RowDirective,
    "matrix-cell": _CellDirective,
    "selected": _SelectedDirective,
    "selected-content": _SelectedDirective,
    "include": _IncludeDirective,
    "replace": _ReplaceDirective,
    **dict.fromkeys(("raw", "role", "default-role", "csv-table", "date", "meta", "toctree"), _NothingDirective),
}


def _prepare() -> None:
    """Register what AMD's pages use. docutils keeps one list for the process: doing it again changes nothing."""
    for name, directive in _DIRECTIVES.items():
        directives.register_directive(name, directive)
    for name in ("doc", "ref", "term", "abbr"):
        roles.register_local_role(name, _text_role)  # type: ignore[arg-type]  # the stubs know references only


def _text_role(
    name: str, rawtext: str, text: str, lineno: int, inliner: states.Inliner, *_: Any, **__: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """A role of Sphinx, read as its text."""
    return [nodes.inline(rawtext, text.partition("<")[0].strip() or text)], []


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


def _count(document: Document, found: tuple[Table, ...], tree: nodes.document) -> None:
    """Refuse a file of which docutils dropped a part."""
    read = {
        "matrix": len(found),
        "matrix-row": len(list(tree.findall(_Row))),
        "matrix-cell": len(list(tree.findall(_Cell))),
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
    def __init__(self, name: str) -> None:
        self.name = name

    def table(self, matrix: _Matrix) -> Table:
        around: list[nodes.Element] = []
        parent = matrix.parent
        while parent is not None:
            if isinstance(parent, _Selected):
                around.append(parent)
            elif isinstance(parent, _Cell | _Row | _Matrix):
                self.refuse(matrix["at"], "a table stands inside a table")
            parent = parent.parent
        conditions, fault = None, ""
        try:
            conditions = self.together(matrix["at"], *map(self.shown, around), self.conditions(matrix))
        except InputError as error:
            fault = error.message
        rows = tuple(self.rows(matrix, ()))
        if sum(len(row.cells) for row in rows) > LIMIT_CELLS:
            self.refuse(matrix["at"], f"a table of more than {LIMIT_CELLS:,} cells")
        return Table(self.name, matrix["at"], rows, conditions, fault=fault)

    def rows(self, group: nodes.Element, around: Sequence[nodes.Element]) -> Iterator[TableRow]:
        for child in group.children:
            if isinstance(child, _Row):
                yield self.row(child, around)
            elif isinstance(child, _Selected):
                yield from self.rows(child, (*around, child))
            elif _damaged(child) or not isinstance(child, nodes.comment):
                yield TableRow((), group["at"], fault="something else than rows stands in a table")

    def row(self, row: _Row, around: Sequence[nodes.Element]) -> TableRow:
        cells = tuple(self.cell(child) for child in row.children if isinstance(child, _Cell))
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

    def cell(self, cell: _Cell) -> TableCell:
        line, header = cell["at"], "header" in cell["options"]
        try:
            content = _Content(self, cell)
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

    def span(self, cell: _Cell, name: str) -> int:
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

    def __init__(self, reader: _Reader, cell: _Cell) -> None:
        self.reader = reader
        self.at: int = cell["at"]
        self.lines: list[str] = []
        self.links: list[str] = []
        self.marks: list[str] = []
        self.wrapped = False
        for child in cell.children:
            self.block(child)

    def block(self, node: nodes.Node) -> None:
        if isinstance(node, nodes.paragraph | nodes.line):
            line = " ".join("".join(self.inline(child) for child in node.children).split())
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
