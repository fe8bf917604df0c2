"""Values that are put at a place named by a path: steps of JSON patches, and a chart's values given one by one."""

from __future__ import annotations

import re
from typing import NamedTuple

from portability.engine.manifests import commands, fields, images, names, resources
from portability.engine.manifests.gather import Context
from portability.engine.manifests.nodes import Mapping, Node, Scalar, Sequence, line_of
from portability.engine.manifests.places import At
from portability.engine.model import SiteKind

_STEP = re.compile(r"\[(\d+)\]|((?:\\.|[^.\[\\])+)")
_ENV_KEY = re.compile(r"^[A-Z][A-Z0-9_]*$")
_IMAGE_PARTS = ("registry", "tag", "digest")
_MAX_PATH = 1_000


class Assigned(NamedTuple):
    """A text, where it stands, and the path by which it is put somewhere, with the place that has the path."""

    steps: tuple[str, ...]
    value: Scalar
    at: At
    path_at: At
    path_line: int


def chart_values(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """Values of a chart by their dotted paths: a list of names and values, or a mapping. Whether it was that."""
    given = _listed(node, at) if isinstance(node, Sequence) else _mapped(node, at) if name == "set" else []
    known = {one.steps: one.value.value for one in given}
    for one in given:
        if not _image(ctx, one, known) and not _variable(ctx, one, known):
            put(ctx, one)
    return bool(given)


def _listed(node: Sequence, at: At) -> list[Assigned]:
    given = []
    for n, item in enumerate(node.items):
        label = item.nodes.get("name") if isinstance(item, Mapping) else None
        value = item.nodes.get("value") if isinstance(item, Mapping) else None
        if not isinstance(item, Mapping) or not isinstance(label, Scalar) or not isinstance(value, Scalar):
            return []
        here = at.item(node, n)
        places = here.entry(item, "value"), here.entry(item, "name")
        given.append(Assigned(_steps(label.value), value, *places, line_of(label)))
    return given


def _mapped(node: Node, at: At) -> list[Assigned]:
    given = []
    for name, value in node.nodes.items() if isinstance(node, Mapping) else ():
        if not isinstance(value, Scalar):
            return []
        here = at.entry(node, name) if isinstance(node, Mapping) else at
        given.append(Assigned(_steps(name), value, here, here, line_of(value)))
    return given


def _steps(path: str) -> tuple[str, ...]:
    found = _STEP.findall(path) if len(path) <= _MAX_PATH else []
    return tuple(index or re.sub(r"\\(.)", r"\1", name) for index, name in found)


def _image(ctx: Context, one: Assigned, known: dict[tuple[str, ...], str]) -> bool:
    """Whether it is an image's repository, whose tag and registry are put beside it."""
    *above, name = one.steps or ("",)
    parts = {part: known.get((*above, part), "") for part in _IMAGE_PARTS}
    owned = bool(above) and images.is_owner(above[-1])
    if not (name == "repository" and (owned or parts["tag"] or parts["digest"])) and not (owned and name == "name"):
        return False
    return images.in_parts(ctx, one.value, one.at, parts)


def _variable(ctx: Context, one: Assigned, known: dict[tuple[str, ...], str]) -> bool:
    """Whether it is part of a variable that stands in a list, at whose name it is noted."""
    named = [step for step in one.steps[:-1] if not step.isdigit()]
    if not named or named[-1] not in names.ENV_LISTS or one.steps[-1] not in ("name", "value"):
        return False
    if one.steps[-1] == "name":
        text = known.get((*one.steps[:-1], "value"), "")
        ctx.site(SiteKind.ENV, one.at, line_of(one.value), text, key=one.value.value)
    return True


def put(ctx: Context, one: Assigned) -> None:
    """Look at a text as what stands at its path."""
    value = one.value
    named = [step for step in one.steps if not step.isdigit() and step != "-"]
    name, parent = named[-1] if named else "", named[-2] if len(named) > 1 else ""
    if parent in ("limits", "requests"):
        if resources.is_extended(name):
            ctx.site(SiteKind.RESOURCE, one.path_at, one.path_line, value.value, key=name, role=parent)
    elif parent in names.SELECTORS:
        role = names.SELECTORS[parent]
        ctx.site(SiteKind.NODE, one.at, line_of(value), value.value, key=name, role=role)
    elif parent in names.TAINTS:
        if name == "key" and value.value:
            ctx.site(SiteKind.TOLERATION, one.at, line_of(value), value.value)
    elif parent == "matchExpressions":
        if name == "key":
            ctx.site(SiteKind.NODE, one.at, line_of(value), "", key=value.value, role="affinity")
        elif name == "values":
            ctx.site(SiteKind.NODE, one.at, line_of(value), value.value, role="affinity")
    elif (parent in names.ENV_LISTS or parent == "data") and _ENV_KEY.match(name):
        commands.assigned(ctx, name, value, one.at)
    elif name not in names.PROSE:
        fields.text(ctx, name, value, one.at, parent)
