"""What a document is made of. Light on purpose: a big file holds hundreds of thousands of these."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import yaml

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_UNUSUAL = ("\r", "\x85", "\u2028", "\u2029")
_BLOCKS = ("|", ">")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})

# One value as text, as the composer makes it: `value`, `style` and where it starts and ends. Quantities stay text:
# `1.10` is not `1.1`.
Scalar = yaml.ScalarNode


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

    def of(self, scalar: Scalar) -> list[tuple[int, str]]:
        """The lines that a value spans, as (line of the file, text stripped, quotes taken off its ends)."""
        start, end = scalar.start_mark, scalar.end_mark
        assert start is not None and end is not None
        if start.line == end.line and not is_block(scalar):
            value = scalar.value
            texts = [value] if "\n" not in value else value.split("\n")  # by escapes, on one line of the file
            return [(start.line + 1, text.strip()) for text in texts]
        first, _ = span(scalar)
        last = _end(scalar)
        found = [(n, text.strip()) for n, text in enumerate(self.lines[first - 1 : last], first)]
        if is_block(scalar):
            while found and not found[-1][1]:
                found.pop()
        elif found:
            found[0] = (first, self.lines[first - 1][start.column :].strip().lstrip("\"'"))
            found[-1] = (found[-1][0], found[-1][1].rstrip("\"'"))
        return found


def line_of(node: Node) -> int:
    """The line on which a node starts, counted from 1; 0 for one that stands in no file."""
    if isinstance(node, Scalar):
        start = node.start_mark
        return start.line + 1 if start is not None else 0
    return node.line


def is_null(scalar: Scalar) -> bool:
    """Whether YAML reads it as no value at all."""
    return not scalar.style and scalar.value in _NULLS


def is_plain(scalar: Scalar) -> bool:
    """Whether it stands there without quotes."""
    return not scalar.style


def is_block(scalar: Scalar) -> bool:
    """Whether it is a block string."""
    return scalar.style in _BLOCKS


def is_one_line(scalar: Scalar) -> bool:
    """Whether it is one line, of the file and of its own: what most values are."""
    start, end = scalar.start_mark, scalar.end_mark
    return (
        start is not None
        and end is not None
        and start.line == end.line
        and "\n" not in scalar.value
        and scalar.style not in _BLOCKS
    )


def span(scalar: Scalar) -> tuple[int, int]:
    """The lines of the file that hold the first and the last line of a value. A block's come after its indicator."""
    first = line_of(scalar) + (1 if is_block(scalar) else 0)
    return first, max(first, _end(scalar))


def _end(scalar: Scalar) -> int:
    """The last line that belongs to a value; the one before the first where a block is empty."""
    end = scalar.end_mark
    assert end is not None
    return end.line + 1 if end.column or not is_block(scalar) else end.line


class Mapping:
    """Names to values. A repeated name keeps its last value, as the cluster does."""

    __slots__ = ("_size", "line", "merged", "nodes", "pairs")

    def __init__(self, line: int, pairs: list[tuple[Any, Any]]) -> None:
        self.line = line
        self.nodes: dict[str, Node] = {}
        self.pairs = pairs  # as composed: the names know their lines
        self.merged: list[Mapping] = []
        self._size = 0

    def line_of(self, name: str) -> int:
        """The line on which a name stands."""
        found = next((key for key, _ in reversed(self.pairs) if key.value == name), None)
        if found is not None:
            return line_of(found)
        return next((part.line_of(name) for part in self.merged if name in part.nodes), self.line)

    def size(self) -> int:
        """How many values it holds, those that aliases repeat included; counted once, as aliases nest."""
        if not self._size:
            self._size = 1 + len(self.nodes) + sum(_size(node) for node in self.nodes.values())
        return self._size

    def text(self, name: str) -> str:
        """The scalar under a name, or nothing."""
        node = self.nodes.get(name)
        return node.value if isinstance(node, Scalar) and not is_null(node) else ""

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

    def __init__(self, line: int, items: list[Node]) -> None:
        self.line = line
        self.items = items
        self.names: list[str | None] | None = None
        self._size = 0

    def size(self) -> int:
        """How many values it holds, those that aliases repeat included; counted once, as aliases nest."""
        if not self._size:
            self._size = 1 + sum(_size(item) for item in self.items)
        return self._size


Node = Scalar | Mapping | Sequence


def _size(node: Node) -> int:
    return 1 if isinstance(node, Scalar) else node.size()


class Document:
    """One document of a file. `index` counts from 0, empty documents too; `root` is None for an empty one."""

    __slots__ = ("index", "raw", "root", "shift")

    def __init__(self, index: int, root: Node | None, raw: Any, shift: int) -> None:
        self.index = index
        self.root = root
        self.raw = raw  # as composed, whole
        self.shift = shift  # what to add to the numbers of its characters for those of the file
