"""Documents out of libyaml's events, without recursion, keeping count of what aliases repeat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from portability.engine.manifests.limits import MAX_DEPTH, MAX_DOCUMENTS, MAX_NODES, MAX_REPEATED, LimitError
from portability.engine.manifests.nodes import Document, Mapping, Node, Scalar, Sequence, TextBlock

_MERGE = "<<"
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
        events: Iterator[Any] = yaml.parse(text, Loader=yaml.CSafeLoader)
        for event in events:
            if type(event) is yaml.DocumentStartEvent:
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
        stack: list[Mapping | Sequence] = []
        keys: list[tuple[str, int] | None] = []  # the name that waits for its value, for each open mapping
        anchors: dict[str, Node] = {}
        pending: list[str | None] = []  # anchors of the open collections
        merges: list[tuple[Mapping, Node]] = []
        for event in events:
            kind = type(event)
            node: Node
            if kind is yaml.ScalarEvent:
                node = self._scalar(event, offset)
                if event.anchor:
                    anchors[event.anchor] = node
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                line = event.start_mark.line + 1 + offset
                if len(stack) >= MAX_DEPTH:
                    raise LimitError(line, f"nested more than {MAX_DEPTH} deep", "No manifest is; flatten it.")
                stack.append(Mapping(line) if kind is yaml.MappingStartEvent else Sequence(line))
                keys.append(None)
                pending.append(event.anchor)
                continue
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                node = stack.pop()
                keys.pop()
                anchor = pending.pop()
                if anchor:
                    anchors[anchor] = node
            elif kind is yaml.AliasEvent:
                line = event.start_mark.line + 1 + offset
                found = anchors.get(event.anchor)
                if found is None:
                    raise LimitError(
                        line,
                        f"*{event.anchor} names no anchor before it",
                        f"Write &{event.anchor} where it is defined.",
                    )
                node = found
                self._repeated += _size(node)
                if self._repeated > MAX_REPEATED:
                    raise LimitError(
                        line, f"aliases repeat more than {MAX_REPEATED:,} values", "Write less with aliases."
                    )
            else:  # the document's end
                break
            if not stack:
                root = node
                continue
            parent = stack[-1]
            parent.size += 1 if isinstance(node, Scalar) else node.size
            if type(parent) is Sequence:
                parent.items.append(node)
                continue
            name = keys[-1]
            if name is None:
                keys[-1] = self._name(node)
                continue
            keys[-1] = None
            assert isinstance(parent, Mapping)
            if name[0] == _MERGE and not isinstance(node, Scalar):
                merges.append((parent, node))
            else:
                parent.nodes[name[0]] = node
                parent.lines[name[0]] = name[1]
        for mapping, source in merges:
            _merge(mapping, source)
        return root

    def _name(self, node: Node) -> tuple[str, int]:
        if isinstance(node, Scalar):
            return node.value, node.line
        self.odd_key = self.odd_key or node.line
        return "?", node.line

    def _scalar(self, event: Any, offset: int) -> Scalar:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            line = event.start_mark.line + 1 + offset
            raise LimitError(line, f"more than {MAX_NODES:,} values in one file", "Split the file.")
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
