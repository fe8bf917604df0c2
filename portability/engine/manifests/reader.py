"""YAML or JSON text to documents whose every scalar knows its line. What cannot be read is a problem at its line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import yaml

from portability.engine.manifests.builder import Builder, Mark
from portability.engine.manifests.decode import to_text
from portability.engine.manifests.limits import MAX_RESUMES, LimitError
from portability.engine.manifests.nodes import Document, SourceLines
from portability.engine.manifests.templates import find_template
from portability.engine.model import Problem

_START = re.compile(r"^---(?:\s|$)")


@dataclass(slots=True)
class ReadFile:
    """A file as far as it could be read."""

    name: str
    documents: list[Document] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    source: SourceLines = field(default_factory=lambda: SourceLines(""))
    text: str | None = None  # None where the file is no text
    marks: dict[int, Mark] = field(default_factory=dict)  # by identity of the scalar, where asked for


def read(
    name: str, content: str | bytes, keep_marks: bool = False, passed_over: frozenset[str] = frozenset()
) -> ReadFile:
    """Read one file. What cannot be read is a problem with its line; what can be is kept.

    Of objects that are passed over (`Mapping.group_kind`) only what stands up to their metadata is kept.
    """
    result = ReadFile(name)
    try:
        text = to_text(content)
    except LimitError as error:
        result.problems.append(Problem(name, error.line, error.message, error.remedy))
        return result
    result.text, result.source = text, SourceLines(text)
    builder = Builder(result.source, keep_marks, passed_over)
    failed = _read_all(text, builder, result)
    template = find_template(result.source, builder.blocks, not failed and not builder.odd_key)
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
    result.marks = builder.marks or {}
    return result


def _read_all(text: str, builder: Builder, result: ReadFile) -> bool:
    """Feed the text to the builder, going on at the next document after one that is broken. Whether any was."""
    offset = 0  # lines that were passed over; the rest is read behind as many empty ones, so that its lines count
    rest, shift = text, 0
    for _ in range(MAX_RESUMES):
        try:
            builder.feed(rest, shift)
            return offset > 0
        except LimitError as error:
            result.problems.append(Problem(result.name, error.line, error.message, error.remedy))
            return True
        except yaml.YAMLError as error:
            line, message = _explain(error, offset)
            result.problems.append(Problem(result.name, line, message, _remedy(result.source.lines, line)))
        lines = result.source.lines
        after = next((n for n in range(max(line, offset + 1), len(lines)) if _START.match(lines[n])), None)
        if after is None:
            return True
        builder.next_index += 1
        offset, start = after, result.source.starts[after]
        rest, shift = "\n" * after + text[start:], start - after
    return True


def _explain(error: yaml.YAMLError, offset: int) -> tuple[int, str]:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line = mark.line + 1 if mark else offset + 1
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it does not parse"
    context = getattr(error, "context", None)
    return line, f"not valid YAML: {context + ', ' if context else ''}{problem}"


def _remedy(lines: list[str], line: int) -> str:
    near = lines[line - 1] if 0 < line <= len(lines) else ""
    if "\t" in near[: len(near) - len(near.lstrip())]:
        return "Indent with spaces: YAML allows no tabs there."
    return "Mend this line or the one before it; `kubectl apply --dry-run=client -f` shows the same."
