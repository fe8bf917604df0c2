"""How text is set for a terminal: attributes, wrapping, and signs for those that know only ASCII."""

from __future__ import annotations

import textwrap

_ASCII = str.maketrans({"■": "#", "◐": "~", "●": "+", "○": "o", "·": "-", "…": "...", "×": "x"})


class Style:
    """Terminal attributes, or nothing where the output is no terminal."""

    def __init__(self, colour: bool) -> None:
        self._colour = colour

    def __call__(self, text: str, code: str) -> str:
        """`text` in an SGR code."""
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour and text else text


def in_encoding(text: str, encoding: str) -> bytes:
    """The text as bytes of any encoding: our own signs have a second form, other characters are escaped."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "backslashreplace")


def clean(text: str) -> str:
    """No control characters of a manifest reach the terminal."""
    return "".join(c if c.isprintable() else " " for c in text)


def cut(text: str, width: int) -> str:
    """At most `width` characters, the rest told by an ellipsis."""
    return text if len(text) <= width else text[: max(1, width - 1)] + "…"


def wrapped(text: str, width: int, indent: str, following: str | None = None) -> list[str]:
    """A paragraph set in by `indent`, its later lines by `following` where that is given."""
    return textwrap.wrap(
        clean(text),
        width,
        initial_indent=indent,
        subsequent_indent=indent if following is None else following,
        break_on_hyphens=False,
        break_long_words=False,
    )
