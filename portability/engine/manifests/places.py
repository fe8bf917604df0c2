"""Where a value stands: JSON pointers, and paths that survive reordering."""

from __future__ import annotations

from typing import NamedTuple

from portability.engine.manifests.nodes import Mapping, Scalar, Sequence, SourceLines, span
from portability.engine.model import Place, Resource

# The field that tells the items of a list apart, where it is not `name`.
_MERGE_KEYS = {
    "tolerations": ("key",),
    "taints": ("key",),
    "nodeTaints": ("key",),
    "matchExpressions": ("key",),
    "requirements": ("key",),
    "volumeMounts": ("mountPath",),
    "volumeDevices": ("devicePath",),
    "ports": ("containerPort", "port", "name"),
    "hostAliases": ("ip",),
    "topologySpreadConstraints": ("topologyKey",),
}
_NOWHERE = Resource()
_NO_SOURCE = SourceLines("")
_DEFAULT_KEYS = ("name", "groupName")


class At:
    """A step of the way to a value: the step before it, its token, and the mapping or list that it leaves."""

    __slots__ = ("owner", "parent", "token")

    def __init__(self, parent: At | None, token: str, owner: Mapping | Sequence | None) -> None:
        self.parent = parent
        self.token = token
        self.owner = owner

    def entry(self, owner: Mapping, name: str) -> At:
        """The step to a mapping's entry."""
        return At(self, name, owner)

    def item(self, owner: Sequence, index: int) -> At:
        """The step to a list's item."""
        return At(self, str(index), owner)

    def pointer(self) -> str:
        """The JSON pointer."""
        return "".join(["/" + _escape(step.token) for step in self._steps()])

    def path(self) -> str:
        """The pointer with list items named by what tells them apart."""
        path = name = ""
        for step in self._steps():
            token = step.token
            if isinstance(step.owner, Sequence):
                named = _item_name(step.owner, int(token), name)
                if named is not None and path:
                    path = f"{path}[{named}]"
                    continue
            else:
                name = token
            path = f"{path}/{_escape(token)}" if path else _escape(token)
        return path

    def _steps(self) -> list[At]:
        steps: list[At] = []
        step = self
        while step.parent is not None:
            steps.append(step)
            step = step.parent
        steps.reverse()
        return steps


def root() -> At:
    """Where a document starts."""
    return At(None, "", None)


class Scope(NamedTuple):
    """The document that is walked. One carried in a string keeps its carrier's pointer, and maps its lines."""

    file: str
    document: int
    resource: Resource = _NOWHERE
    pointer: str | None = None
    path: str = ""
    source: SourceLines = _NO_SOURCE
    span: tuple[int, int] | None = None  # of the carrier: the lines that hold the text's first and last one

    def of(self, resource: Resource) -> Scope:
        """The same document, below an object in it."""
        return Scope(self.file, self.document, resource, self.pointer, self.path, self.source, self.span)

    def place(self, at: At, line: int) -> Place:
        """A place in the file that holds this document."""
        return _Found(self, at, line)

    def line(self, line: int) -> int:
        """The file's line for a line of this document."""
        if self.span is None:
            return line
        first, last = self.span
        return min(first + max(line, 1) - 1, last)

    def places(self, at: At, node: Scalar) -> list[Place]:
        """The place of each line of a text, counted off from where the text begins."""
        first, last = span(node)
        if first == last:
            return [self.place(at, first)] * (node.value.count("\n") + 1)
        return [self.place(at, min(first + n, last)) for n in range(node.value.count("\n") + 1)]


class _Found(Place):
    """A place whose pointer and path are worked out when somebody asks: nobody asks for most of them."""

    __slots__ = ("_at", "_scope")

    def __init__(self, scope: Scope, at: At, line: int) -> None:
        self.file = scope.file
        self.line = line if scope.span is None else scope.line(line)
        self.resource = scope.resource
        self._scope = scope
        self._at = at

    def __getattr__(self, name: str) -> str:
        if name == "pointer":
            within = self._at.pointer() if self._scope.pointer is None else self._scope.pointer
            self.pointer = f"{self._scope.document}:{within}"
            return self.pointer
        if name == "path":
            path = self._at.path()
            if self._scope.pointer is not None:
                path = f"{self._scope.path}#{path}" if path else self._scope.path
            self.path = path
            return path
        raise AttributeError(name)


def _escape(token: str) -> str:
    return token.replace("~", "~0").replace("/", "~1") if "~" in token or "/" in token else token


def _item_name(owner: Sequence, index: int, list_name: str) -> str | None:
    """What names an item: its merge key's value, numbered where an item before it has the same."""
    if owner.names is None:
        owner.names = _names(owner, _MERGE_KEYS.get(list_name, _DEFAULT_KEYS))
    return owner.names[index] if index < len(owner.names) else None


def _names(owner: Sequence, keys: tuple[str, ...]) -> list[str | None]:
    seen: dict[str, int] = {}
    names: list[str | None] = []
    for item in owner.items:
        value = _value_of(item, keys)
        if value is None:
            names.append(None)
            continue
        before = seen.get(value, 0)
        seen[value] = before + 1
        names.append(f"{value},{before}" if before else value)
    return names


def _value_of(item: object, keys: tuple[str, ...]) -> str | None:
    if isinstance(item, Mapping):
        for key in keys:
            node = item.nodes.get(key)
            if isinstance(node, Scalar) and node.value:
                return str(node.value)
    return None
