"""Documents out of libyaml's events, without recursion, keeping count of what aliases repeat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from portability.engine.manifests.limits import MAX_DEPTH, MAX_DOCUMENTS, MAX_NODES, MAX_REPEATED, LimitError
from portability.engine.manifests.nodes import Document, Mapping, Node, Scalar, Sequence, TextBlock

_MERGE = "<<"
_BLOCK = ("|", ">")
Mark = tuple[int, int, str]  # of a scalar: its first character, the one after its last, and its style


class Builder:
    """Puts documents together from events, keeping count of what aliases repeat."""

    def __init__(self, lines: list[str], keep_marks: bool = False) -> None:
        self.lines = lines
        self.marks: dict[int, Mark] | None = {} if keep_marks else None
        self.documents: list[Document] = []
        self.blocks: list[tuple[int, int]] = []
        self.next_index = 0
        self.odd_key = 0
        self._nodes = 0
        self._repeated = 0
        self._shift = 0

    def feed(self, text: str, offset: int, shift: int = 0) -> None:
        """Read a text whose first line is line `offset` of the file, counted from 0, and its character `shift`."""
        self._shift = shift
        events: Iterator[Any] = iter(yaml.CSafeLoader(text).get_event, None)
        for event in events:
            if type(event) is DocumentStartEvent:
                if self.next_index >= MAX_DOCUMENTS:
                    raise LimitError(
                        getattr(event.start_mark, "line", 0) + 1 + offset,
                        f"more than {MAX_DOCUMENTS:,} documents in one file",
                        "Split the file.",
                    )
                root = self._document(events, offset)
                empty = isinstance(root, Scalar) and root.is_null
                self.documents.append(Document(self.next_index, None if empty else root))
                self.next_index += 1

    def _document(self, events: Iterator[Any], offset: int) -> Node | None:
        """One document's tree."""
        root: Node | None = None
        into: Mapping | Sequence | None = None  # the innermost open collection
        name: tuple[str, int] | None = None  # in an open mapping, the name that waits for its value
        stack: list[tuple[Mapping | Sequence | None, tuple[str, int] | None, str | None]] = []  # with its own anchor
        anchors: dict[str, Node] = {}
        merges: list[tuple[Mapping, Node]] = []
        for event in events:
            kind = type(event)
            node: Node
            if kind is ScalarEvent:
                if name is None and isinstance(into, Mapping) and not event.anchor and event.style not in _BLOCK:
                    self._count(event, offset)
                    into.size += 1
                    name = event.value, event.start_mark.line + 1 + offset
                    continue
                node = self._scalar(event, offset)
                if event.anchor:
                    anchors[event.anchor] = node
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                line = event.start_mark.line + 1 + offset
                if len(stack) >= MAX_DEPTH:
                    raise LimitError(line, f"nested more than {MAX_DEPTH} deep", "No manifest is; flatten it.")
                stack.append((into, name, event.anchor))
                into, name = Mapping(line) if kind is MappingStartEvent else Sequence(line), None
                continue
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                assert into is not None
                node = into
                into, name, anchor = stack.pop()
                if anchor:
                    anchors[anchor] = node
            elif kind is AliasEvent:
                node = self._repeat(event, anchors, offset)
            else:  # the document's end
                break
            if into is None:
                root = node
                continue
            into.size += 1 if isinstance(node, Scalar) else node.size
            if isinstance(into, Sequence):
                into.items.append(node)
            elif name is None:
                name = self._name(node)
            elif name[0] == _MERGE and not isinstance(node, Scalar):
                merges.append((into, node))
                name = None
            else:
                into.nodes[name[0]], into.lines[name[0]] = node, name[1]
                name = None
        for mapping, source in merges:
            _merge(mapping, source)
        return root

    def _repeat(self, event: Any, anchors: dict[str, Node], offset: int) -> Node:
        """What an alias stands for."""
        line = event.start_mark.line + 1 + offset
        found = anchors.get(event.anchor)
        if found is None:
            raise LimitError(
                line, f"*{event.anchor} names no anchor before it", f"Write &{event.anchor} where it is defined."
            )
        self._repeated += _size(found)
        if self._repeated > MAX_REPEATED:
            raise LimitError(line, f"aliases repeat more than {MAX_REPEATED:,} values", "Write less with aliases.")
        return found

    def _name(self, node: Node) -> tuple[str, int]:
        if isinstance(node, Scalar):
            return node.value, node.line
        self.odd_key = self.odd_key or node.line
        return "?", node.line

    def _count(self, event: Any, offset: int) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            line = event.start_mark.line + 1 + offset
            raise LimitError(line, f"more than {MAX_NODES:,} values in one file", "Split the file.")

    def _scalar(self, event: Any, offset: int) -> Scalar:
        self._count(event, offset)
        start, end = event.start_mark, event.end_mark
        style: str = event.style or ""
        line, last = start.line + 1 + offset, end.line + 1 + offset
        node: Scalar
        if style == "|" or style == ">":
            last -= 0 if end.column else 1
            self.blocks.append((line + 1, last + 1))
            node = TextBlock(event.value, line, style, self.lines, last, start.column)
        elif line == last:
            node = Scalar(event.value, line, not style)
        else:
            node = TextBlock(event.value, line, style, self.lines, last, start.column)
        if self.marks is not None:
            self.marks[id(node)] = (start.index + self._shift, end.index + self._shift, style)
        return node


def _size(node: Node) -> int:
    return 1 if isinstance(node, Scalar) else node.size


def _merge(mapping: Mapping, source: Node) -> None:
    """`<<`: what a mapping says itself stands before what it merges, and the first of several before the rest."""
    for part in source.items if isinstance(source, Sequence) else [source]:
        if isinstance(part, Mapping):
            for name, node in part.nodes.items():
                if name not in mapping.nodes:
                    mapping.nodes[name] = node
                    mapping.lines[name] = part.lines[name]
