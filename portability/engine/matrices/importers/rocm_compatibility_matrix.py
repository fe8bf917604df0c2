"""AMD's ROCm compatibility matrix: the published page, or the source files it is built from.

Every cell of it holds under conditions only. A table without them says nothing about any part, and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from portability.engine.errors import InputError
from portability.engine.matrices.importers import rocm_frameworks, rocm_systems
from portability.engine.matrices.importers.names import listed, meanings, nearly
from portability.engine.matrices.importers.pages import page
from portability.engine.matrices.importers.parts import known_parts
from portability.engine.matrices.importers.reading import Document, Kind, Reading
from portability.engine.matrices.importers.tables import Page, Table, heads, same, versions_said
from portability.engine.matrices.keys import ROCM
from portability.engine.matrices.knowledge import Cell
from portability.engine.versions import compare

_LOOKED_AT = 20  # headings of a table
_TITLE = re.compile(r"\bROCm(?: Core SDK)?\W{1,3}v?([0-9]+(?:\.[0-9]+)+)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"^https?://[^/]+/en/(?:docs-)?v?([0-9]+(?:\.[0-9]+)+)(?![0-9.])")
_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+)+")


def read(documents: Sequence[Document], version: str | None) -> Reading:
    """What the documents say together of one ROCm version."""
    pages = [page(document) for document in documents]
    systems: list[Table] = []
    frameworks: list[Table] = []
    for each, document in zip(pages, documents, strict=True):
        for table in each.tables:
            kind = _kind(table)
            (systems if kind == "systems" else frameworks if kind == "frameworks" else []).append(table)
        if document.kind is Kind.RST and each.tables:
            _refuse_cut(document, each, systems)
    if not systems and not frameworks:
        _refuse_without_table(pages)
    rocm = _version(pages, version)
    remarks: dict[str, str] = {}
    parts = rocm_systems.parts(systems, remarks)
    facts = {"rocm": rocm, "parts": parts, "frameworks": rocm_frameworks.frameworks(frameworks, _named(parts))}
    return Reading(ROCM, rocm, facts, remarks)


def cells(reading: Reading) -> Iterator[Cell]:
    """The cells of a reading."""
    for part, said in reading.facts["parts"].items():
        yield from _part_cells(part, said, reading.remarks)
    merged: dict[str, tuple[list[str], list[str]]] = {}
    for row in reading.facts["frameworks"]:
        for scope in _scopes(row):
            for release in row["versions"]:
                systems, notes = merged.setdefault(f"framework/{row['framework']}/{scope}/{release}", ([], []))
                systems += [name for name in row["when"].get("os", ["any"]) if name not in systems]
                note = f"Python {row['python']}" if "python" in row else ""
                notes += [note] if note and note not in notes else []
    for key, (systems, notes) in merged.items():
        yield Cell(key, ", ".join(systems), "; ".join(notes))


def _named(parts: Mapping[str, Any]) -> dict[str, set[str]]:
    """What conditions may speak of, by the tables of systems: their parts, LLVM targets and operating systems."""
    return {
        "gpu": set(parts),
        "gfx": {said["gfx"] for said in parts.values() if "gfx" in said},
        "os": {family for said in parts.values() for family in said["os"]},
    }


def _part_cells(part: str, said: Mapping[str, Any], remarks: Mapping[str, str]) -> Iterator[Cell]:
    for name in ("gfx", "series", "architecture"):
        if name in said:
            yield Cell(f"part/{part}/{name}", said[name])
    for family, rows in said["os"].items():
        for row in rows:
            key = f"os/{part}/{family}/{row['version']}"
            yield Cell(key, row.get("kernel", "listed"), remarks.get(key, ""))
    if "amdgpu" in said:
        yield Cell(f"driver/{part}", ", ".join(said["amdgpu"]))
    if "firmware" in said:
        yield Cell(f"firmware/{part}", "; ".join(said["firmware"]))


def _scopes(row: Mapping[str, Any]) -> Sequence[str]:
    """What a row of frameworks holds for, in the words of a key: the most exact of part, LLVM target and family."""
    when = row["when"]
    given = [key for key in ("gpu", "gfx", "fam") if key in when]
    if not given:
        return ["any"]
    exact, wider = given[0], given[1:]
    if not wider:
        return list(when[exact])
    scopes = []
    for value in when[exact]:
        alike = [part for part in known_parts() if part.get(exact) == value]
        fitting = [all(part.get(key) in when[key] for key in wider) for part in alike]
        if not alike or any(fitting) != all(fitting):
            raise InputError("", 0, f"{row['framework']}: cannot tell for which parts {value} it holds")
        scopes += [value] if all(fitting) else []
    return scopes


def _version(pages: Sequence[Page], given: str | None) -> str:
    if given is not None and not _VERSION.fullmatch(given):
        raise InputError("", 0, f"{given} is no ROCm version such as 7.14.0")
    found = [(each.file, version) for each in pages for version in versions_said(each, _TITLE, _ADDRESS)]
    for file, version in found:
        if given is not None and compare(version, given):
            raise InputError(file, 0, f"describes ROCm {version}, not {given}")
        if compare(version, found[0][1]):
            raise InputError(file, 0, f"describes ROCm {version}, but {found[0][0]} says {found[0][1]}")
    if found:
        return found[0][1]
    if given is None:
        raise InputError(pages[0].file, 0, "does not say which ROCm version it describes; give the version with it")
    return given


def _kind(table: Table) -> str:
    """systems, frameworks, or other: told by headings alone. Refuses what is one of the two, but damaged."""
    top = heads(table)
    named = [same(cell.text) for cell in top[0].cells] if top else []
    columns = meanings("rocm", "columns")
    found = {columns[name] for name in named if name in columns}
    if {"framework", "versions"} <= found:
        return "frameworks"
    labels = [same(row.cells[0].text) for row in table.rows if row.cells]
    known = {*meanings("rocm", "attributes"), *listed("rocm", "not_kept")}
    if sum(label in known or rocm_systems.system_of(label) is not None for label in labels) >= 2:
        return "systems"
    conditional = table.has_conditions or table.conditions is not None
    _refuse_turned(table, labels, conditional)
    if found and conditional:
        table.refuse(f"a table of frameworks lacks a heading: it has only {', '.join(sorted(found))}")
    if alike := next((other for name in named[:_LOOKED_AT] if (other := nearly(name, columns))), None):
        table.refuse(f"a heading of this table is damaged: it may be “{alike}”")
    if conditional and len([name for name in named if name]) < 2:
        table.refuse("a table with conditions has no headings that tell what it is")
    return "other"


def _refuse_turned(table: Table, labels: Sequence[str], conditional: bool) -> None:
    """Refuse a table whose rows and columns are exchanged, which would be passed over otherwise."""
    across = [same(cell.text) for cell in table.rows[0].cells[:_LOOKED_AT]] if table.rows else []
    attributes, columns = meanings("rocm", "attributes"), meanings("rocm", "columns")
    properties = [name for name in across if name in attributes or rocm_systems.system_of(name) is not None]
    plain = all(attributes.get(name) in ("series", "architecture", "gfx") for name in properties)
    if len(properties) > 1 and (conditional or not plain):
        table.refuse(f"“{properties[1]}” heads a column: rows and columns of this table of systems are exchanged")
    if {"framework", "versions"} <= {columns[label] for label in labels if label in columns}:
        table.refuse("rows and columns of this table of frameworks are exchanged")


def _refuse_cut(document: Document, each: Page, systems: Sequence[Table]) -> None:
    """A source file has no end mark: refuse one that stops where AMD's tables do not."""
    if not document.text.endswith("\n") and document.text.rsplit("\n", 1)[-1].startswith(" "):
        raise InputError(document.name, document.text.count("\n") + 1, "the document ends inside a table")
    last = each.tables[-1]
    if last in systems and last.has_conditions and not rocm_systems.is_whole(last):
        last.refuse("the document ends inside a table: its last rows are missing", last.rows[-1].line)


def _refuse_without_table(pages: Sequence[Page]) -> None:
    for each in pages:
        if each.elsewhere:
            raise InputError(each.file, 0, f"no table: they are in files it includes, such as {each.elsewhere[0]}")
    raise InputError(pages[0].file, 0, "no table of AMD's compatibility matrix (systems or frameworks) is in it")
