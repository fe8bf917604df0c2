"""AMD GPU Operator: its page of supported GPUs and of operating systems with their Kubernetes or OpenShift versions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from portability.engine.errors import InputError
from portability.engine.matrices.importers.names import listed, meanings, nearly, refuse_qualified, rows
from portability.engine.matrices.importers.pages import page
from portability.engine.matrices.importers.reading import Document, Reading
from portability.engine.matrices.importers.statuses import is_status, refuse_limit, refuse_other_legend, status
from portability.engine.matrices.importers.tables import (
    Grid,
    Page,
    Table,
    TableCell,
    grid,
    heads,
    named,
    same,
    text,
    versions_said,
)
from portability.engine.matrices.keys import OPERATOR
from portability.engine.matrices.knowledge import Cell
from portability.engine.versions import compare

_LOOKED_AT = 20  # headings of a table
_TITLE = re.compile(r"\bGPU[ -]Operator\s+v?([0-9]+(?:\.[0-9]+)+)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"/gpu-operator/en/(?:docs-|release-)?v?([0-9]+(?:\.[0-9]+)+)(?![0-9.])")
_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+)+")
_SYSTEM = re.compile(
    r"(?P<name>[A-Za-z][A-Za-z ]*?)(?: (?P<version>[0-9]+(?:\.[0-9]+)*)(?: SP(?P<pack>[0-9]+))?(?: LTS)?)?"
    r"(?: \((?P<short>[A-Za-z]+)\))?"
)
_RANGE = re.compile(
    r"v?(?P<low>[0-9]+\.[0-9]+)(?:(?: ?[-‐‑‒–—―−] ?| to | through )v?(?P<high>[0-9]+\.[0-9]+))?"
    r"(?: ?\((?P<about>[^()]*)\))?"
)
_PART = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def read(documents: Sequence[Document], version: str | None) -> Reading:
    """The two tables, which one page holds."""
    if version is not None and not _VERSION.fullmatch(version):
        raise InputError("", 0, f"{version} is no version of the operator such as 1.5.1")
    pages = [page(document) for document in documents]
    refuse_other_legend(pages)
    for each in pages:
        _refuse_other_maker(each)
    said = [(each.file, found) for each in pages for found in versions_said(each, _TITLE, _ADDRESS)]
    for file, found in said:
        if compare(found, version or said[0][1]):
            raise InputError(file, 0, f"describes operator {found}, not {version or said[0][1]}")
    platforms: list[Table] = []
    gpus: list[Table] = []
    for table in (table for each in pages for table in each.tables):
        found_columns = _columns(table)
        if "os" in found_columns:
            platforms.append(table)
        elif "gpus" in found_columns:
            gpus.append(table)
        elif found_columns:
            table.refuse("a table of platforms does not name its operating systems")
    if not platforms and not gpus:
        missing = "no table of operating systems or of supported GPUs is in it"
        raise InputError(documents[0].name, 0, f"{missing}: this is not the AMD GPU Operator's page of platforms")
    for tables, what in ((platforms, "operating systems"), (gpus, "supported GPUs")):
        if len(tables) != 1:
            raise InputError(documents[0].name, 0, f"{len(tables) or 'no'} tables of {what}; the page has one")
    statuses = _gpus(gpus[0])
    facts = {
        "platforms": _platforms(platforms[0]),
        "gpus": [part for part, found in statuses.items() if found == "supported"],
    }
    return Reading(OPERATOR, version or (said[0][1] if said else ""), facts)


def cells(reading: Reading) -> Iterator[Cell]:
    """The cells of a reading: those the page states. Exceptions of one part are entered by hand, and stay."""
    for row in reading.facts["platforms"]:
        at = f"platform/{row['os']}/{row.get('version', 'any')}"
        for name in ("kubernetes", "openshift"):
            if name in row:
                yield Cell(f"{at}/{name}", row[name])
        yield Cell(f"{at}/driver-management", "supported" if row["driver_management"] == "supported" else "unsupported")
    for part in reading.facts["gpus"]:
        yield Cell(f"gpu/{part}", "supported")


def _refuse_other_maker(page: Page) -> None:
    """Other makers have an operator, with a page for the same purpose."""
    words = {word for title in page.titles for word in same(title).split()}
    if other := words & listed("operator", "other_makers"):
        raise InputError(page.file, 0, f"is a page of {', '.join(sorted(other))}, not of the AMD GPU Operator")


def _columns(table: Table) -> dict[str, int]:
    """Which known columns a table has, by their headings."""
    top = heads(table)
    if not top:
        return {}
    known = meanings("operator", "columns")
    found: dict[str, int] = {}
    for n, cell in enumerate(top[0].cells[:_LOOKED_AT]):
        name = same(named(cell)[0])
        if name in known:
            found[known[name]] = n
        elif alike := nearly(name, known):
            table.refuse(f"a heading is damaged: “{cell.text[:40]}” may be “{alike}”", top[0].line)
    return found


def _named(table: Table, laid: Grid) -> dict[str, int]:
    known = meanings("operator", "columns")
    found: dict[str, int] = {}
    for n, name in enumerate(laid.columns):
        ours = known.get(same(name))
        if ours in found:
            table.refuse(f"two columns of {ours}")
        if ours is not None and laid.marks[n]:
            table.refuse(f"“{name[:40]}”: a footnote may limit the column")
        if ours is not None:
            found[ours] = n
    return found


def _platforms(table: Table) -> list[dict[str, str]]:
    laid = grid(table)
    columns = _named(table, laid)
    if "kubernetes" not in columns and "openshift" not in columns:
        table.refuse("the table of operating systems has no column of Kubernetes or OpenShift versions")
    found: list[dict[str, str]] = []
    seen: set[tuple[str, str | None]] = set()
    for row in laid.rows:
        platform: dict[str, str] = {**_system(table, row[columns["os"]])}
        managed = True
        for n in set(range(len(laid.columns))) - set(columns.values()):
            refuse_limit(table, laid.columns[n], row[n])
        for name in ("kubernetes", "openshift"):
            cell = row[columns[name]] if name in columns else None
            if cell is not None and (cell.marks or same(cell.text) not in ("", *listed("operator", "not_offered"))):
                platform[name], by_operator = _range(table, cell)
                managed = managed and by_operator
        if "kubernetes" not in platform and "openshift" not in platform:
            table.refuse(f"{row[0].text[:40]}: neither a Kubernetes nor an OpenShift version", row[0].line)
        if "driver-management" in columns:
            managed = _managed(table, row[columns["driver-management"]], managed)
        key = (platform["os"], platform.get("version"))
        if key in seen:
            table.refuse(f"{row[0].text[:40]} has two rows", row[0].line)
        seen.add(key)
        platform["driver_management"] = "supported" if managed else "not-supported"
        found.append(platform)
    if not found:
        table.refuse("the table has no rows")
    return found


def _system(table: Table, cell: TableCell) -> dict[str, str]:
    match = _SYSTEM.fullmatch(text(cell))
    if match is None or cell.marks:
        table.refuse(f"“{cell.text[:40]}” is no operating system", cell.line)
    known = meanings("operator", "systems")
    name = known.get(same(match["name"]))
    if match["short"] and (name is None or known.get(same(match["short"])) != name):
        why = "names two operating systems, or says more than a name in brackets"
        table.refuse(f"“{cell.text[:40]}” {why}", cell.line)
    if name is None and (alike := nearly(match["name"], known)):
        table.refuse(f"“{cell.text[:40]}” may be a damaged “{alike}”", cell.line)
    if name is None and not match["version"] and any(same(match["name"]).startswith(f"{other} ") for other in known):
        table.refuse(f"“{cell.text[:40]}”: no version", cell.line)
    bare = name in listed("operator", "without_version")
    if name is not None and bare == bool(match["version"]):
        table.refuse(f"“{cell.text[:40]}”: {'a version of its own' if bare else 'no version'}", cell.line)
    system = {"os": name or same(match["name"]).replace(" ", "-")}
    if match["version"]:
        system["version"] = match["version"] + (f".{match['pack']}" if match["pack"] else "")
    return system


def _range(table: Table, cell: TableCell) -> tuple[str, bool]:
    """The versions a cell states, with plain hyphens, and whether the operator manages the driver there."""
    match = _RANGE.fullmatch(text(cell))
    about = same(match["about"]) if match and match["about"] is not None else ""
    if match is None or cell.marks or (about and about not in listed("operator", "driver_not_managed")):
        table.refuse(f"“{cell.text[:60]}” is no range of versions", cell.line)
    if match["high"] and compare(match["low"], match["high"]) > 0:
        table.refuse(f"“{cell.text[:60]}” ends before it begins", cell.line)
    return (f"{match['low']}-{match['high']}" if match["high"] else match["low"]), not about


def _managed(table: Table, cell: TableCell, elsewhere: bool) -> bool:
    """Whether the operator manages the driver, by a column for that; `elsewhere`: by the words beside the versions."""
    said, mark = status(table, cell, "driver management")
    if mark or said not in ("supported", "unsupported") or (said == "supported" and not elsewhere):
        table.refuse(f"driver management: “{cell.text[:40]}” says nothing clear, or contradicts its row", cell.line)
    return said == "supported"


def _gpus(table: Table) -> dict[str, str]:
    laid = grid(table)
    at = _named(table, laid)["gpus"]
    others = [n for n in range(len(laid.columns)) if n != at]
    stating = [n for n in others if any(is_status(row[n]) for row in laid.rows)]
    if len(stating) != 1:
        table.refuse("the table of GPUs must have one column that says whether a GPU is supported")
    found: dict[str, str] = {}
    for row in laid.rows:
        part = _part(table, row[at])
        if part in found:
            table.refuse(f"{part} has two rows", row[at].line)
        for n in set(others) - set(stating):
            refuse_limit(table, laid.columns[n], row[n])
        found[part], mark = status(table, row[stating[0]], part)
        if mark:
            table.refuse(f"{part}: a footnote may limit it", row[at].line)
    if not found:
        table.refuse("the table has no rows")
    return found


def _part(table: Table, cell: TableCell) -> str:
    refuse_qualified(table, cell)
    if cell.marks or len(cell.lines) > 1:
        table.refuse(f"“{cell.text[:40]}”: more than a name, or a footnote that may limit it", cell.line)
    words = [word for word in same(cell.text).split() if word not in rows()["operator"]["makers_words"]]
    if other := set(words) & listed("operator", "other_makers"):
        table.refuse(f"“{cell.text[:40]}” is a part of {other.pop()}, not of AMD", cell.line)
    if set(words) & listed("operator", "of_several"):
        table.refuse(f"“{cell.text[:40]}” names several parts", cell.line)
    part = "-".join(words)
    if not _PART.fullmatch(part) or not any(letter.isdigit() for letter in part):
        table.refuse(f"“{cell.text[:40]}” is no name of a part", cell.line)
    return part
