"""Texts inside texts: documents, dashboards, scripts and programs that a config map or a field carries."""

from __future__ import annotations

import re

from portability.engine.manifests import images, settings
from portability.engine.manifests.gather import Code, Context
from portability.engine.manifests.limits import MAX_EMBEDDED_DEPTH
from portability.engine.manifests.nodes import Mapping, Scalar, Sequence, line_of, span
from portability.engine.manifests.places import At, root
from portability.engine.manifests.reader import ReadFile, read
from portability.engine.model import SiteKind

_PROGRAM_NAME = re.compile(r"\.(?:py|sh|bash|zsh|txt|md|lua|js|go|pbtxt|jinja2?|tmpl|tpl|cfg|ini|toml|html|conf)$")
_ENTRY = re.compile(r"^\s*(?:- )?[\w\"'./-]+\s*:(?:\s|$)", re.MULTILINE)
_PROGRAM = re.compile(r"^(?:#!|import \w|from [\w.]+ import |def \w+\(|class \w+)", re.MULTILINE)
_SHELL = re.compile(r"#!(?:/usr)?/bin/(?:env (?:-\S+ )*)?(?:ba|da|z|k)?sh\b")
_DOCKERFILE = re.compile(r"(?:^|[._-])(?:docker|container)file(?:$|[._-])", re.IGNORECASE)
_QUOTES = re.compile(r"[\"]{3}|[']{3}")
_DEFINES = ("def ", "class ", "async def ", ")")
_ENV_KEY = re.compile(r"^[A-Z][A-Z0-9_]*$")


def is_shell(value: str) -> bool:
    """Whether a step's script is a shell's: a container runs it in the place of its command."""
    return bool(_SHELL.match(value)) if value.startswith("#!") else not _PROGRAM.search(value)


def config_map(ctx: Context, node: Mapping, at: At) -> None:
    """The texts of a config map: variables, documents, scripts."""
    for name, value in node.nodes.items():
        if not isinstance(value, Scalar):
            continue
        here = at.entry(node, name)
        if _ENV_KEY.match(name) and "\n" not in value.value:
            place = ctx.site(SiteKind.ENV, here, line_of(value), value.value, key=name)
            ctx.setting("env:" + name, value.value, place)
            images.variable(ctx, name, value, here)
        elif "\n" in value.value or not images.image_scalar(ctx, name, value, here):
            text(ctx, name, value, here)


def text(ctx: Context, name: str, node: Scalar, at: At) -> None:
    """A text of several lines, or one of a config map: a document if it parses as one, else a script."""
    if not _PROGRAM_NAME.search(name) and not _PROGRAM.search(node.value) and _document(ctx, node, at):
        return
    role = "script"
    if name.endswith(".csv"):
        ctx.lines(SiteKind.METRIC, at, node, role="expr")
        return
    if _PROGRAM.search(node.value) and not node.value.startswith(
        ("#!/bin", "#!/usr/bin/env bash", "#!/usr/bin/env sh")
    ):
        role = "program"
    elif name.endswith(".txt") and "require" in name:
        role = "packages"
    but = docstrings(ctx.scope.source.of(node)) if role == "program" or name.endswith(".py") else frozenset[int]()
    lines = ctx.lines(SiteKind.SCRIPT, at, node, key=name, role=role, but=but)
    if _DOCKERFILE.search(name):
        images.built_on(ctx, lines)
    ctx.gathered.code.append(Code(node.value, lines, ctx.scope.place(at, line_of(node)), ctx.document))


def docstrings(lines: list[tuple[int, str]]) -> frozenset[int]:
    """The numbers of a program's lines that only explain it: texts in three quotes, first in it or in a definition."""
    found: set[int] = set()
    closing, prose, before = "", False, ""
    for number, text in lines:
        rest = text
        if not closing:
            opened = _QUOTES.search(text)
            if opened is not None:
                first = not before or (before.endswith(":") and before.startswith(_DEFINES))
                closing, rest = opened[0], text[opened.end() :]
                prose = first and opened.start() <= 1
            if text and not text.startswith("#"):
                before = text
        if closing and prose:
            found.add(number)
        if closing in rest:
            closing = ""
    return frozenset(found)


def _document(ctx: Context, node: Scalar, at: At) -> bool:
    """Walk the document in a text. Whether there was one."""
    carried = _parse(ctx, node)
    if carried is None:
        return False
    place, (first, last) = ctx.scope.place(at, line_of(node)), span(node)
    lines = ctx.scope.line(first), ctx.scope.line(last)
    pointer = place.pointer.partition(":")[2]
    scope = ctx.scope._replace(pointer=pointer, path=place.path, source=carried.source, span=lines)
    inner = ctx._replace(scope=scope, depth=ctx.depth + 1, values=True)
    for document in carried.documents:
        if document.root is not None:
            ctx.gathered.visit(inner, document.root, root(), "")
    return True


def settings_text(ctx: Context, node: Scalar, at: At) -> None:
    """A JSON text in a variable: the settings in it, no sites."""
    carried = _parse(ctx, node)
    for document in carried.documents if carried else ():
        if document.root is not None:
            settings.everything(ctx, document.root, ctx.scope.place(at, line_of(node)))


def _parse(ctx: Context, node: Scalar) -> ReadFile | None:
    """The documents in a text; none where it is no document, or not a sound one."""
    value = node.value
    if ctx.depth >= MAX_EMBEDDED_DEPTH or not (value.lstrip()[:1] in ("{", "[") or _ENTRY.search(value)):
        return None
    inner = read("", value)
    sound = not inner.problems and any(isinstance(d.root, Mapping | Sequence) for d in inner.documents)
    return inner if sound else None
