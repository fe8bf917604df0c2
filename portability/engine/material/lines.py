"""Code that is read line by line: scripts, Dockerfiles, C and C++, and Python that has no syntax tree."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from portability.engine.material.words import How, Word, pieces
from portability.engine.rules.command.lines import goes_on_installing, runs

_IMPORT = re.compile(r"^\s*import\s+(?P<names>[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*)")
_FROM = re.compile(r"^\s*from\s+(?P<module>[A-Za-z_][\w.]*)\s+import\s+\(?(?P<names>[\w\s,*]+)")
_C_BLOCK = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_C_LINE = re.compile(r"//.*$")
_INSTRUCTION = re.compile(r"^\s*(?P<name>[A-Za-z]+)\s+(?P<rest>.*)$", re.DOTALL)
_OPTIONS = re.compile(r"^(?:--[\w-]+(?:=\S*)?\s+)+")
_COPIED = re.compile(r"--from=(\S+)")
_VARIABLE = re.compile(r"\$\{(\w+)(?::?-([^}]*))?\}|\$(\w+)")
_RUNS = frozenset({"RUN", "CMD", "ENTRYPOINT", "ENV", "HEALTHCHECK", "SHELL"})
_RUN_NOTHING = frozenset({"LABEL", "EXPOSE", "USER", "WORKDIR", "VOLUME", "STOPSIGNAL", "MAINTAINER"})
_LATER = re.compile(r"^ONBUILD\s+", re.IGNORECASE)


def code(lines: Sequence[str]) -> Iterator[Word]:
    """Any language with `#` or `//` comments: what each line says, and what it imports where it is Python's form."""
    for n, line in enumerate(lines, 1):
        for piece in pieces(line):
            if stripped := runs(piece).strip():
                yield from imports(stripped, n)
                yield Word(How.TEXT, stripped, n)


def script(lines: Sequence[str]) -> Iterator[Word]:
    """A shell's. A command that goes on over lines is looked at line by line."""
    installing = False
    for n, line in enumerate(lines, 1):
        for piece in pieces(line):
            if stripped := piece.strip():
                command = f"pip install {stripped}" if installing and stripped[0] not in ";&|" else stripped
                installing = goes_on_installing(command)
                yield Word(How.COMMAND, command, n)


def c_source(lines: Sequence[str]) -> Iterator[Word]:
    """C, C++, CUDA or HIP: lines without comments; `#include` is none."""
    text = _C_BLOCK.sub(lambda found: "\n" * found[0].count("\n"), "\n".join(lines))
    for n, line in enumerate(text.split("\n"), 1):
        for piece in pieces(_C_LINE.sub("", line)):
            if stripped := piece.strip():
                yield Word(How.TEXT, stripped, n)


def imports(line: str, n: int) -> Iterator[Word]:
    """The modules that one line of Python imports."""
    if found := _IMPORT.match(line):
        for name in found["names"].split(","):
            yield Word(How.MODULE, name.split()[0], n)
    elif found := _FROM.match(line):
        yield Word(How.MODULE, found["module"], n)
        for name in found["names"].split(","):
            if words := name.split():
                yield Word(How.MODULE, f"{found['module']}.{words[0]}", n)


def dockerfile(lines: Sequence[str]) -> Iterator[Word]:
    """What it builds on, with the defaults of its arguments filled in, and what it runs and sets.

    A line that begins with no instruction is one of a script: that of `RUN <<EOF`, mostly.
    """
    arguments: dict[str, str] = {}
    stages: set[str] = set()
    instruction = ""
    installing = False
    for n, line in enumerate(lines, 1):
        stripped = _LATER.sub("", line.strip())
        if not stripped or stripped.startswith("#"):
            continue
        found = None if instruction else _INSTRUCTION.match(stripped)
        name, rest = (found["name"].upper(), found["rest"]) if found else (instruction, stripped)
        goes_on = stripped.endswith("\\")
        rest = rest.rstrip("\\").strip()
        instruction = name if goes_on else ""
        if name == "FROM":
            words = _OPTIONS.sub("", rest).split()
            if words and words[0].lower() not in stages:
                yield Word(How.IMAGE, _filled(words[0], arguments), n)
            if len(words) > 2 and words[1].lower() == "as":
                stages.add(words[2].lower())
        elif name == "ARG":
            key, _, value = rest.partition("=")
            arguments[key.strip()] = value.strip("\"' ")
        elif name in ("COPY", "ADD"):
            for image in _COPIED.findall(rest):
                if image.lower() not in stages and not image.isdigit():
                    yield Word(How.IMAGE, _filled(image, arguments), n)
        elif not found or name not in _RUN_NOTHING:
            said = _plain(_OPTIONS.sub("", rest)) if found and name in _RUNS else stripped.rstrip("\\")
            for piece in pieces(said):
                command = f"pip install {piece}" if installing and piece[:1] not in (";", "&", "|") else piece
                installing = goes_on_installing(f"{command} \\") and goes_on
                yield Word(How.COMMAND, _filled(command, arguments), n)


def _filled(text: str, arguments: dict[str, str]) -> str:
    """Arguments by their defaults; what has none stays as it is."""
    return _VARIABLE.sub(lambda m: arguments.get(m[1] or m[3]) or m[2] or m[0], text)


def _plain(rest: str) -> str:
    """`["sh", "-c", "x"]` as the command it is."""
    if rest.startswith("["):
        try:
            parts = json.loads(rest)
        except (ValueError, RecursionError):
            return rest
        if isinstance(parts, list) and all(isinstance(part, str) for part in parts):
            return " ".join(parts)
    return rest
