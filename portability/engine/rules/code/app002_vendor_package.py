"""APP002: a Python package that exists for another vendor only, or needs another build."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from packaging.markers import InvalidMarker, Marker, UndefinedComparison, UndefinedEnvironmentName

from portability.engine.material.words import How
from portability.engine.memo import remembered
from portability.engine.model import Effect, Finding, Place, Site, SiteKind
from portability.engine.rules.base import Context, Example, Ground, Rule, Said
from portability.engine.rules.code.sources import PACKAGES, given, not_read, place_in
from portability.engine.rules.command.lines import goes_on_installing, installed
from portability.engine.rules.foreign import because, foreign, owner, target_vendor
from portability.engine.vendor_rows.rows import Row, Table

_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.-]*)\s*(?P<extras>\[[^\]]*\])?(?:[^+;#]{0,300}\+(?P<local>[\w.]+))?"
)
_ADDRESS = re.compile(r"(?:https?|git\+https?|file)://[^\s\"',]+")
_WHEEL = re.compile(r"(?:.*[/\\])?(?P<name>[A-Za-z0-9][\w.]*)-(?P<version>\d[\w.!+]*)-[\w.-]+\.whl$")
_EGG = re.compile(r"#egg=(?P<name>[A-Za-z0-9][\w.-]*)")
_SEVERITY = {effect: n for n, effect in enumerate(Effect)}
_LINUX = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """What commands and scripts install, and lists of packages that manifests carry."""
    for requirement in (said.value,) if said.role == PACKAGES else installed(said.value):
        yield from _judge(ground, requirement, said.value, None)


def check(ctx: Context) -> Iterable[Finding]:
    """Requirements among the files that the team gave, and what an installation goes on with over more lines."""
    for site, requirement in ctx.here(_continued):
        for finding in _judge(ctx, requirement, site.value, None):
            yield finding.put(site.place)
    for material in given(ctx):
        for word in material.words:
            if word.how is How.PACKAGE:
                yield from _judge(ctx, word.text, material.line(word.line), place_in(material, word.line))
    yield from _not_read(ctx)


def _continued(ctx: Context) -> list[tuple[Site, str]]:
    """The words of lines that only go on with a `pip install` that an earlier line of their text began."""
    found: list[tuple[Site, str]] = []
    inside: tuple[str, str, int] | None = None
    for site in ctx.sites(SiteKind.COMMAND, SiteKind.SCRIPT):
        if inside is None and not site.value.endswith("\\"):
            continue
        here = (site.place.file, site.place.pointer, site.place.line)
        goes_on = goes_on_installing(site.value)
        if inside == here:
            found += [(site, word) for word in installed(f"pip install {site.value}")]
            goes_on = goes_on or goes_on_installing(f"pip install {site.value}")
        inside = (*here[:2], here[2] + 1) if goes_on else None
    return found


def _judge(ground: Ground, requirement: str, line: str, place: Place | None) -> Iterator[Finding]:
    """The worst of what a requirement asks for."""
    texts = _spellings(requirement) if _is_for_linux(requirement) else ()
    rows = [row for text in texts if (row := foreign(ground, Table.PACKAGES, text)) is not None]
    if rows:
        yield _finding(ground, min(rows, key=lambda row: _SEVERITY[row.effect]), requirement, line, place)


def _not_read(ctx: Context) -> Iterator[Finding]:
    """Lists that could not be read, and those that a list takes in and nobody gave."""
    files = given(ctx)
    names = {material.name.rsplit("/", 1)[-1].lower() for material in files}
    for material in files:
        if material.lists_packages:
            yield from not_read(RULE, material)
        for word in material.words:
            if word.how is How.LISTS and re.split(r"[/\\]", word.text)[-1].lower() not in names:
                reason = (
                    f"{material.name} takes in {word.text}, which was not given, so that its packages are not known."
                )
                place = place_in(material, word.line)
                yield RULE.finding(Effect.CONFIRM, reason, f"Give {word.text} as well.", place=place, value=word.text)


@remembered
def _is_for_linux(requirement: str) -> bool:
    """Whether a requirement's marker, if it has one that can be read, holds on a Linux machine of any Python."""
    _, semicolon, marker = requirement.partition(";")
    if not semicolon or not any(name in marker for name in _LINUX):
        return True
    try:
        return Marker(marker.strip()).evaluate({**_LINUX, "extra": ""})
    except (InvalidMarker, UndefinedComparison, UndefinedEnvironmentName, RecursionError):
        return True


