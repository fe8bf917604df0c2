"""HTML to a tree, through html5lib: it builds what a browser would, and lists every place where markup is broken.

A browser repairs what is broken, and a repaired table may say something else than its author did. So a page is refused
where anything is broken in or around a table, and where it ends before its elements do.
"""

from __future__ import annotations

from typing import Any, NoReturn
from xml.etree.ElementTree import Element

import html5lib
from html5lib.treebuilders import getTreeBuilder

from portability.engine.errors import InputError

GROUPS = frozenset({"thead", "tbody", "tfoot"})
OF_TABLES = frozenset({"table", "tr", "td", "th", "caption", "colgroup", "col", *GROUPS})
_AROUND = OF_TABLES | {"div", "section", "article", "main", "html", "body", "template", "details"}
_HARMLESS = ("doctype", "entity")  # in the names of faults after which tables are built the same way
_CUT = "expected-closing-tag-but-got-eof"
_LIMIT_CHARACTERS = 2_000_000
_LIMIT_PIECES = 2_000  # of one text, by entities: html5lib copies what it has at each
_LIMIT_DEPTH = 200
_LIMIT_ATTRIBUTES = 200  # of one element: it compares each with all before
_LIMIT_FAULTS = 500


def parse(name: str, text: str) -> tuple[Element, dict[Element, int]]:
    """The root of a page, and the lines of what its tables are made of. Raises InputError where it is not safe."""
    if len(text) > _LIMIT_CHARACTERS:
        raise InputError(name, 0, f"more than {_LIMIT_CHARACTERS:,} characters of HTML")
    parser = _Parser(name)
    root: Element = parser.parse(text)
    return root, parser.lines


class _Builder(getTreeBuilder("etree", fullTree=False)):  # type: ignore[misc]  # html5lib makes the class when asked
    """Remembers lines, and ends before a hostile page takes long."""

    parser: _Parser
    pieces = 0

    def insertText(self, data: str, parent: Any = None) -> None:
        self.pieces += 1
        if self.pieces > _LIMIT_PIECES:
            self.parser.refuse(f"a text of more than {_LIMIT_PIECES:,} pieces")
        super().insertText(data, parent)

    def insertElementNormal(self, token: dict[str, Any]) -> Any:
        self.pieces = 0
        if len(self.openElements) > _LIMIT_DEPTH or len(self.activeFormattingElements) > _LIMIT_DEPTH:
            self.parser.refuse(f"elements are nested more than {_LIMIT_DEPTH} deep")
        element = super().insertElementNormal(token)
        if token["name"] in OF_TABLES:
            self.parser.lines[element._element] = self.parser.line()
        return element


class _Parser(html5lib.HTMLParser):
    """Refuses at the first fault that touches a table."""

    def __init__(self, name: str) -> None:
        super().__init__(tree=_Builder, namespaceHTMLElements=False)
        self.name = name
        self.lines: dict[Element, int] = {}
        self.faults = 0
        tree: Any = self.tree
        tree.parser = self

    def reset(self) -> None:
        """Watch how many attributes a tag gets."""
        super().reset()
        tokenizer: Any = self.tokenizer
        name = tokenizer.attributeNameState

        def guarded() -> bool:
            if len(tokenizer.currentToken["data"]) > _LIMIT_ATTRIBUTES:
                self.refuse(f"more than {_LIMIT_ATTRIBUTES} attributes in a tag")
            return bool(name())

        tokenizer.attributeNameState = guarded

    def parseError(self, errorcode: str = "", datavars: dict[str, Any] | None = None) -> None:
        """What html5lib calls at each fault."""
        if any(word in errorcode for word in _HARMLESS):
            return
        self.faults += 1
        inside = any(element.name == "table" for element in self.tree.openElements)
        if errorcode == _CUT:
            self.refuse("the document ends before its elements are closed")
        if errorcode.startswith("eof-in-"):
            self.refuse(f"the document ends inside a {'table' if inside else 'tag'}")
        about = datavars or {}
        where = about.get("name") or about.get("endName")
        if inside or where in _AROUND:
            place = "inside a table" if inside else "around a table or section"
            self.refuse(f"broken markup {place}: {errorcode.replace('-', ' ')}{f' ({where})' if where else ''}")
        if self.faults > _LIMIT_FAULTS:
            self.refuse("broken markup in more places than can be listed")

    def line(self) -> int:
        """Where it is."""
        return int(self.tokenizer.stream.position()[0])

    def refuse(self, message: str) -> NoReturn:
        """Refuse the page at this line."""
        raise InputError(self.name, self.line(), message)
