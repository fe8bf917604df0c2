"""Bytes to text, or a clear answer why not."""

from __future__ import annotations

import codecs

from portability.engine.manifests.limits import MAX_BYTES, LimitError

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAVE = "Save it as UTF-8 text."


def to_text(content: str | bytes) -> str:
    """The text of a file. Raises LimitError where it is too long, binary, or in an encoding that cannot be told."""
    if len(content) > MAX_BYTES:
        raise LimitError(
            1,
            f"the file holds more than {MAX_BYTES:,} bytes, the most that is read",
            "Split it, or leave out what is no manifest.",
        )
    text = _checked(content.removeprefix("\ufeff")) if isinstance(content, str) else _decode(content)
    if "\x00" in text:
        line = text.count("\n", 0, text.index("\x00")) + 1
        raise LimitError(line, "the file is binary, not YAML or JSON text", "Give the manifest itself.")
    return text


def _checked(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise LimitError(line, "half of a character stands there (a surrogate)", _SAVE) from None
    return text


def _decode(content: bytes) -> str:
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), _guess(content))
    if encoding == "utf-8" and b"\0" in content[:8192]:
        return "\x00"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise LimitError(line, f"the file is not {encoding.removesuffix('-sig').upper()} text", _SAVE) from None


def _guess(content: bytes) -> str:
    """UTF-16 without a mark shows as a zero beside each of the first characters; anything else is taken as UTF-8."""
    head = content[:64]
    if len(head) >= 4 and len(head) % 2 == 0:
        if not any(head[0::2]) and all(head[1::2]):
            return "utf-16-be"
        if not any(head[1::2]) and all(head[0::2]):
            return "utf-16-le"
    return "utf-8"
