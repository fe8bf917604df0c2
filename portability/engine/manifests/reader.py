"""YAML or JSON text to documents whose every scalar knows its line. What cannot be read is a problem at its line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import yaml

from portability.engine.manifests.builder import NOTHING_UNREAD, Builder, Unread
from portability.engine.manifests.collector import collector_resting
from portability.engine.manifests.decode import to_text
from portability.engine.manifests.limits import FLATTEN, MAX_RESUMES, TOO_DEEP, LimitError
from portability.engine.manifests.nodes import Document, SourceLines
from portability.engine.manifests.templates import find_template
from portability.engine.model import Problem

_ALIAS = re.compile(r"\*[^\s,\]}:]+")
_ANCHOR = re.compile(r"&[^\s,\]}]+")
_START = re.compile(r"^---(?:\s|$)")


@dataclass(slots=True)
class ReadFile:
    """A file as far as it could be read."""

    name: str
    documents: list[Document] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    source: SourceLines = field(default_factory=lambda: SourceLines(""))
    text: str | None = None  # None where the file is no text


def read(name: str, content: str | bytes, unread: Unread = NOTHING_UNREAD) -> ReadFile:
    """Read one file. What cannot be read is a problem with its line; what can be is kept.

    What is `unread` is composed, so that mistakes in it show, but not kept.
    """
    result = ReadFile(name)
    try:
        text = to_text(content)
    except LimitError as error:
        result.problems.append(Problem(name, error.line, error.message, error.remedy))
        return result
    result.text, result.source = text, SourceLines(text)
    builder = Builder(unread)
    with collector_resting():
        failed = _read_all(text, builder, result)
    template = find_template(result.source, builder.documents, not failed and not builder.odd_key)
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
            line, message, remedy = _explain(error, offset, result.source.lines)
            result.problems.append(Problem(result.name, line, message, remedy))
            again = line - _at_start(error)  # what a broken document ran into may be the start of the next
        lines = result.source.lines
        after = next((n for n in range(max(again, offset + 1), len(lines)) if _START.match(lines[n])), None)
        if after is None:
            return True
        builder.next_index += 1
        offset, start = after, result.source.starts[after]
        rest, shift = "\n" * after + text[start:], start - after
    return True


def _at_start(error: yaml.YAMLError) -> bool:
    """Whether an error is where a line starts, so that the line itself may be whole."""
    mark = getattr(error, "problem_mark", None)
    return mark is not None and mark.column == 0


def _explain(error: yaml.YAMLError, offset: int, lines: list[str]) -> tuple[int, str, str]:
    """The line of an error, what it is, and what to do about it."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line = mark.line + 1 if mark else offset + 1
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "it does not parse")
    context = str(getattr(error, "context", None) or "")
    at = lines[line - 1][mark.column :] if mark and line <= len(lines) else ""
    if "nesting depth" in problem:
        return line, TOO_DEEP, FLATTEN
    if "undefined alias" in problem:
        name = (_ALIAS.match(at) or ["an alias"])[0]
        return line, f"{name} names no anchor before it", f"Write {name.replace('*', '&')} where it is defined."
    if "duplicate anchor" in context:
        anchor = (_ANCHOR.search(at) or ["an anchor"])[0]
        return line, f"{anchor} stands twice in one document", "Give each anchor a name of its own."
    near = lines[line - 1] if 0 < line <= len(lines) else ""
    message = f"not valid YAML: {context + ', ' if context else ''}{problem}"
    if "\t" in near[: len(near) - len(near.lstrip())]:
        return line, message, "Indent with spaces: YAML allows no tabs there."
    return line, message, "Mend this line or the one before it; `kubectl apply --dry-run=client -f` shows the same."
