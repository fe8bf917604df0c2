"""The foot of every printed page of a report: which review, whose, of which record, and the page of how many."""

from __future__ import annotations

import re

from portability.reviews.report import Closed

_PART = re.compile(r"\d{1,6} of \d{1,6}", re.ASCII)
_LONGEST = 60  # characters of the organisation's name
_DIGITS = 16  # of the digest; the cover has all of it


def footer(closed: Closed, part: str = "") -> str:
    """A style sheet: browsers print it in the margin. It needs Chromium 131 or another that knows page-margin boxes.

    `part`: `2 of 5`, of a report in parts; what is none is left out.
    """
    name = closed.organisation["name"]
    name = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
    which = f"Portability review {closed.review['quarter']}" + (f", part {part}" if _PART.fullmatch(part) else "")
    left = " · ".join(filter(None, (which, name)))
    right = f"SHA-256 {closed.digest[:_DIGITS]}… · page "
    return (
        f"@page {{ @bottom-left {{ content: {_quoted(left)} }} "
        f'@bottom-right {{ content: {_quoted(right)} counter(page) " of " counter(pages) }} }}\n'
    )


def _quoted(text: str) -> str:
    """A string of CSS that ends neither the string nor the style element it stands in, whatever somebody called it."""
    return '"' + "".join(c if c.isalnum() or c == " " else f"\\{ord(c):x} " for c in text) + '"'
