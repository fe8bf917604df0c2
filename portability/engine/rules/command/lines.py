"""A line of a command or script, cleared of what is prose or some other rule's."""

from __future__ import annotations

import re
import shlex

from portability.engine.memo import remembered

# `pip install`, `uv pip install`, `python -m pip install`, `conda install`, up to the end of that command.
PIP_INSTALL = re.compile(
    r"\b(?:pip[0-9.]*|uv|poetry|pipenv|conda|mamba|micromamba)\s+(?:pip\s+)?(?:install|add)\b(?P<rest>[^;&|]*)"
)
_COMMENT = re.compile(r"(?:^|\s)(?:#|//)(?:\s.*|!?.*)$")
_PRINTED = re.compile(
    r"\b(?:echo|printf|print|logger?(?:\.\w+)?)\b\s*\(?\s*(?:-\w+\s+)*f?(?P<q>['\"])(?:(?!(?P=q)).)*(?P=q)"
)


@remembered
def runs(line: str) -> str:
    """What of a line runs: comments, printed text and packages that it installs taken off.

    Printed text stays where it holds a command substitution.
    """
    text = _COMMENT.sub("", line) if "#" in line or "//" in line else line
    if '"' in text or "'" in text:
        text = _PRINTED.sub(lambda m: m[0] if "$(" in m[0] or "`" in m[0] else " ", text)
    return PIP_INSTALL.sub(" ", text) if _may_install(text) else text


@remembered
def installed(line: str) -> tuple[str, ...]:
    """The words behind each `pip install` of a line: packages, options and addresses."""
    if not _may_install(line):
        return ()
    words = (word for command in PIP_INSTALL.finditer(line) for word in _words(command["rest"]))
    return tuple(word for word in words if word != "\\")


def goes_on_installing(line: str) -> bool:
    """Whether a line ends inside a `pip install` that goes on over the next one."""
    ends = [found.end() for found in PIP_INSTALL.finditer(line.rstrip())]
    return line.rstrip().endswith("\\") and bool(ends) and ends[-1] == len(line.rstrip())


def _may_install(line: str) -> bool:
    """Whether PIP_INSTALL can match at all: most lines are turned away by this."""
    return "install" in line or "add" in line


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError:  # a quote that closes on another line
        return text.split()
