"""Bytes to a document: decoded strictly, limited in size, and its kind told from what it holds."""

from __future__ import annotations

import re

from portability.engine.errors import InputError
from portability.engine.matrices.importers.reading import Document, Kind

LIMIT_BYTES = 5_000_000
_ARCHIVE = re.compile(
    r"(?:From: <Saved by|MIME-Version: |Snapshot-Content-Location: |Content-Type: multipart/)", re.IGNORECASE
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_PAGE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_FRAGMENT = re.compile(r"\s*<(?:main|article|section|div|table|tbody)\b", re.IGNORECASE)
_DIRECTIVE = re.compile(r"^[ ]*\.\. [A-Za-z][\w:.+-]*::", re.MULTILINE)
_FENCE = re.compile(r"^```\{", re.MULTILINE)  # a block of Markdown, which may hold directives of the other kind
_MARKDOWN = re.compile(r"^(?:#{1,6} |\|)", re.MULTILINE)


def document(name: str, content: bytes) -> Document:
    """Read one document. Raises InputError where it is no text, or too long."""
    if len(content) > LIMIT_BYTES:
        raise InputError(name, 0, f"{len(content):,} bytes; at most {LIMIT_BYTES:,} are read")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(name, line, "is not text in UTF-8") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if found := _CONTROL.search(text):
        raise InputError(name, text.count("\n", 0, found.start()) + 1, "holds a character that no text has")
    if not text.strip():
        raise InputError(name, 0, "is empty")
    if _ARCHIVE.match(text.lstrip()):
        raise InputError(name, 1, "is a web archive, whose text is encoded: save the page as HTML instead")
    return Document(name, _kind(text), text)


def without_comments(text: str) -> str:
    """The text without its HTML comments, its lines kept; from one that is not closed on, as it is."""
    pieces: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        pieces += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + len("-->")
    return "".join((*pieces, text[at:]))


def _kind(text: str) -> Kind:
    bare = without_comments(text)
    if _PAGE.match(bare):
        return Kind.HTML
    if _DIRECTIVE.search(bare) and not _FENCE.search(bare):
        return Kind.RST
    if _FRAGMENT.match(bare) and not _MARKDOWN.search(bare):
        return Kind.HTML
    return Kind.MARKDOWN