def _spellings(requirement: str) -> Iterator[str]:
    """What rows may match: addresses in it, the name with its extras, with its local version, and alone."""
    said = unquote(requirement.partition(";")[0]).strip().strip("\"'")
    yield from _ADDRESS.findall(said)
    if egg := _EGG.search(said):
        yield _normal(egg["name"])
    if wheel := _WHEEL.match(said.partition("#")[0].rpartition("@")[2].strip()):
        local = wheel["version"].partition("+")[2]
        yield f"{_normal(wheel['name'])}+{local.lower()}"
        yield _normal(wheel["name"])
    if "://" in said.partition("@")[0] or said.startswith("-"):
        return
    found = _REQUIREMENT.match(said)
    if found is None:
        return
    name = _normal(found["name"])
    if found["extras"]:
        for extra in found["extras"].strip("[]").split(","):
            yield f"{name}[{extra.strip().lower()}]"
    if found["local"]:
        yield f"{name}+{found['local'].lower()}"
    if said.count("=") > 1 and "==" not in said:  # name=version=build, as conda writes it
        yield "".join(said.lower().split())
    yield name


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _finding(ground: Ground, row: Row, requirement: str, line: str, place: Place | None) -> Finding:
    if row.effect is Effect.BLOCKS:
        remedy = f"Do without it, or leave the workload where it is: {target_vendor(ground)} has none."
    elif row.effect is Effect.CONFIRM:
        remedy = f"Confirm that the pinned version has a build for {target_vendor(ground)}, and install that."
    else:
        instead = row.counterpart or f"what {target_vendor(ground)} has for it, if anything is needed,"
        remedy = f"Install {instead} in its place."
    address = requirement.startswith(("-", "http")) and ".whl" not in requirement and "git+" not in requirement
    reason = because(f"{requirement[:200]} {'gives packages' if address else 'is a package'} for {owner(row)}", row)
    return RULE.finding(row.effect, reason, remedy, place=place, value=line, evidence=[row.evidence()])


RULE = Rule(
    id="APP002",
    name="vendor-only-package",
    class_="CODE",
    why="A package that holds one vendor's binaries does not install, or does not load, on the other.",
    fix="Install the counterpart; where there is none, replace what needs the package.",
    references=("https://pytorch.org/get-started/locally/", "https://rocm.docs.amd.com/projects/install-on-linux/"),
    reads=(
        "lists of packages given with the workload: requirements files, pyproject.toml, setup.py, setup.cfg, Pipfile,"
        " conda environments and lock files",
        "what commands, scripts, Dockerfiles and notebooks install",
    ),
    examples=(
        Example("hit", "no counterpart", workload={"python_requirements": "tensorrt==10.9\n"}, effect=Effect.BLOCKS),
        Example("hit", "a counterpart", workload={"python_requirements": "onnxruntime-gpu\n"}, effect=Effect.CHANGE),
        Example("hit", "a CUDA wheel", workload={"python_requirements": "torch==2.9.0+cu128\n"}, effect=Effect.CHANGE),
        Example(
            "miss",
            "for another system only",
            workload={"python_requirements": "onnxruntime-gpu; sys_platform == 'win32'\n"},
        ),
        Example("miss", "packages of nobody's", workload={"python_requirements": "torch==2.11.0\nfastapi>=0.1\n"}),
        Example(
            "unknown",
            "another list that was not given",
            workload={"python_requirements": "-r base.txt\n"},
            effect=Effect.CONFIRM,
        ),
        Example(
            "unknown",
            "a build exists for some",
            workload={"python_requirements": "flash-attn==2.8.0\n"},
            effect=Effect.CONFIRM,
        ),
    ),
    kinds=(SiteKind.SCRIPT, SiteKind.COMMAND),
    at=at,
    check=check,
)
