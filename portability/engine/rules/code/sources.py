"""Application material as the rules look at it: files the team gave, and scripts that manifests carry."""

from __future__ import annotations

import re
from collections.abc import Iterator

from portability.engine.material.lines import imports
from portability.engine.material.reading import material_of
from portability.engine.material.words import Material
from portability.engine.model import Effect, Finding, Place, Resource, Site, SiteKind
from portability.engine.rules.base import Context, Ground, Rule
from portability.engine.rules.foreign import foreign
from portability.engine.vendor_rows.rows import Row, Table

PACKAGES = "packages"  # role of the sites of a list of packages, which is no script
_BOTH = "both-ways:"
_STATEMENT = re.compile(r";|['\"]$|\s-c\s+['\"]")
_PROSE = re.compile(
    r"(?:\.(?:md|rst|adoc|html?)|/(?:README|NOTES|LICENSE|CHANGELOG)(?:\.txt)?|/[^/]*prompts?[^/.]*(?:\.(?:txt|j2|jinja2?))?)$",
    re.IGNORECASE,
)


def given(ctx: Context) -> tuple[Material, ...]:
    """The files that the team gave."""
    declared = ctx.declared
    return material_of(declared) if declared.python_requirements or declared.source_files else ()


def place_in(material: Material, line: int) -> Place:
    """A line of a file that the team gave. Its path is the line's own text, which stays when lines move."""
    return Place(material.name, line, "0:", material.line(line)[:120], Resource("", "", material.name))


def not_read(rule: Rule, material: Material) -> Iterator[Finding]:
    """What could not be read as what it is may hold anything: that is asked about, never passed over."""
    if material.unread is not None:
        unread = material.unread
        reason = f"{material.name} could not be read whole ({unread.why}), so that what it asks for is not all known."
        yield rule.finding(Effect.CONFIRM, reason, unread.remedy, place=place_in(material, unread.line))


def module_row(ground: Ground, dotted: str) -> Row | None:
    """The row of a module, or of the nearest one above it, if it belongs to somebody else than the target's vendor."""
    while dotted:
        row = ground.rows.find(Table.MODULES, dotted)
        if row is not None:
            return row if row.foreign_to(ground.target.vendor) else None
        dotted = dotted.rpartition(".")[0]
    return None


def imported_row(ground: Ground, text: str) -> Row | None:
    """The row of a module that a line imports, or that Python given on a command line does."""
    if "import" not in text:
        return None
    modules = (word.text for statement in _STATEMENT.split(text) for word in imports(statement.strip(), 0))
    return next(filter(None, (module_row(ground, module) for module in modules)), None)


def asks_both(row: Row, material: Material) -> bool:
    """Whether the file asks for the other vendor as well, as the row says how."""
    return any(material.says(trait.removeprefix(_BOTH)) for trait in row.traits if trait.startswith(_BOTH))


def asks_both_in(row: Row, text: str) -> bool:
    """The same of a text."""
    return any(trait.removeprefix(_BOTH) in text for trait in row.traits if trait.startswith(_BOTH))


def code_row(ground: Ground, text: str) -> Row | None:
    """The row of words in a line of code, if they are somebody else's."""
    return foreign(ground, Table.CODE, text)


def is_prose(site: Site) -> bool:
    """Whether a text that manifests carry is documentation, which nothing runs."""
    return bool(_PROSE.search(site.place.pointer))


def script(ctx: Context, site: Site) -> str:
    """The whole text that a line of a carried script or of a command is of."""
    return ctx.here(_scripts)[(site.place.file, site.place.pointer)]


def _scripts(ctx: Context) -> dict[tuple[str, str], str]:
    whole: dict[tuple[str, str], list[str]] = {}
    for site in ctx.sites(SiteKind.SCRIPT, SiteKind.COMMAND):
        if site.role != PACKAGES:
            whole.setdefault((site.place.file, site.place.pointer), []).append(site.value)
    return {at: "\n".join(lines) for at, lines in whole.items()}
