"""Takes credentials out of manifest texts before anything is stored or shown, keeping every line where it was."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from portability.engine.manifests.limits import MAX_BYTES
from portability.engine.manifests.nodes import Document, Mapping, Node, Scalar
from portability.engine.manifests.nodes import Sequence as ListNode
from portability.engine.manifests.places import At, root
from portability.engine.manifests.reader import ReadFile, read
from portability.engine.manifests.secret_code import quoted, set_by_word
from portability.engine.manifests.secret_pairs import comments, folded, pairs
from portability.engine.manifests.secret_words import (
    ASSIGNMENT,
    FORMS,
    VALUES,
    is_flag,
    is_secret_name,
    is_secret_value,
)
from portability.engine.material.kinds import is_program

MARKER = "REDACTED"
_BREAKS = re.compile("(\r\n|[\n\r\x85\u2028\u2029])")
_PROPERTIES = re.compile(r"^(?:[&!][^\s]*[ \t]+)+")
_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----")
_KEY_LIMIT = 20_000  # characters of one key, where its end is missing
_QUOTES = ("'", '"')
Mark = tuple[int, int, str]  # of a scalar: its first character, the one after its last, and its style
_SECRET_FIELDS = ("data", "stringData")


@dataclass(frozen=True, slots=True)
class Redaction:
    """One value taken out: where it stood, why, over how many lines. `pointer`: `text:LINE` outside any value."""

    file: str
    line: int
    pointer: str
    why: str
    lines: int


@dataclass(frozen=True, slots=True)
class Redacted:
    """The texts without credentials, and what was taken out."""

    files: list[tuple[str, str]]
    redactions: list[Redaction]


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    why: str
    mark: Mark | None = None  # of the scalar that is replaced whole


def redact(files: Sequence[tuple[str, str | bytes]], harmless: Collection[tuple[str, str]] = ()) -> Redacted:
    """Replace credentials by a marker of the same line count. `harmless`: (file, pointer) whose value stays."""
    texts: list[tuple[str, str]] = []
    redactions: list[Redaction] = []
    kept = frozenset(harmless)
    for name, content in files:
        text, found = _redact_file(name, content, kept)
        texts.append((name, text))
        redactions += found
    return Redacted(texts, redactions)


def _redact_file(name: str, content: str | bytes, kept: frozenset[tuple[str, str]]) -> tuple[str, list[Redaction]]:
    result = read(name, content)
    text = result.text
    if text is None:
        text = content if isinstance(content, str) else content[:MAX_BYTES].decode("utf-8", errors="replace")
        result = ReadFile(name)
    index = _Pointers(result)
    # What could not be read as documents is gone through by lines: a person's typing error must not save a password.
    spans = list(_in_documents(result))
    whole = bool(result.problems) or not result.documents
    spans += _by_form(text)
    spans += _by_name(text, 0, flags_only=not whole)
    spans += (_Span(*found) for found in pairs(text))
    for start, end in comments(text):
        if not index.at(start):
            spans += _by_name(text[start:end], start, flags_only=False)
    for node, (start, end, style) in index.scalars():
        if "--" in node.value and "\n" in text[start:end]:
            spans += (_Span(*found) for found in folded(text[start:end], start))
        if "Secret" in node.value and "kind" in node.value:
            spans += _in_embedded(node.value, text, start, end)
        if "=" in node.value or " " in node.value or "\n" in node.value:
            spans += _by_name(text[start : end - 1 if style in _QUOTES else end], start, flags_only=False)
    return _without(name, text, spans, index.at, kept)


def _without(
    name: str, text: str, spans: Iterable[_Span], at: Callable[[int], str], kept: Collection[tuple[str, str]]
) -> tuple[str, list[Redaction]]:
    """The text with a marker in place of each span, and what was replaced. `at`: the pointer of a character, or ""."""
    starts = [0, *(m.end() for m in _BREAKS.finditer(text))]
    out: list[str] = []
    redactions: list[Redaction] = []
    position = 0
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if span.start < position or not text[span.start : span.end].strip():
            continue
        line = bisect_right(starts, span.start)
        pointer = at(span.start) or f"text:{line}"
        if (name, pointer) in kept:
            continue
        replaced = _replace(text[span.start : span.end], span.mark[2] if span.mark else None)
        out += (text[position : span.start], replaced)
        position = span.end
        lines = len(_BREAKS.findall(text[span.start : span.end].rstrip())) + 1
        redactions.append(Redaction(name, line, pointer, span.why, lines))
    out.append(text[position:])
    return "".join(out), redactions


def redact_code(files: Sequence[tuple[str, str]], harmless: Collection[tuple[str, str]] = ()) -> Redacted:
    """The same for application material. Of a program only what stands in quotes is a value: names are its own."""
    texts: list[tuple[str, str]] = []
    redactions: list[Redaction] = []
    kept = frozenset(harmless)
    for name, content in files:
        program = is_program(name, content)
        spans = [*_by_form(content), *(_Span(*found) for found in pairs(content))]
        spans += (_Span(*found) for found in (quoted(content) if program else set_by_word(content)))
        spans += (s for s in _by_name(content, 0, flags_only=program) if content[s.start] not in "{%")
        for start, end in comments(content) if program else ():
            spans += _by_name(content[start:end], start, flags_only=False)
        text, found = _without(name, content, spans, lambda _: "", kept)
        texts.append((name, text))
        redactions += found
    return Redacted(texts, redactions)


def without_credentials(text: str) -> str:
    """A line that a person wrote, without what is a credential by its own form."""
    for pattern, _ in FORMS:
        for found in reversed(list(pattern.finditer(text))):
            text = text[: found.start(1)] + MARKER + text[found.end(1) :]
    return text


class _Pointers:
    """Which scalar holds a character."""

    def __init__(self, result: ReadFile) -> None:
        found: dict[int, tuple[Mark, str, Scalar]] = {}
        for document in result.documents:
            if document.root is not None:
                for node, at in _scalars(document.root, root()):
                    if id(node) not in found:
                        found[id(node)] = _mark(node, document), f"{document.index}:{at.pointer()}", node
        rows = [(mark, node, pointer) for mark, pointer, node in sorted(found.values(), key=lambda row: row[0])]
        self._rows = rows
        self._starts = [mark[0] for mark, _, _ in rows]

    def at(self, position: int) -> str:
        n = bisect_right(self._starts, position) - 1
        return self._rows[n][2] if n >= 0 and position < self._rows[n][0][1] else ""

    def scalars(self) -> Iterator[tuple[Scalar, Mark]]:
        for mark, node, _ in self._rows:
            yield node, mark


def _scalars(node: Node, at: At) -> Iterator[tuple[Scalar, At]]:
    if isinstance(node, Scalar):
        yield node, at
    elif isinstance(node, Mapping):
        for name, child in node.nodes.items():
            yield from _scalars(child, at.entry(node, name))
    else:
        for n, child in enumerate(node.items):
            yield from _scalars(child, at.item(node, n))


def _in_documents(result: ReadFile) -> Iterator[_Span]:
    """Scalars that are credentials by the field or the object that holds them."""
    seen: set[int] = set()
    for document in result.documents:
        if document.root is None:
            continue
        for node, why in _secret_scalars(document.root):
            if id(node) not in seen:
                seen.add(id(node))
                mark = _mark(node, document)
                yield _Span(mark[0], mark[1], why, mark)


def _mark(scalar: Scalar, document: Document) -> Mark:
    start, end = scalar.start_mark, scalar.end_mark
    assert start is not None and end is not None
    return start.index + document.shift, end.index + document.shift, scalar.style or ""


def _secret_scalars(node: Node) -> Iterator[tuple[Scalar, str]]:
    if isinstance(node, ListNode):
        yield from _after_flags(node.items)
        for child in node.items:
            yield from _secret_scalars(child)
        return
    if not isinstance(node, Mapping):
        return
    secret = node.text("kind") == "Secret"
    label, value = node.text("name") or node.text("key"), node.nodes.get("value")
    if isinstance(value, Scalar) and is_secret_name(label) and is_secret_value(label, value.value):
        yield value, f"the value of {label}"
    for name, child in node.nodes.items():
        if secret and name in _SECRET_FIELDS:
            yield from ((s, "a value of a Secret") for s, _ in _scalars(child, root()) if s.value.strip())
        elif isinstance(child, Scalar):
            if is_secret_name(name) and is_secret_value(name, child.value):
                yield child, f"the value of {name}"
        else:
            yield from _secret_scalars(child)


def _in_embedded(value: str, text: str, start: int, end: int) -> Iterator[_Span]:
    """What a Secret kept as text holds, found again in the text around it by its own words."""
    for document in read("", value).documents:
        if document.root is None:
            continue
        for node, why in _secret_scalars(document.root):
            for word in {line.strip() for line in node.value.splitlines()} - {""}:
                at = text.find(word, start, end)
                while at >= 0:
                    yield _Span(at, at + len(word), why)
                    at = text.find(word, at + len(word), end)


def _after_flags(items: Iterable[Node]) -> Iterator[tuple[Scalar, str]]:
    """The item after `--api-key` in a list of arguments."""
    flag = ""
    for item in items:
        text = item.value if isinstance(item, Scalar) else ""
        if flag and isinstance(item, Scalar) and not text.startswith("-") and is_secret_value(flag, text):
            yield item, f"the value of {flag}"
        flag = text if text.startswith("-") and is_secret_name(text.lstrip("-")) else ""


def _by_form(text: str) -> Iterator[_Span]:
    """What is a credential by its own form, anywhere in a text."""
    position = 0
    while begin := _KEY_BEGIN.search(text, position):
        end = _KEY_END.search(text, begin.end(), begin.end() + _KEY_LIMIT)
        position = end.start() if end else min(len(text), begin.end() + _KEY_LIMIT)
        yield _Span(begin.end(), position, "a private key")
    for pattern, why in FORMS:
        for found in pattern.finditer(text):
            yield _Span(found.start(1), found.end(1), why)


def _by_name(text: str, shift: int, flags_only: bool) -> Iterator[_Span]:
    """What stands behind a name that says it is a credential: `name: value`, `name=value`, `--name value`."""
    for found in ASSIGNMENT.finditer(text):
        name = found["name"]
        if not is_secret_name(name):
            continue
        flag = is_flag(text, found.start())
        separated = text[found.end("name") : found.start("quote")].strip(" \t\"'")
        value = VALUES[found["quote"]].match(text, found.end())
        if value is None or not (flag or (separated and not flags_only)) or not is_secret_value(name, value.group()):
            continue
        end = value.end()
        if ":" in separated and not found["quote"] and _begins_line(text, found.start()):  # `name: some words`: all
            stop = text.find("\n", end)
            end += len(text[end : stop if stop >= 0 else len(text)].rstrip())
        yield _Span(shift + value.start(), shift + end, f"the value of {name}")


def _begins_line(text: str, start: int) -> bool:
    """Whether only indentation, a dash or a quote stands before a name on its line."""
    line = text.rfind("\n", max(0, start - 200), start) + 1
    return not text[line if line else max(0, start - 200) : start].strip(" \t-'\"#")


def _replace(text: str, style: str | None) -> str:
    """The marker with the line breaks and indentation of what it replaces. `style`: of a scalar replaced whole."""
    properties = ""
    if style is not None:
        found = _PROPERTIES.match(text)
        properties = found.group() if found else ""
        text = text[len(properties) :]
    if style in ("|", ">"):
        header = _BREAKS.split(text, maxsplit=1)
        return (
            properties
            + header[0]
            + (header[1] if len(header) > 1 else "")
            + _marked(header[2] if len(header) > 2 else "")
        )
    if style is None:
        return _marked(text)
    quote = "'" if style == "'" else '"'
    inner = text if not style else text[1:-1]
    return f"{properties}{quote}{_marked(inner, always=True)}{quote}"


def _marked(text: str, always: bool = False) -> str:
    """Each line that says something becomes the marker."""
    parts = _BREAKS.split(text)
    for n in range(0, len(parts), 2):
        line = parts[n]
        if line.strip():
            parts[n] = line[: len(line) - len(line.lstrip())] + MARKER
        elif always and n == 0 and len(parts) == 1:
            parts[n] = MARKER
    return "".join(parts)
