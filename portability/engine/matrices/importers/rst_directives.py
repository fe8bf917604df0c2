"""The directives of AMD's documentation for docutils: `matrix` and what is in it. Nothing is fetched or run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive, directives, roles, states
from docutils.parsers.rst.directives.tables import CSVTable

_LIMIT_SUBSTITUTION = 100
_ROWS_IN_MARKUP = re.compile(r"<\s*/?\s*(?:table|tr|td|th|tbody)\b", re.IGNORECASE)


class Matrix(nodes.General, nodes.Element):
    """A table."""


class Row(nodes.General, nodes.Element):
    """A row of it."""


class Cell(nodes.General, nodes.Element):
    """A cell of a row."""


class Selected(nodes.General, nodes.Element):
    """A part of the page that is shown under conditions."""


class Elsewhere(nodes.General, nodes.Invisible, nodes.Element):
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
    node_class: type[nodes.Element] = Matrix

    def run(self) -> list[nodes.Node]:
        """One node, with options as text and an argument as a first paragraph."""
        node = self.node_class()
        node["options"] = {name: value or "" for name, value in self.options.items()}
        node["argument"] = self.arguments[0] if self.arguments else ""
        node["at"] = self.lineno
        if self.arguments and self.node_class is Cell:
            text, messages = self.state.inline_text(self.arguments[0], self.lineno)
            node += nodes.paragraph(self.arguments[0], "", *text)
            node += messages
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


class _MatrixDirective(_Container):
    node_class = Matrix


class _RowDirective(_Container):
    node_class = Row


class _CellDirective(_Container):
    node_class = Cell


class _SelectedDirective(_Container):
    node_class = Selected


class _HeadDirective(_Container):
    """Groups rows; it has no meaning of its own unless it has options."""

    node_class = Selected


class _IncludeDirective(Directive):
    """Names a file, and reads nothing."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = _ANY

    def run(self) -> list[nodes.Node]:
        """The name only."""
        return [Elsewhere(file=self.arguments[0])]


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
    "csv-table": CSVTable,  # with its own rows only: docutils opens no file here
    **dict.fromkeys(("raw", "role", "default-role", "date", "meta", "toctree"), _NothingDirective),
}


def prepare() -> None:
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
