"""A line of a command or script, cleared of what is prose or some other rule's."""

from __future__ import annotations

import re

from portability.engine.memo import remembered

# `pip install`, `uv pip install`, `python -m pip install`, up to the end of that command.
PIP_INSTALL = re.compile(r"\b(?:pip[0-9.]*|uv)\s+(?:pip\s+)?(?:install|add)\b(?P<rest>[^;&|]*)")
_COMMENT = re.compile(r"(?:^|\s)(?:#|//)(?:\s.*|!?.*)$")
_PRINTED = re.compile(
    r"\b(?:echo|printf|print|logger?(?:\.\w+)?)\b\s*\(?\s*(?:-\w+\s+)*f?(?P<q>['\"])(?:(?!(?P=q)).)*(?P=q)"
)


@remembered
def runs(line: str) -> str:
    """What of a line runs: comments, printed text and packages that it installs taken off.

    Printed text stays where it holds a command substitution.
    """
    text = _COMMENT.sub("", line)
    text = _PRINTED.sub(lambda m: m[0] if "$(" in m[0] or "`" in m[0] else " ", text)
    return PIP_INSTALL.sub(" ", text)
