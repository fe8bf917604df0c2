"""What a walk gathers before it becomes facts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from portability.engine.manifests.nodes import Mapping, Node, Scalar, is_null, is_one_line, is_plain, line_of
from portability.engine.manifests.places import At, Scope
from portability.engine.memo import remembered
from portability.engine.model import Place, Resource, Site, SiteKind


@dataclass(slots=True)
class Word:
    """One item of a command or of its arguments, with the place of each line. `first`: of the command itself."""

    text: str
    places: list[Place]
    first: bool = False
    folded: list[tuple[str, Place]] = field(default_factory=list)  # the lines of the file, where they became one


@dataclass(slots=True)
class Setting:
    """A named value that configures an engine: a flag, a field of a custom resource, an argument in code."""

    name: str  # in lower case, with dashes
    value: str
    place: Place


@dataclass(slots=True)
class Draft:
    """A container, or what a custom resource makes one of, as it is gathered."""

    name: str
    role: str
    place: Place
    kind: str  # of the object that holds it
    document: tuple[str, int]
    image: str = ""
    image_place: Place | None = None
    words: list[Word] = field(default_factory=list)
    env: dict[str, tuple[str, Place]] = field(default_factory=dict)
    folded: dict[str, list[tuple[str, Place]]] = field(default_factory=dict)  # lines of variables that became one line
    settings: list[Setting] = field(default_factory=list)
    accelerators: dict[str, str] = field(default_factory=dict)
    gpus: int = 0
    uses_dra: bool = False
    non_root: bool = False
    supplemental_groups: bool = False
    memory_shm: bool = False
    docker_flags: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Group:
    """A pod template and how often it runs."""

    resource: Resource
    replicas: int | None
    place: Place
    containers: list[int]


@dataclass(slots=True)
class Code:
    """A script or program carried in a string."""

    text: str
    lines: list[tuple[Place, str]]
    place: Place
    document: tuple[str, int]


@dataclass(slots=True)
class Hint:
    """A fact said of a document as a whole: `about` is engine, model, engine_version, model_kind, feature or text."""

    about: str
    value: str
    place: Place
    document: tuple[str, int]
    origin: str = "detected"


@dataclass(slots=True)
class Gathered:
    """All of it, over all files. `visit`: the walk, for documents that are found inside texts."""

    visit: Callable[[Context, Node, At, str], None]
    sites: list[Site] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    code: list[Code] = field(default_factory=list)
    hints: list[Hint] = field(default_factory=list)
    settings: list[tuple[Setting, tuple[str, int]]] = field(default_factory=list)  # outside any container
    kinds: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    objects: list[dict[str, Any]] = field(default_factory=list)


class Context(NamedTuple):
    """Where a walk is: in which document and container, and what surrounds it."""

    scope: Scope
    gathered: Gathered
    container: int | None = None
    kind: str = ""
    values: bool = False  # a chart's values: no apiVersion or kind
    probe: bool = False  # inside a probe or hook: its command is not what the container serves
    depth: int = 0  # of documents inside strings
    replicas: tuple[int | None, Place] | None = None

    @property
    def draft(self) -> Draft | None:
        """The container that is being gathered."""
        return None if self.container is None else self.gathered.drafts[self.container]

    @property
    def document(self) -> tuple[str, int]:
        """Which document this is."""
        return self.scope.file, self.scope.document

    def site(self, kind: SiteKind, at: At, line: int, value: str, *, key: str = "", role: str = "") -> Place:
        """Note a candidate literal."""
        place = self.scope.place(at, line)
        self.gathered.sites.append(Site(kind, place, value, key, role, self.container))
        return place

    def lines(
        self, kind: SiteKind, at: At, node: Scalar, *, key: str = "", role: str = "", but: frozenset[int] = frozenset()
    ) -> list[tuple[Place, str]]:
        """Note each line of a text that says something, `but` those of these numbers."""
        if is_one_line(node):
            text = node.value.strip()
            if not text or is_comment(text):
                return []
            return [(self.site(kind, at, line_of(node), text, key=key, role=role), text)]
        said = [(n, text) for n, text in self.scope.source.of(node) if text and n not in but and not is_comment(text)]
        return [(self.site(kind, at, line, text, key=key, role=role), text) for line, text in said]

    def setting(self, name: str, value: str, place: Place) -> None:
        """Note a named value, for the container if there is one."""
        setting = Setting(name, value, place)
        if self.container is None:
            self.gathered.settings.append((setting, self.document))
        else:
            self.gathered.drafts[self.container].settings.append(setting)

    def hint(self, about: str, value: str, at: At, line: int, origin: str = "detected") -> None:
        """Note a fact of the document as a whole."""
        self.gathered.hints.append(Hint(about, value, self.scope.place(at, line), self.document, origin))


def is_comment(text: str) -> bool:
    """Whether a line of a script says nothing to a machine."""
    return text.startswith(("#", "//"))


_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@remembered
def kebab(name: str) -> str:
    """A name as flags write it: `tensorParallelSize`, `tensor_parallel_size` -> `tensor-parallel-size`."""
    return _HUMPS.sub("-", name.replace("LoRA", "Lora")).replace("_", "-").replace(" ", "-").lower().strip("-")


def plain(node: object) -> Any:
    """A document's node as plain values, with YAML's booleans and whole numbers."""
    if isinstance(node, Mapping):
        return {name: plain(child) for name, child in node.nodes.items()}
    if isinstance(node, Scalar):
        if is_null(node):
            return None
        if is_plain(node) and node.value.lower() in ("true", "false"):
            return node.value.lower() == "true"
        number = node.value if is_plain(node) and node.value.isdecimal() and len(node.value) < 19 else ""
        if number == "0" or (number and number[0] != "0"):
            return int(number)
        return node.value
    return [plain(child) for child in getattr(node, "items", [])]
