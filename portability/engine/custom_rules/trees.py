"""Manifests as plain values that custom rules read, with the line of each, and where in a manifest a value stands.

A tree holds what the reader of manifests reads, as a cluster would: YAML's booleans and numbers as such, all else as
text. Documents carried in texts of documents stay texts. Objects in a List are objects of their own, as a cluster
makes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from portability.engine.manifests import nodes
from portability.engine.manifests.places import Scope, root
from portability.engine.manifests.reader import read
from portability.engine.model import Place, Resource

TREE_VERSION = 2  # raise it when the same manifests would give another tree: stored ones are then made anew
Location = tuple[int | str, ...]
_HOLDER = {"List": "items", "Template": "objects"}  # kinds whose objects stand in a list: Kubernetes, OpenShift
_EXACT = 10**16  # from here on a database may give a whole number back for one with a point
_WHOLE = re.compile(r"[-+]?(?:0|[1-9]\d{0,18})")
_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d{0,18})(?:\.\d{1,30})?(?:[eE][-+]?\d{1,2})?")


@dataclass(frozen=True, slots=True)
class DocumentTree:
    """One document. `lines`: of a scalar its line; of a mapping or list its line and those of what it holds."""

    file: str
    index: int  # in its file, from 0
    value: Any
    lines: Any


def read_trees(files: Iterable[tuple[str, str | bytes]]) -> list[DocumentTree]:
    """The documents of files, as far as they can be read."""
    return [
        DocumentTree(name, document.index, _plain(document.root), _lines(document.root))
        for name, content in files
        for document in read(name, content).documents
        if document.root is not None
    ]


def trees_to_json(trees: Sequence[DocumentTree]) -> dict[str, Any]:
    """Plain lists and mappings to store. Keys may come back in another order."""
    return {"version": TREE_VERSION, "documents": [[t.file, t.index, t.value, t.lines] for t in trees]}


def trees_from_json(data: Mapping[str, Any]) -> list[DocumentTree] | None:
    """What `trees_to_json` wrote; None where another version of it did."""
    if data.get("version") != TREE_VERSION:
        return None
    return [DocumentTree(*document) for document in data["documents"]]


def objects_in(document: Any, at: Location = ()) -> Iterator[tuple[Location, Any]]:
    """The objects that a document holds, each with where it stands: of a List or a Template those inside it."""
    kind = document.get("kind") if isinstance(document, dict) else None
    holder = _HOLDER.get(kind) if isinstance(kind, str) else None
    held = document.get(holder) if holder else None
    if not isinstance(held, list):
        yield at, document
        return
    for number, item in enumerate(held):
        yield from objects_in(item, (*at, str(holder), number))


class Places:
    """Where the values of one document stand, as other findings have it: list items are named by their merge key."""

    def __init__(self, tree: DocumentTree) -> None:
        self._tree = tree
        self._sequences: dict[int, nodes.Sequence] = {}  # by identity of the list: named once, whatever stands in it

    def of(self, location: Sequence[int | str]) -> Place:
        """The place of what stands there."""
        at, value, lines = root(), self._tree.value, self._tree.lines
        resource = _resource(value, True) or Resource()
        for step in location:
            at = at.item(self._sequence(value), step) if isinstance(step, int) else at.entry(nodes.Mapping(0, []), step)
            value, lines = value[step], lines[1][step]
            resource = _resource(value, False) or resource
        line = lines if isinstance(lines, int) else lines[0]
        return Scope(self._tree.file, self._tree.index, resource).place(at, line)

    def _sequence(self, items: list[Any]) -> nodes.Sequence:
        found = self._sequences.get(id(items))
        if found is None:
            found = self._sequences[id(items)] = _sequence(items)
        return found


def _plain(node: nodes.Node | None) -> Any:
    if isinstance(node, nodes.Mapping):
        return {name: _plain(child) for name, child in node.nodes.items()}
    if isinstance(node, nodes.Sequence):
        return [_plain(item) for item in node.items]
    return None if node is None or nodes.is_null(node) else _scalar(node)


def _scalar(node: nodes.Scalar) -> Any:
    text = node.value
    if not nodes.is_plain(node):
        return text
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text.lower() == "true"
    if _WHOLE.fullmatch(text):
        return int(text)
    if not _NUMBER.fullmatch(text):
        return text
    number = float(text)
    return int(number) if abs(number) >= _EXACT else number


def _lines(node: nodes.Node | None) -> Any:
    if isinstance(node, nodes.Mapping):
        return [node.line, {name: _lines(child) for name, child in node.nodes.items()}]
    if isinstance(node, nodes.Sequence):
        return [node.line, [_lines(item) for item in node.items]]
    return nodes.line_of(node) if node is not None else 0


def _resource(value: Any, whole: bool) -> Resource | None:
    """The Kubernetes object that a mapping is; None where it is none of its own."""
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str) or "apiVersion" not in value:
        return None
    if not (whole or "metadata" in value or "spec" in value):
        return None
    metadata = value.get("metadata")
    named = metadata if isinstance(metadata, dict) else {}
    return Resource(value["kind"], str(named.get("namespace") or ""), str(named.get("name") or ""))


def _sequence(items: list[Any]) -> nodes.Sequence:
    """A list as the reader has it, as far as its items' names are asked for."""
    sequence = nodes.Sequence(0, [])
    for item in items:
        mapping = nodes.Mapping(0, [])
        if isinstance(item, dict):
            mapping.nodes = {
                name: nodes.Scalar("", _text(value))
                for name, value in item.items()
                if value is not None and not isinstance(value, dict | list)
            }
        sequence.items.append(mapping)
    return sequence


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
