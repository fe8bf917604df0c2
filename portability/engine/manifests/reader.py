"""YAML or JSON text to documents whose every scalar knows its line. Built from libyaml's events, without recursion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from portability.engine.manifests.decode import to_text
from portability.engine.manifests.limits import MAX_DEPTH, MAX_DOCUMENTS, MAX_NODES, MAX_RESUMES, LimitError
from portability.engine.manifests.nodes import Document, Mapping, Node, Scalar, Sequence, TextBlock
from portability.engine.manifests.templates import find_template
from portability.engine.model import Problem

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_START = re.compile(r"^---(?:\s|$)")
_MERGE = "<<"


@dataclass(slots=True)
class ReadFile:
    """A file as far as it could be read."""

    name: str
    documents: list[Document] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def read(name: str, content: str | bytes) -> ReadFile:
    """Read one file. What cannot be read is a problem with its line; what can be is kept."""
    result = ReadFile(name)
    try:
        text = to_text(content)
    except LimitError as error:
        result.problems.append(Problem(name, error.line, error.message, error.remedy))
        return result
    result.lines = _BREAK.split(text)
    builder = _Builder(result.lines)
    failed = _read_all(text, builder, result)
    template = find_template(result.lines, builder.blocks, not failed and not builder.odd_key)
    if template:
        line, message, remedy = template
        result.problems = [Problem(name, line, message, remedy)]
    elif builder.odd_key:
        result.problems.append(
            Problem(
                name,
                builder.odd_key,
                "a mapping or a list is used as a name",
                "Manifests have plain names only; if this is a template, render it first.",
            )
        )
    result.documents = builder.documents
    return result


def _read_all(text: str, builder: _Builder, result: ReadFile) -> bool:
    """Feed the text to the builder, going on at the next document after one that is broken. Whether any was."""
    rest, offset, failed = text, 0, False
    for _ in range(MAX_RESUMES):
        try:
            builder.feed(rest, offset)
            return failed
        except LimitError as error:
            result.problems.append(Problem(result.name, error.line, error.message, error.remedy))
            return True
        except yaml.YAMLError as error:
            failed = True
            line, message = _explain(error, offset)
            result.problems.append(Problem(result.name, line, message, _remedy(result.lines, line)))
        index = builder.abandon()
        after = next(
            (n for n in range(max(line, offset + 1), len(result.lines)) if _START.match(result.lines[n])), None
        )
        if after is None:
            return True
        builder.next_index = index + 1
        rest, offset = "\n".join(result.lines[after:]), after
    return True


def _explain(error: yaml.YAMLError, offset: int) -> tuple[int, str]:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line = mark.line + 1 + offset if mark else offset + 1
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it does not parse"
    context = getattr(error, "context", None)
    return line, f"not valid YAML: {context + ', ' if context else ''}{problem}"


def _remedy(lines: list[str], line: int) -> str:
    near = lines[line - 1] if 0 < line <= len(lines) else ""
    if "\t" in near[: len(near) - len(near.lstrip())]:
        return "Indent with spaces: YAML allows no tabs there."
    return "Mend this line or the one before it; `kubectl apply --dry-run=client -f` shows the same."


class _Builder:
    """Puts documents together from events, keeping count of what aliases repeat."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.documents: list[Document] = []
        self.blocks: list[tuple[int, int]] = []
        self.next_index = 0
        self.odd_key = 0
        self._nodes = 0
        self._open = False

    def abandon(self) -> int:
        """Leave the document that could not be read; the number it has."""
        index = self.next_index if self._open else max(self.next_index - 1, -1) + (not self._open)
        self._open = False
        return index

    def feed(self, text: str, offset: int) -> None:
        """Read a text whose first line is line `offset` of the file, counted from 0."""
        events = yaml.parse(text, Loader=yaml.CSafeLoader)
        for event in events:
            if type(event) is yaml.DocumentStartEvent:
                if self.next_index >= MAX_DOCUMENTS:
                    raise LimitError(
                        event.start_mark.line + 1 + offset,
                        f"more than {MAX_DOCUMENTS:,} documents in one file",
                        "Split the file.",
                    )
                self._open = True
                root = self._document(events, offset)
                self._open = False
                empty = isinstance(root, Scalar) and root.is_null
                self.documents.append(Document(self.next_index, None if empty else root))
                self.next_index += 1

    def _document(self, events: Iterator[yaml.Event], offset: int) -> Node | None:
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
                self._nodes += _size(node)
                if self._nodes > MAX_NODES:
                    raise LimitError(line, f"aliases repeat more than {MAX_NODES:,} values", "Write less with aliases.")
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

    def _scalar(self, event: yaml.ScalarEvent, offset: int) -> Scalar:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            line = event.start_mark.line + 1 + offset
            raise LimitError(line, f"more than {MAX_NODES:,} values in one file", "Split the file.")
        start = event.start_mark
        line = start.line
        style = event.style
        if style is None or style == "":
            end = event.end_mark
            if end.line == line:
                return Scalar(event.value, line + 1 + offset, True)
            return TextBlock(event.value, line + 1 + offset, "", self.lines, end.line + 1 + offset, start.column)
        end = event.end_mark
        if style in "|>":
            last = end.line + offset + (1 if end.column else 0)
            self.blocks.append((line + 1 + offset, last + 1))
            return TextBlock(event.value, line + 1 + offset, style, self.lines, last, start.column)
        if end.line == line:
            return Scalar(event.value, line + 1 + offset, False)
        return TextBlock(event.value, line + 1 + offset, style, self.lines, end.line + 1 + offset, start.column)


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
