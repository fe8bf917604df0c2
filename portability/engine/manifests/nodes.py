"""What a document is made of. Light on purpose: a big file holds hundreds of thousands of these."""

from __future__ import annotations

import re
from functools import cached_property

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_UNUSUAL = ("\r", "\x85", "\u2028", "\u2029")
_BLOCKS = ("|", ">")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


class SourceLines:
    """The lines of a file, taken apart where somebody asks for them first: most files are never asked."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> list[str]:
        """The lines as YAML breaks them, without their ends."""
        if any(mark in self.text for mark in _UNUSUAL):
            return _BREAK.split(self.text)
        return self.text.split("\n")

    @cached_property
    def starts(self) -> list[int]:
        """The first character of each line."""
        return [0, *(found.end() for found in _BREAK.finditer(self.text))]


class Scalar:
    """One value as text, and where it starts. Quantities stay text: `1.10` is not `1.1`."""

    __slots__ = ("line", "plain", "value")

    def __init__(self, value: str, line: int, plain: bool) -> None:
        self.value = value
        self.line = line
        self.plain = plain

    @property
    def is_null(self) -> bool:
        """Whether YAML reads it as no value at all."""
        return self.plain and self.value in _NULLS

    def size(self) -> int:
        """How many values it is."""
        return 1

    def lines(self) -> list[tuple[int, str]]:
        """Its lines as (line of the file, text without the space around it)."""
        if "\n" not in self.value:
            return [(self.line, self.value.strip())]
        return [(self.line, line.strip()) for line in self.value.split("\n")]

    def span(self) -> tuple[int, int]:
        """The lines of the file that hold the first and the last line of its value."""
        return self.line, self.line


class TextBlock(Scalar):
    """A scalar that spans several lines of its file: a block string, or quoted or plain text that goes on."""

    __slots__ = ("end", "source", "start_column", "style")

    def __init__(self, value: str, line: int, style: str, source: SourceLines, end: int, start_column: int) -> None:
        super().__init__(value, line, not style)
        self.style = style
        self.source = source
        self.end = end  # index of the last line of the file that belongs to it, exclusive
        self.start_column = start_column

    def lines(self) -> list[tuple[int, str]]:
        """The lines of the file it spans, stripped, quotes taken off its ends."""
        source, block = self.source.lines, self.style in _BLOCKS
        first = self.line if block else self.line - 1  # counted from 0; a block begins after its indicator
        found = [(n, text.strip()) for n, text in enumerate(source[first : self.end], first + 1)]
        if block:
            while found and not found[-1][1]:
                found.pop()
        elif found:
            found[0] = (found[0][0], source[first][self.start_column :].strip().lstrip("\"'"))
            found[-1] = (found[-1][0], found[-1][1].rstrip("\"'"))
        return found

    def span(self) -> tuple[int, int]:
        """Those of a block come after its indicator."""
        first = self.line + 1 if self.style in _BLOCKS else self.line
        return first, max(first, self.end)


class Mapping:
    """Names to values. A repeated name keeps its last value, as the cluster does."""

    __slots__ = ("_size", "line", "lines", "nodes")

    def __init__(self, line: int) -> None:
        self.line = line
        self.nodes: dict[str, Node] = {}
        self.lines: dict[str, int] = {}  # the line of each name
        self._size = 0

    def size(self) -> int:
        """How many values it holds, those that aliases repeat included; counted once, as aliases nest."""
        if not self._size:
            self._size = 1 + len(self.nodes) + sum(node.size() for node in self.nodes.values())
        return self._size

    def text(self, name: str) -> str:
        """The scalar under a name, or nothing."""
        node = self.nodes.get(name)
        return node.value if isinstance(node, Scalar) and not node.is_null else ""

    def group_kind(self) -> str:
        """Which object it is, by API group (or version, where it has none) and kind: `apps/Deployment`, `v1/Service`."""
        return f"{self.text('apiVersion').partition('/')[0]}/{self.text('kind')}"

    def mapping(self, name: str) -> Mapping | None:
        """The mapping under a name, if it is one."""
        node = self.nodes.get(name)
        return node if isinstance(node, Mapping) else None

    def sequence(self, name: str) -> list[Node]:
        """The items of the list under a name; none if it is no list."""
        node = self.nodes.get(name)
        return node.items if isinstance(node, Sequence) else []


class Sequence:
    """A list. `names`: what its items are called in paths, worked out when first asked for."""

    __slots__ = ("_size", "items", "line", "names")

    def __init__(self, line: int) -> None:
        self.line = line
        self.items: list[Node] = []
        self.names: list[str | None] | None = None
        self._size = 0

    def size(self) -> int:
        """How many values it holds, those that aliases repeat included; counted once, as aliases nest."""
        if not self._size:
            self._size = 1 + sum(item.size() for item in self.items)
        return self._size


Node = Scalar | Mapping | Sequence


class Document:
    """One document of a file. `index` counts from 0, empty documents too; `root` is None for an empty one."""

    __slots__ = ("index", "root")

    def __init__(self, index: int, root: Node | None) -> None:
        self.index = index
        self.root = root
