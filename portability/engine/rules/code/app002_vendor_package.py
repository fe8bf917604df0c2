"""APP002: a Python package that exists for another vendor only, or needs another build."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator

from portability.engine.memo import remembered
from portability.engine.model import Effect, Finding, Place, SiteKind
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.code.sources import REQUIREMENTS, given, is_requirements
from portability.engine.rules.command.lines import PIP_INSTALL
from portability.engine.rules.foreign import because, foreign, owner, target_vendor
from portability.engine.vendor_rows.rows import Row, Table

_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)\s*(?P<extras>\[[^\]]*\])?(?:[^+;#]*\+(?P<local>[\w.]+))?")
_ADDRESS = re.compile(r"https?://[^\s\"',]+")


def check(ctx: Context) -> Iterable[Finding]:
    """One finding a line: the worst of what it asks for."""
    for requirement, line, place in _requirements(ctx):
        rows = [row for text in _spellings(requirement) if (row := foreign(ctx, Table.PACKAGES, text)) is not None]
        if rows:
            yield _finding(ctx, rows[0], requirement, line, place)


def _requirements(ctx: Context) -> Iterator[tuple[str, str, Place]]:
    """Each requirement, the line that states it, and its place."""
    listed = {REQUIREMENTS: ctx.declared.python_requirements}
    listed |= {name: text for name, text in ctx.declared.source_files.items() if is_requirements(name)}
    for name, text in listed.items():
        for line in given(name, text):
            yield line.text, line.text, line.place
    for site in ctx.sites(SiteKind.SCRIPT, SiteKind.COMMAND):
        if site.role == "packages":
            yield site.value, site.value, site.place
            continue
        for word in _installed(site.value):
            yield word, site.value, site.place


@remembered
def _installed(line: str) -> tuple[str, ...]:
    return tuple(word for command in PIP_INSTALL.finditer(line) for word in _words(command["rest"]))


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError:  # a quote that closes on another line
        return text.split()


def _spellings(requirement: str) -> Iterator[str]:
    """What rows may match: addresses in it, the name with its extras, with its local version, and alone."""
    yield from _ADDRESS.findall(requirement)
    found = _REQUIREMENT.match(requirement.strip().strip("\"'"))
    if found is None:
        return
    name = re.sub(r"[-_.]+", "-", found["name"]).lower()
    if found["extras"]:
        for extra in found["extras"].strip("[]").split(","):
            yield f"{name}[{extra.strip().lower()}]"
    if found["local"]:
        yield f"{name}+{found['local'].lower()}"
    yield name


def _finding(ctx: Context, row: Row, requirement: str, line: str, place: Place) -> Finding:
    if row.effect is Effect.BLOCKS:
        remedy = f"Do without it, or leave the workload where it is: {target_vendor(ctx)} has none."
    elif row.effect is Effect.CONFIRM:
        remedy = f"Confirm that the pinned version has a build for {target_vendor(ctx)}, and install that."
    else:
        remedy = f"Install {row.counterpart or 'the package for the target'} in its place."
    reason = because(f"{requirement} is a package for {owner(row)}", row)
    return RULE.finding(row.effect, reason, remedy, place=place, value=line, evidence=[row.evidence()])


RULE = Rule(
    id="APP002",
    name="vendor-only-package",
    class_="CODE",
    why="A package that holds one vendor's binaries does not install, or does not load, on the other.",
    fix="Install the counterpart; where there is none, replace what needs the package.",
    references=("https://pytorch.org/get-started/locally/", "https://rocm.docs.amd.com/projects/install-on-linux/"),
    reads=("requirements given with the workload", "pip installs in commands and scripts"),
    examples=(
        Example("hit", "no counterpart", workload={"python_requirements": "tensorrt==10.9\n"}, effect=Effect.BLOCKS),
        Example("hit", "a counterpart", workload={"python_requirements": "onnxruntime-gpu\n"}, effect=Effect.CHANGE),
        Example("hit", "a CUDA wheel", workload={"python_requirements": "torch==2.9.0+cu128\n"}, effect=Effect.CHANGE),
        Example("miss", "packages of nobody's", workload={"python_requirements": "torch==2.11.0\nfastapi>=0.1\n"}),
        Example(
            "unknown",
            "a build exists for some",
            workload={"python_requirements": "flash-attn==2.8.0\n"},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
)
