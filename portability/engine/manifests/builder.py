"""Documents as libyaml composes them, made fit to be looked at: by name, without surprises, and not too much of it.

PyYAML's composer makes a node of every value in C, for about what the bare events cost. So scalars stay as they come,
and only mappings and lists become the product's own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import yaml

from portability.engine.manifests.limits import (
    FLATTEN,
    MAX_DEPTH,
    MAX_DOCUMENTS,
    MAX_NODES,
    MAX_REPEATED,
    TOO_DEEP,
    LimitError,
)
from portability.engine.manifests.nodes import Document, Mapping, Node, Scalar, Sequence, is_null

_MERGE = "<<"


class Unread(NamedTuple):
    """What is not put together, as nothing in it is asked for: all but kind and metadata of objects of these kinds (as
    `group_kind` names them), and mappings and lists under these names.
    """

    kinds: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


NOTHING_UNREAD = Unread()


class _Composer(yaml.CBaseLoader):
    """Composes without saying what a value means: no tags are resolved, every value stays text."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        return None

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        pass

    def ascend_resolver(self) -> None:
        pass


class Builder:
    """Puts documents together, keeping count of what aliases repeat."""

    def __init__(self, unread: Unread = NOTHING_UNREAD) -> None:
        self.documents: list[Document] = []
        self.next_index = 0
        self.odd_key = 0
        self._unread = unread
        self._repeated = 0
        self._aliases = False
        self._shared: dict[int, Mapping | Sequence | None] = {}  # None: still open
        self._merges: list[tuple[Mapping, Node]] = []

    def feed(self, text: str, shift: int = 0) -> None:
        """Read a text. `shift`: what to add to its characters' numbers for those of the file."""
        if len(text) > MAX_NODES and _bound(text) > MAX_NODES:
            _count(text)
        self._aliases = "*" in text and "&" in text
        composer = _Composer(text)
        while composer.check_node():
            raw = composer.get_node()
            if self.next_index >= MAX_DOCUMENTS:
                raise LimitError(_line(raw), f"more than {MAX_DOCUMENTS:,} documents in one file", "Split the file.")
            self._shared, self._merges = {}, []
            root = self._node(raw, 0)
            for mapping, source in self._merges:
                _merge(mapping, source)
            empty = isinstance(root, Scalar) and is_null(root)
            self.documents.append(Document(self.next_index, None if empty else root, raw, shift))
            self.next_index += 1

    def _node(self, raw: Any, depth: int) -> Node:
        if type(raw) is Scalar:
            return raw
        if depth >= MAX_DEPTH:
            raise LimitError(_line(raw), TOO_DEEP, FLATTEN)
        if not self._aliases:
            return self._mapping(raw, depth) if type(raw) is yaml.MappingNode else self._sequence(raw, depth)
        if id(raw) in self._shared:
            return self._repeat(raw)
        self._shared[id(raw)] = None
        node = self._mapping(raw, depth) if type(raw) is yaml.MappingNode else self._sequence(raw, depth)
        self._shared[id(raw)] = node
        return node

    def _mapping(self, raw: Any, depth: int) -> Mapping:
        pairs = raw.value
        mapping = Mapping(raw.start_mark.line + 1, pairs)
        nodes = mapping.nodes
        kinds, unread = self._unread
        if not depth and kinds and group_kind(pairs) in kinds:
            pairs = [(key, value) for key, value in pairs if key.value in _OF_ANY]
        for key, value in pairs:
            name = key.value if type(key) is Scalar else self._odd(key)
            if type(value) is Scalar:
                nodes[name] = value
            elif name in unread:
                continue
            elif name == _MERGE:
                self._merges.append((mapping, self._node(value, depth + 1)))
            else:
                nodes[name] = self._node(value, depth + 1)
        return mapping

    def _sequence(self, raw: Any, depth: int) -> Sequence:
        below = depth + 1
        items = [item if type(item) is Scalar else self._node(item, below) for item in raw.value]
        return Sequence(raw.start_mark.line + 1, items)

    def _repeat(self, raw: Any) -> Node:
        """What an alias stands for."""
        found = self._shared[id(raw)]
        if found is None:
            raise LimitError(_line(raw), "an alias stands in what it repeats", "Write out what is meant.")
        self._repeated += found.size()
        if self._repeated > MAX_REPEATED:
            raise LimitError(
                _line(raw), f"aliases repeat more than {MAX_REPEATED:,} values", "Write less with aliases."
            )
        return found

    def _odd(self, key: Any) -> str:
        self.odd_key = self.odd_key or _line(key)
        return "?"


# What is kept of an object that is passed over.
_OF_ANY = ("apiVersion", "kind", "metadata")


def group_kind(pairs: list[tuple[Any, Any]]) -> str:
    """Which object it is, by API group (or version, where it has none) and kind: `apps/Deployment`, `v1/Service`."""
    version = kind = ""
    for key, value in pairs:
        if key.value == "apiVersion" and type(value) is Scalar:
            version = value.value
        elif key.value == "kind" and type(value) is Scalar:
            kind = value.value
    return f"{version.partition('/')[0]}/{kind}"


def _merge(mapping: Mapping, source: Node) -> None:
    """`<<`: what a mapping says itself stands before what it merges, and the first of several before the rest."""
    for part in source.items if isinstance(source, Sequence) else [source]:
        if isinstance(part, Mapping):
            for name, node in part.nodes.items():
                mapping.nodes.setdefault(name, node)
            mapping.merged.append(part)


def _bound(text: str) -> int:
    """At least as many as the values in a text: each ends with a colon, a comma or its line, or is a collection."""
    ends = text.count(":") + text.count(",") + text.count("\n") + text.count("\r") + 1
    return ends + text.count(":") + text.count("[") + text.count("{") + text.count("- ") + text.count("-\t")


def _count(text: str) -> None:
    """Refuse a text of too many values before they are put together."""
    values = 0
    for event in iter(yaml.CBaseLoader(text).get_event, None):
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent):
            values += 1
            if values > MAX_NODES:
                raise LimitError(_line(event), f"more than {MAX_NODES:,} values in one file", "Split the file.")


def _line(raw: Any) -> int:
    line: int = raw.start_mark.line + 1
    return line
