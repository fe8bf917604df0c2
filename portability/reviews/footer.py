"""The foot of every printed page of a report: which review, whose, of which record, and the page of how many."""

from __future__ import annotations

from portability.reviews.report import Closed

_LONGEST = 60  # characters of the organisation's name
_DIGITS = 16  # of the digest; the cover has all of it


def footer(closed: Closed) -> str:
    """A style sheet: browsers print it in the margin. It needs Chromium 131 or another that knows page-margin boxes."""
    name = closed.organisation["name"]
    name = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
    left = " · ".join(filter(None, (f"Portability review {closed.review['quarter']}", name)))
    right = f"SHA-256 {closed.digest[:_DIGITS]}… · page "
    return (
        f"@page {{ @bottom-left {{ content: {_quoted(left)} }} "
        f'@bottom-right {{ content: {_quoted(right)} counter(page) " of " counter(pages) }} }}\n'
    )


def _quoted(text: str) -> str:
    """A string of CSS that ends neither the string nor the style element it stands in, whatever somebody called it."""
    return '"' + "".join(c if c.isalnum() or c == " " else f"\\{ord(c):x} " for c in text) + '"'
