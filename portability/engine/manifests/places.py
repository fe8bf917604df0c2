"""Where a value stands: JSON pointers, and paths that survive reordering."""

from __future__ import annotations

from dataclasses import dataclass

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
    """A step of the way to a value. `owner` is the mapping or list that the step leaves."""

    __slots__ = ("name", "owner", "parent", "token")

    def __init__(self, parent: At | None, token: str, owner: Mapping | Sequence | None, name: str = "") -> None:
        self.parent = parent
        self.token = token
        self.owner = owner
        self.name = name or token  # of the nearest mapping entry: what a list is called

    def entry(self, owner: Mapping, name: str) -> At:
        """The step to a mapping's entry."""
        return At(self, name, owner)

    def item(self, owner: Sequence, index: int) -> At:
        """The step to a list's item."""
        return At(self, str(index), owner, self.name)

    def _steps(self) -> list[At]:
        steps: list[At] = []
        here: At | None = self
        while here is not None and here.parent is not None:
            steps.append(here)
            here = here.parent
        steps.reverse()
        return steps

    def pointer(self) -> str:
        """The JSON pointer."""
        return "".join("/" + _escape(step.token) for step in self._steps())

    def path(self) -> str:
        """The pointer with list items named by what tells them apart."""
        parts: list[str] = []
        for step in self._steps():
            named = _item_name(step.owner, int(step.token), step.name) if isinstance(step.owner, Sequence) else None
            if named is not None and parts:
                parts[-1] += f"[{named}]"
            else:
                parts.append(_escape(step.token))
        return "/".join(parts)


def root() -> At:
    """Where a document starts."""
    return At(None, "", None)


@dataclass(frozen=True, slots=True)
class Scope:
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
    if index >= len(owner.items):
        return None
    keys = _MERGE_KEYS.get(list_name, _DEFAULT_KEYS)
    value = _value_of(owner.items[index], keys)
    if value is None:
        return None
    before = sum(1 for item in owner.items[:index] if _value_of(item, keys) == value)
    return f"{value},{before}" if before else value


def _value_of(item: object, keys: tuple[str, ...]) -> str | None:
    if isinstance(item, Mapping):
        for key in keys:
            node = item.nodes.get(key)
            if isinstance(node, Scalar) and node.value:
                return node.value
    return None
