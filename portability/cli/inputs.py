"""Finding and reading what the command line names. Whatever cannot be read is said, and the rest is read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from portability.engine.input_files import MANIFEST_ENDINGS
from portability.engine.manifests.limits import MAX_BYTES
from portability.engine.output.report import Source, Unusable

STDIN = "-"


class Found(NamedTuple):
    """Files by the names they are shown by, in order, and what could not be opened."""

    sources: dict[str, Source]
    unusable: list[Unusable]


def read_inputs(paths: Sequence[str]) -> Found:
    """Every file named or found in a directory, once each, however often and in whatever way it is named."""
    found = Found({}, [])
    seen: set[str] = set()
    for path in paths:
        if path == STDIN:
            _keep(found, STDIN)
        elif os.path.isdir(path):
            _search(path, found, seen)
        elif _new(path, seen):
            _keep(found, path)
    return found


def shown(path: str) -> str:
    """A path as text that can be printed anywhere: bytes of a name that are not UTF-8 are written as \\xNN."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def address(path: str) -> str:
    """A path as a URI: relative to the working directory where the file is below it, symbolic links followed."""
    if path == STDIN:
        return path
    real, here = os.path.realpath(path), os.path.realpath(os.curdir)
    if os.path.commonpath([real, here]) == here:
        return quote(os.fsencode(Path(os.path.relpath(real, here)).as_posix()))
    return f"file://{quote(os.fsencode(Path(real).as_posix()))}"


def _search(path: str, found: Found, seen: set[str]) -> None:
    before = len(found.sources) + len(found.unusable)
    known = 0
    for file in _manifests(path, found.unusable):
        if _new(file, seen):
            _keep(found, file)
        else:
            known += 1
    if not known and len(found.sources) + len(found.unusable) == before:
        endings = ", ".join(MANIFEST_ENDINGS)
        found.unusable.append(Unusable(shown(path), 0, f"no manifests ({endings}) in this directory"))


def _manifests(path: str, unusable: list[Unusable]) -> Iterator[str]:
    """Files with a manifest's ending below a directory, hidden ones and links to directories left out."""

    def refuse(error: OSError) -> None:
        unusable.append(Unusable(shown(error.filename), 0, f"cannot be searched: {error.strerror}"))

    for folder, folders, names in os.walk(path, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = os.path.normpath(os.path.join(folder, name))
            if name.endswith(MANIFEST_ENDINGS) and not name.startswith(".") and _readable_kind(file):
                yield file


def _readable_kind(file: str) -> bool:
    """A file, or a link that leads nowhere, which is worth saying; not a device or a pipe."""
    return os.path.isfile(file) or not os.path.exists(file)


def _new(path: str, seen: set[str]) -> bool:
    real = os.path.realpath(path)
    new = real not in seen
    seen.add(real)
    return new


def _keep(found: Found, path: str) -> None:
    """Read a file; of one that is longer than any manifest may be, only enough to say so."""
    name = shown(path)
    if name in found.sources:
        return
    try:
        if path == STDIN:
            if sys.stdin is None:
                raise OSError(0, "standard input is closed")
            content = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(path, "rb") as file:
                content = file.read(MAX_BYTES + 1)
    except OSError as error:
        found.unusable.append(Unusable(name, 0, f"cannot be read: {error.strerror}"))
    else:
        found.sources[name] = Source(address(path), content)
