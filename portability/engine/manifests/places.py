"""Where a value stands: JSON pointers, and paths that survive reordering."""

from __future__ import annotations

from typing import NamedTuple

from portability.engine.manifests.nodes import Mapping, Scalar, Sequence
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
_DEFAULT_KEYS = ("name", "groupName")


class At:
    """A step of the way to a value. `owner` is the mapping or list that the step leaves.

    Pointer and path are worked out once a step, so that a thousand values in one container share its part.
    """

    __slots__ = ("_path", "_pointer", "name", "owner", "parent", "token")

    def __init__(self, parent: At | None, token: str, owner: Mapping | Sequence | None, name: str = "") -> None:
        self.parent = parent
        self.token = token
        self.owner = owner
        self.name = name or token  # of the nearest mapping entry: what a list is called
        self._pointer: str | None = "" if parent is None else None
        self._path: str | None = "" if parent is None else None

    def entry(self, owner: Mapping, name: str) -> At:
        """The step to a mapping's entry."""
        return At(self, name, owner)

    def item(self, owner: Sequence, index: int) -> At:
        """The step to a list's item."""
        return At(self, str(index), owner, self.name)

    def pointer(self) -> str:
        """The JSON pointer."""
        if self._pointer is None:
            assert self.parent is not None
            self._pointer = f"{self.parent.pointer()}/{_escape(self.token)}"
        return self._pointer

    def path(self) -> str:
        """The pointer with list items named by what tells them apart."""
        if self._path is None:
            assert self.parent is not None
            before = self.parent.path()
            named = _item_name(self.owner, int(self.token), self.name) if isinstance(self.owner, Sequence) else None
            if named is not None and before:
                self._path = f"{before}[{named}]"
            else:
                self._path = f"{before}/{_escape(self.token)}" if before else _escape(self.token)
        return self._path


def root() -> At:
    """Where a document starts."""
    return At(None, "", None)


class Scope(NamedTuple):
    """The document that is walked. One carried in a string keeps its carrier's pointer, and maps its lines."""

    file: str
    index: int
    resource: Resource = _NOWHERE
    pointer: str | None = None
    path: str = ""
    lines: tuple[int, ...] | None = None

    def place(self, at: At, line: int) -> Place:
        """A place in the file that holds this document."""
        path = at.path()
        if self.pointer is not None:
            path = f"{self.path}#{path}" if path else self.path
        return Place(
            self.file,
            self.line(line),
            f"{self.index}:{at.pointer() if self.pointer is None else self.pointer}",
            path,
            self.resource,
        )

    def line(self, line: int) -> int:
        """The file's line for a line of this document."""
        if self.lines is None:
            return line
        return self.lines[min(max(line, 1), len(self.lines)) - 1]


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
                return node.value
    return None
