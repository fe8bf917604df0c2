"""Lines of application material: files the team gave, and scripts that manifests carry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from portability.engine.model import Place, Resource, Site, SiteKind
from portability.engine.rules.base import Context

REQUIREMENTS = "python_requirements"
_PROSE = re.compile(
    r"(?:\.(?:md|rst|adoc|html?)|/(?:README|NOTES|LICENSE|CHANGELOG)(?:\.txt)?|/[^/]*prompts?[^/.]*(?:\.(?:txt|j2|jinja2?))?)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Line:
    """One stripped line that says something, where it stands, and the whole text it is of."""

    text: str
    place: Place
    whole: str


def given(name: str, text: str) -> Iterator[Line]:
    """The lines of a file that the team gave. Its path is the line's own text, which stays when lines move."""
    for n, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped and not stripped.startswith(("#", "//")):
            yield Line(stripped, Place(name, n, "0:", stripped[:120], Resource("", "", name)), text)


def source_files(ctx: Context) -> Iterator[Line]:
    """Code that the team gave; lists of requirements aside."""
    for name, text in ctx.declared.source_files.items():
        if not is_requirements(name):
            yield from given(name, text)


def carried(ctx: Context) -> Iterator[Site]:
    """The lines of texts that manifests carry and something runs: neither lists of packages nor documentation."""
    for site in ctx.sites(SiteKind.SCRIPT):
        if site.role != "packages" and not _PROSE.search(site.place.pointer):
            yield site


def scripts(ctx: Context) -> Iterator[Line]:
    """Scripts that manifests carry outside a container's command."""
    whole: dict[tuple[str, str], list[str]] = {}
    sites = list(carried(ctx))
    for site in sites:
        whole.setdefault((site.place.file, site.place.pointer), []).append(site.value)
    for site in sites:
        yield Line(site.value, site.place, "\n".join(whole[(site.place.file, site.place.pointer)]))


def is_requirements(name: str) -> bool:
    """Whether a file lists requirements, one a line."""
    last = name.rsplit("/", 1)[-1].lower()
    return last.endswith(".txt") and ("require" in last or "constraint" in last)
