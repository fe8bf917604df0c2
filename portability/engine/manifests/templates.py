"""Recognises a file that still has to be rendered: a Helm chart's template, or a Jinja one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import yaml

from portability.engine.manifests.nodes import Document, SourceLines, is_block, span

# What only a chart's template says. Dashboards and alerts write `{{gpu}}` and `{{ $labels.x }}`, which are data.
_HELM = re.compile(
    r"\{\{-?\s{0,9}[^{}\n]{0,200}?(?:\$?\.(?:Values|Release|Chart|Capabilities|Files|Template)\b"
    r"|(?:\binclude|\btemplate|\btpl)\s+[\"(])"
)
# Words of control, which alerts use too: they tell only in a file that does not parse.
_CONTROL = re.compile(
    r"\{\{-?\s{0,9}(?:if|else|end|range|with|define|block|include|template|toYaml|tpl|/\*|\$\w+\s*:?=|\.)(?=[\s}.\"*/(]|$|\w)"
)
_JINJA = re.compile(r"\{%[-+]?\s*\w+")
_COMMENT = re.compile(r"^\s*#")

HELM_MESSAGE = "this is a Helm template, not a manifest"
HELM_REMEDY = "Render it first with `helm template`, and give the result."
JINJA_MESSAGE = "this is a Jinja template, not a manifest"
JINJA_REMEDY = "Render it first, and give the result."


def find_template(source: SourceLines, documents: Iterable[Document], parsed: bool) -> tuple[int, str, str] | None:
    """(line, message, remedy) where a file is a template. What stands in block strings is data."""
    if "{{" not in source.text and "{%" not in source.text:
        return None
    inside: set[int] = set()
    if parsed:
        for document in documents:
            inside.update(_in_blocks(document.raw))
    for number, line in enumerate(source.lines, 1):
        if "{{" not in line and "{%" not in line:
            continue
        if number in inside or _COMMENT.match(line):
            continue
        if _HELM.search(line) or (not parsed and _CONTROL.search(line)):
            return number, HELM_MESSAGE, HELM_REMEDY
        if not parsed and (_JINJA.search(line) or re.match(r"^\s*[\w.-]+:\s*\{\{", line)):
            return number, JINJA_MESSAGE, JINJA_REMEDY
    return None


def _in_blocks(raw: Any) -> set[int]:
    """The lines that block strings span."""
    inside: set[int] = set()
    seen: set[int] = set()
    waiting = [raw]
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.ScalarNode):
            if is_block(node):
                first, last = span(node)
                inside.update(range(first, last + 1))
        elif id(node) not in seen:
            seen.add(id(node))
            parts = node.value
            waiting += [part for pair in parts for part in pair] if isinstance(node, yaml.MappingNode) else parts
    return inside
