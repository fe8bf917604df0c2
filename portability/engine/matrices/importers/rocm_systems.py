"""AMD's tables of systems: a row for each property, a cell for each group of parts that share it.

A cell belongs to the parts that its conditions, its row's and its table's select, and to no other. Its place in the row
means nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from portability.engine.matrices.importers.conditions import ConditionError, Conditions, hardware, together
from portability.engine.matrices.importers.names import limit_in, listed, meanings, nearly, not_current
from portability.engine.matrices.importers.parts import known, releases
from portability.engine.matrices.importers.tables import Table, TableCell, TableRow, same
from portability.engine.matrices.keys import ROCM
from portability.engine.versions import newest

_LIMIT_PARTS = 300
_HEADING = re.compile(r"supported (.+?) versions?")
_NOTHING = frozenset({"—", "–", "-", "n/a", "none"})
_TARGET = re.compile(r"gfx[0-9a-f]{3,5}")
_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9 .+™®/-]{0,80}")
_DRIVER = re.compile(r"[1-9][0-9]?\.[0-9]{1,2}(?:\.[0-9]{1,2}){0,2}")
_FIRMWARE = re.compile(r"(?=.*[0-9])[A-Za-z0-9][A-Za-z0-9 .,()&/+_-]{0,120}")
_SYSTEM = re.compile(
    r"(?:(?P<name>[A-Za-z][A-Za-z ]*?) )?(?P<version>[0-9]+(?:\.[0-9]+)*(?: [0-9]{2}H[0-9])?)"
    r"(?: SP(?P<pack>[0-9]))?(?: LTS)?"
    r"(?: \((?P<about>[^()]*)\))?"
)
_KERNEL = re.compile(
    r"(?:(?P<before>GA|HWE|OEM) )?(?i:kernel): (?:(?P<after>GA|HWE|OEM) )?"
    r"(?P<kernel>(?:UEK )?[0-9]+(?:\.[0-9]+)*(?:-[0-9]+(?:\.[0-9a-z_]+)*)?)"
)
_WITHOUT_KERNEL = frozenset({"windows", "wsl"})


def parts(tables: Sequence[Table], remarks: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Part -> what the tables say of it: os, series, architecture, gfx, amdgpu, firmware, as far as stated.

    Which kernel of Ubuntu's a cell means, unless it is the first one (GA), is added to `remarks` by the cell's key.
    """
    found: dict[str, dict[str, Any]] = {}
    for table in tables:
        for part, said in _Systems(table, remarks).read().items():
            if part in found:
                table.refuse(f"{part} is in two tables of systems")
            found[part] = said
    return found


def system_of(label: str) -> str | None:
    """The operating system that a heading such as `Supported Ubuntu versions` names; "" for one not known."""
    match = _HEADING.fullmatch(same(label))
    if match is None or same(label) in meanings("rocm", "attributes") or same(label) in listed("rocm", "not_kept"):
        return None
    return meanings("rocm", "systems").get(match[1], "")


def is_whole(table: Table) -> bool:
    """Whether the last rows of a table are there: drivers or firmware, up to the last part that the table names."""
    labels = [same(row.cells[0].text) for row in table.rows if row.cells]
    last = meanings("rocm", "attributes").get(labels[-1])
    if last not in ("amdgpu", "firmware"):
        return any("driver" in label or "firmware" in label for label in labels)
    named = [part for row in table.rows for cell in row.cells for part in (cell.conditions or {}).get("gpu", ())]
    order = list(dict.fromkeys(named))
    shown = [cell.conditions for cell in table.rows[-1].cells[1:]]
    return bool(shown) and (not order or any(c is None or order[-1] in c.get("gpu", order) for c in shown))


