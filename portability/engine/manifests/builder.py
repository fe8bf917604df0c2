"""Documents out of libyaml's events, keeping count of what aliases repeat.

This is where most of the reading time goes: a loop turn for every value of a file. Hence one function a collection,
which takes a name and its value at once, and no step that a value does not need.
"""

from __future__ import annotations

from collections.abc import Callable
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
from portability.engine.manifests.nodes import Document, Mapping, Node, Scalar, Sequence, SourceLines, TextBlock

_MERGE = "<<"
_BLOCK = ("|", ">")
_SAYS_KIND = ("apiVersion", "kind")
_NONE: frozenset[str] = frozenset()
Mark = tuple[int, int, str]  # of a scalar: its first character, the one after its last, and its style


class Builder:
    """Puts documents together from events, keeping count of what aliases repeat."""

    def __init__(self, source: SourceLines, keep_marks: bool = False, passed_over: frozenset[str] = _NONE) -> None:
        self.source = source
        self.marks: dict[int, Mark] | None = {} if keep_marks else None
        self.documents: list[Document] = []
        self.blocks: list[tuple[int, int]] = []
        self.next_index = 0
        self.odd_key = 0
        self._passed_over = passed_over
        self._values = 0
        self._repeated = 0
        self._shift = 0
        self._next: Callable[[], Any] = lambda: None
        self._anchors: dict[str, Node] = {}
        self._merges: list[tuple[Mapping, Node]] = []

    def feed(self, text: str, shift: int = 0) -> None:
        """Read a text. `shift`: what to add to its characters' numbers for those of the file."""
        self._shift = shift
        self._next = following = yaml.CSafeLoader(text).get_event
        while (event := following()) is not None:
            if type(event) is not DocumentStartEvent:
                continue
            if self.next_index >= MAX_DOCUMENTS:
                raise LimitError(
                    getattr(event.start_mark, "line", 0) + 1,
                    f"more than {MAX_DOCUMENTS:,} documents in one file",
                    "Split the file.",
                )
            self._anchors, self._merges = {}, []
            root = self._node(following(), 0)
            following()  # the document's end: what does not end well is not kept
            for mapping, source in self._merges:
                _merge(mapping, source)
            empty = isinstance(root, Scalar) and root.is_null
            self.documents.append(Document(self.next_index, None if empty else root))
            self.next_index += 1

    def _node(self, event: Any, depth: int) -> Node:
        """The node that an event begins."""
        kind = type(event)
        if kind is ScalarEvent:
            return self._scalar(event)
        if kind is MappingStartEvent:
            return self._mapping(event, depth)
        if kind is SequenceStartEvent:
            return self._sequence(event, depth)
        return self._repeat(event)

    def _mapping(self, event: Any, depth: int) -> Mapping:
        line = event.start_mark.line + 1
        if depth >= MAX_DEPTH:
            raise _too_deep(line)
        following, scalar = self._next, self._scalar
        mapping = Mapping(line)
        nodes, lines = mapping.nodes, mapping.lines
        node: Node
        passing = False
        while True:
            key = following()
            kind = type(key)
            if kind is ScalarEvent and not key.anchor and key.style not in _BLOCK:
                name, at = key.value, key.start_mark.line + 1
            elif kind is MappingEndEvent:
                break
            else:
                name, at = self._name(self._node(key, depth + 1))
            value = following()
            kind = type(value)
            if passing:
                passing = name not in _SAYS_KIND  # said again, it counts as it is said last
                if passing:
                    self._pass_over(value)
                    continue
            if kind is ScalarEvent:
                nodes[name] = scalar(value)
                lines[name] = at
                continue
            node = self._node(value, depth + 1)
            if name != _MERGE:
                nodes[name] = node
                lines[name] = at
            elif not isinstance(node, Scalar):
                self._merges.append((mapping, node))
            if not depth and name == "metadata":
                passing = mapping.group_kind() in self._passed_over
        self._count(2 * len(nodes), line)
        if event.anchor:
            self._anchors[event.anchor] = mapping
        return mapping

    def _pass_over(self, event: Any) -> None:
        """Go to the end of a value without putting it together."""
        depth = 0
        while True:
            kind = type(event)
            if kind is AliasEvent:
                self._repeat(event)
            elif kind is ScalarEvent:
                self._scalar(event)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                depth += 1
                if event.anchor:
                    self._anchors[event.anchor] = Scalar("", event.start_mark.line + 1, True)
            else:
                depth -= 1
            if not depth:
                return
            event = self._next()

    def _sequence(self, event: Any, depth: int) -> Sequence:
        line = event.start_mark.line + 1
        if depth >= MAX_DEPTH:
            raise _too_deep(line)
        following, scalar = self._next, self._scalar
        sequence = Sequence(line)
        items = sequence.items
        while True:
            value = following()
            kind = type(value)
            if kind is ScalarEvent:
                items.append(scalar(value))
            elif kind is SequenceEndEvent:
                break
            else:
                items.append(self._node(value, depth + 1))
        self._count(len(items), line)
        if event.anchor:
            self._anchors[event.anchor] = sequence
        return sequence

    def _scalar(self, event: Any) -> Scalar:
        start, end, style = event.start_mark, event.end_mark, event.style
        line = start.line + 1
        node: Scalar
        if end.line < line and style not in _BLOCK:
            node = Scalar(event.value, line, not style)
        else:
            last = end.line + 1
            if style in _BLOCK:
                last -= 0 if end.column else 1
                self.blocks.append((line + 1, last + 1))
            node = TextBlock(event.value, line, style or "", self.source, last, start.column)
        if event.anchor:
            self._anchors[event.anchor] = node
        if self.marks is not None:
            self.marks[id(node)] = (start.index + self._shift, end.index + self._shift, style or "")
        return node

    def _repeat(self, event: AliasEvent) -> Node:
        """What an alias stands for."""
        line = event.start_mark.line + 1
        found = self._anchors.get(event.anchor)
        if found is None:
            raise LimitError(
                line, f"*{event.anchor} names no anchor before it", f"Write &{event.anchor} where it is defined."
            )
        self._repeated += found.size()
        if self._repeated > MAX_REPEATED:
            raise LimitError(line, f"aliases repeat more than {MAX_REPEATED:,} values", "Write less with aliases.")
        return found

    def _name(self, node: Node) -> tuple[str, int]:
        if isinstance(node, Scalar):
            return node.value, node.line
        self.odd_key = self.odd_key or node.line
        return "?", node.line

    def _count(self, values: int, line: int) -> None:
        self._values += values
        if self._values > MAX_NODES:
            raise LimitError(line, f"more than {MAX_NODES:,} values in one file", "Split the file.")


def _too_deep(line: int) -> LimitError:
    return LimitError(line, f"nested more than {MAX_DEPTH} deep", "No manifest is; flatten it.")


def _merge(mapping: Mapping, source: Node) -> None:
    """`<<`: what a mapping says itself stands before what it merges, and the first of several before the rest."""
    for part in source.items if isinstance(source, Sequence) else [source]:
        if isinstance(part, Mapping):
            for name, node in part.nodes.items():
                if name not in mapping.nodes:
                    mapping.nodes[name] = node
                    mapping.lines[name] = part.lines[name]