class _Systems:
    """One table while it is read."""

    def __init__(self, table: Table, remarks: dict[str, str]) -> None:
        self.table = table
        self.remarks = remarks
        table.sound()
        cells = [cell for row in table.rows for cell in row.cells]
        named = [part for cell in cells for part in (cell.conditions or {}).get("gpu", ())]
        self.parts = list(dict.fromkeys(named))
        if len(self.parts) > _LIMIT_PARTS:
            table.refuse(f"more than {_LIMIT_PARTS} parts")
        if not self.parts:
            why = "names no part in its conditions" if table.has_conditions else "has lost its conditions"
            table.refuse(f"a table of systems {why}: no cell of it can be given to a part")
        self.targets: dict[str, str] = {}
        self.said: dict[str, dict[str, Any]] = {part: {"os": {}} for part in self.parts}
        self.limits: list[tuple[str, tuple[str, ...], TableRow]] = []

    def read(self) -> dict[str, dict[str, Any]]:
        rows = [row for row in self.table.rows if row.cells]
        kinds = [(self.kind(row), row) for row in rows]
        for wanted in (True, False):  # LLVM targets first: other cells may be shown by them
            for kind, row in kinds:
                if kind is not None and (kind == "gfx") is wanted:
                    self.row(kind, row)
        self.refuse_damaged_parts()
        for part, systems, row in self.limits:
            if missing := set(self.said[part]["os"]) - set(systems) - _WITHOUT_KERNEL:
                self.table.refuse(f"{label(row)}: says nothing of {part} on {', '.join(sorted(missing))}", row.line)
        return self.said

    def refuse_damaged_parts(self) -> None:
        """Refuse a part without an LLVM target where the table has them, or with another than it is known to have."""
        for part in self.parts if self.targets else ():
            target = self.targets.get(part)
            if target is None:
                self.table.refuse(f"{part} has no LLVM target: its name is damaged, or a cell of that row is missing")
            if known(part).get("gfx", target) != target:
                self.table.refuse(f"{part} is known to be of {known(part)['gfx']}, not of {target}: one is damaged")

    def kind(self, row: TableRow) -> str | None:
        """What a row states: a property, `os`, or None for one that is not kept."""
        names = {same(cell.text) for cell in headings(row)}
        if not headings(row):
            self.table.refuse("a row has no heading", row.line)
        if any(len(cell.lines) != 1 or cell.marks for cell in headings(row)):
            self.table.refuse(f"{label(row)}: a heading of several lines, or with a footnote", row.line)
        if any(cell.header for cell in values(row)):
            self.table.refuse(f"{label(row)}: two rows have run together", row.line)
        if any(cell.rowspan > 1 for cell in row.cells):
            self.table.refuse(f"{label(row)}: a cell reaches into the next row", row.line)
        kinds = {self.meant(name, "os" in self.conditions(row, None), row) for name in names}
        if len(kinds) > 1:
            self.table.refuse(f"{label(row)}: two headings in one row", row.line)
        kind = kinds.pop()
        if kind is None:
            return None
        if not values(row):
            self.table.refuse(f"{label(row)}: the row has no cells", row.line)
        return kind

    def meant(self, name: str, for_a_system: bool, row: TableRow) -> str | None:
        """What a heading announces: a property of parts, `os`, or None for what is not kept."""
        known_names = meanings("rocm", "attributes")
        if name in known_names:
            return known_names[name]
        if name in listed("rocm", "not_kept"):
            return None
        if system_of(name):
            return "os"
        if alike := nearly(name, known_names):
            self.table.refuse(f"{label(row)}: a damaged heading, it may be “{alike}”", row.line)
        if set(name.split()) & listed("rocm", "not_kept_words"):
            return None
        if for_a_system and system_of(name) is None:
            self.table.refuse(f"{label(row)}: a row for one operating system that states nothing known", row.line)
        return "os" if for_a_system else None

    def row(self, kind: str, row: TableRow) -> None:
        answered: dict[str, TableCell] = {}
        for cell in values(row):
            shown = self.conditions(row, cell)
            if not cell.lines:
                if cell.conditions is not None:
                    self.table.refuse(f"{label(row)}: a cell is empty", cell.line or row.line)
                continue
            if cell.marks:
                self.table.refuse(f"{label(row)}: a footnote may limit “{cell.text[:40]}”", cell.line or row.line)
            selected = self.selected(shown, row)
            for part in selected:
                if part in answered:
                    self.table.refuse(f"{label(row)}: two cells would both answer for {part}", row.line)
                answered[part] = cell
            if same(cell.text) in _NOTHING:
                continue
            self.keep(kind, row, cell, shown, selected)
        if not answered:
            self.table.refuse(f"{label(row)}: the row has no cells", row.line)

    def keep(self, kind: str, row: TableRow, cell: TableCell, shown: Conditions, selected: Sequence[str]) -> None:
        if kind == "os":
            family = self.family(row, shown)
            if not hardware(cell.conditions or {}) and not hardware(row.conditions or {}):
                self.refuse_once_limited(family, selected, row)
            rows = list(self.systems(family, row, cell, selected))
            for part in selected:
                if family in self.said[part]["os"]:
                    self.table.refuse(f"{label(row)}: two cells would both answer for {part}", row.line)
                self.said[part]["os"][family] = [dict(each) for each in rows]
            return
        value = self.value(kind, row, cell)
        for part in selected:
            if kind in self.said[part]:
                self.table.refuse(f"{label(row)}: two cells would both answer for {part}", row.line)
            self.said[part][kind] = list(value) if isinstance(value, list) else value
            if kind == "gfx":
                self.targets[part] = str(value)
            if "os" in shown:
                self.limits.append((part, shown["os"], row))

    def conditions(self, row: TableRow, cell: TableCell | None) -> Conditions:
        try:
            head = {k: v for heading in headings(row) for k, v in (heading.conditions or {}).items() if k == "os"}
            return (
                together(self.table.conditions, row.conditions, head or None, cell.conditions if cell else None) or {}
            )
        except ConditionError as error:
            self.table.refuse(f"{label(row)}: {error}", row.line)

    def selected(self, shown: Conditions, row: TableRow) -> list[str]:
        """The parts of the table that the conditions select."""
        found = [part for part in self.parts if all(self.holds(part, k, v, row) for k, v in hardware(shown).items())]
        if not found:
            self.table.refuse(f"{label(row)}: a cell is shown for no part of the table", row.line)
        return found

    def holds(self, part: str, key: str, wanted: Sequence[str], row: TableRow) -> bool:
        if key == "gpu":
            return part in wanted
        about = dict(known(part))
        only = (self.table.conditions or {}).get("fam", ())
        if len(only) == 1 and only[0].startswith(f"{about.get('fam', only[0])}-"):  # radeon-pro, of what is radeon now
            about["fam"] = only[0]
        if len(only) == 1:
            about.setdefault("fam", only[0])
        if part in self.targets:
            about["gfx"] = self.targets[part]
        if key not in about:
            self.table.refuse(f"{label(row)}: cannot tell whether {part} is of {key} {', '.join(wanted)}", row.line)
        return about[key] in wanted

    def family(self, row: TableRow, shown: Conditions) -> str:
        """The operating system of a row: its condition's, which the heading must not contradict."""
        given = shown.get("os", ())
        if len(given) != 1:
            self.table.refuse(f"{label(row)}: the row does not say for which operating system it is shown", row.line)
        heading = system_of(label(row))
        new = given[0] not in meanings("rocm", "systems").values()
        if heading != given[0] and not (heading == "" and new):
            self.table.refuse(f"{label(row)}: the heading contradicts the condition os={given[0]}", row.line)
        return given[0]

    def systems(
        self, family: str, row: TableRow, cell: TableCell, selected: Sequence[str]
    ) -> Iterator[Mapping[str, str]]:
        seen: set[str] = set()
        kernels = set()
        for entry in entries(cell):
            match = _SYSTEM.fullmatch(entry)
            about = _KERNEL.fullmatch(match["about"]) if match and match["about"] else None
            if match is None or (match["about"] and about is None):
                self.unknown(row, cell, entry)
            if match["name"]:
                named = meanings("rocm", "systems").get(same(match["name"]))
                if named != family and not (named is None and family not in meanings("rocm", "systems").values()):
                    self.unknown(row, cell, entry)
            version = match["version"] + (f".{match['pack']}" if match["pack"] else "")
            if version in seen:
                self.table.refuse(f"{label(row)}: {version} is listed twice in one cell", cell.line)
            seen.add(version)
            kernels.add(about is None)
            if about and (kind := about["before"] or about["after"]) not in (None, "GA"):
                self.remarks.update({f"os/{part}/{family}/{version}": f"{kind} kernel" for part in selected})
            yield {"version": version, **({"kernel": about["kernel"]} if about else {})}
        if len(kernels) > 1 or (True in kernels and family not in _WITHOUT_KERNEL and len(seen) == 1):
            self.table.refuse(f"{label(row)}: a version stands without its kernel: “{cell.text[:60]}”", cell.line)

    def value(self, kind: str, row: TableRow, cell: TableCell) -> str | list[str]:
        patterns = {"series": _WORDS, "architecture": _WORDS, "gfx": _TARGET, "amdgpu": _DRIVER, "firmware": _FIRMWARE}
        found = entries(cell) if kind == "amdgpu" else list(cell.lines)
        if cell.wrapped and kind != "amdgpu":
            self.table.refuse(f"{label(row)}: cannot tell one entry from the next: “{cell.text[:60]}”", cell.line)
        for entry in found:
            if not patterns[kind].fullmatch(entry) or limit_in(entry) or not_current(entry):
                self.unknown(row, cell, entry)
        if len(set(found)) < len(found):
            self.table.refuse(f"{label(row)}: something is listed twice in one cell", cell.line)
        if kind in ("amdgpu", "firmware"):
            return found
        if len(found) != 1:
            self.unknown(row, cell, cell.text)
        return found[0]

    def unknown(self, row: TableRow, cell: TableCell, entry: str) -> NoReturn:
        self.table.refuse(f"{label(row)}: “{entry[:60]}” is not recognised", cell.line or row.line)

    def refuse_once_limited(self, family: str, selected: Sequence[str], row: TableRow) -> None:
        """A cell shown for all parts, where every release so far lists the system for some of them only: it most
        likely lost its condition, and would call movable what is not."""
        limited: list[str] = []
        for release in releases().releases(ROCM):
            seen: dict[str, set[str]] = {}
            for key in release.cells:
                if key.startswith("os/"):
                    seen.setdefault(key.split("/")[1], set()).add(key.split("/")[2])
            if any(family in systems for systems in seen.values()):
                if not any(part in seen and family not in seen[part] for part in selected):
                    return
                limited.append(release.version)
        if limited:
            self.table.refuse(
                f"{label(row)}: shown for every part, but in {newest(limited)} for some only: its condition seems lost",
                row.line,
            )


def label(row: TableRow) -> str:
    """A row's heading, as published."""
    return row.cells[0].text[:80]


def headings(row: TableRow) -> list[TableCell]:
    """The headings that a row begins with."""
    found: list[TableCell] = []
    for cell in row.cells:
        if not cell.header:
            break
        found.append(cell)
    return found


def values(row: TableRow) -> Sequence[TableCell]:
    """The cells behind the headings."""
    return row.cells[len(headings(row)) :]


def entries(cell: TableCell) -> list[str]:
    """What a cell lists: a line each, or separated by commas outside brackets."""
    found = [entry.strip() for line in cell.lines for entry in re.split(r",(?![^()]*\))", line)]
    return [entry for entry in found if entry]
