"""A release as pictures a person can scan: pure functions from cells to grids.

A grid says for every row and column what the page says, and where it says nothing, so that an empty place is
never mistaken for a yes. Whoever hears the page instead of seeing it gets the same words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from portability.engine.matrices.knowledge import Cell, Release
from portability.matrices.names import FAMILY_NAMES, in_words, os_name, part_name


@dataclass(frozen=True, slots=True)
class Box:
    """One place of a grid: what is seen, its class (yes, no, unknown, partial, text) and the same in words."""

    shown: str
    css: str
    words: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a grid."""

    head: str
    boxes: list[Box]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. `groups` are spans of columns under one name (none: ""); `about` says in a sentence how to read it."""

    title: str
    corner: str
    columns: list[str]
    rows: list[Row]
    about: str = ""
    groups: list[tuple[str, int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def signed(self) -> bool:
        """Whether its boxes carry signs, so that the legend belongs to it."""
        return any(box.css in "yxup" and box.css for row in self.rows for box in row.boxes)


Draw = Callable[[Mapping[str, Cell], Mapping[str, str]], Grid]
YES, NO, PARTIAL, UNKNOWN = "✓", "✕", "◐", "?"
MARKS = {
    "supported": (YES, "y"),
    "unsupported": (NO, "x"),
    "partial": (PARTIAL, "p"),
    "unknown": (UNKNOWN, "u"),
}
NOTHING = Box("", "")


def grids(release: Release, families: Mapping[str, str] | None = None) -> list[Grid]:
    """The pictures of a release. `families`: the family of an LLVM target, where it is known."""
    pictures = _PICTURES.get(release.source, ())
    drawn = [grid for picture in pictures if (grid := picture.draw(release.cells, families or {})).rows]
    used = {word for picture in pictures for word in picture.words}
    rest = [cell for key, cell in release.cells.items() if key.split("/")[0] not in used]
    title = "Further cells" if drawn else "Cells"
    return [*drawn, *([_plain(title, rest)] if rest else [])]


def systems_by_part(cells: Mapping[str, Cell], _: Mapping[str, str]) -> Grid:
    """Parts x operating systems. The kernel has a column, and stands in the box of a part that has another."""
    found = {tuple(key.split("/")[1:]): cell for key, cell in cells.items() if key.startswith("os/")}
    listed = {key[0] for key in found}
    parts = _parts(cells, (key[0] for key in found))
    rows = []
    for family, version in dict.fromkeys(key[1:] for key in found):
        in_row = {part: found.get((part, family, version)) for part in parts}
        usual = Counter(cell.value for cell in in_row.values() if cell).most_common(1)[0][0]
        boxes = [_system_box(cell, usual, part, part in listed) for part, cell in in_row.items()]
        rows.append(Row(f"{os_name(family)} {version}", [Box(usual, "v"), *boxes]))
    about = "A version that a part’s own column does not list is not supported for it, whatever its series lists."
    return Grid(
        "Operating systems by part",
        "Operating system",
        ["Kernel", *(part_name(part) for part in parts)],
        rows,
        about,
        [("", 1), *((name, len(list(same))) for name, same in groupby(_series(cells, part) for part in parts))],
    )


def frameworks(cells: Mapping[str, Cell], families: Mapping[str, str]) -> Grid:
    """Framework versions x LLVM targets, or the family that the page names instead."""
    found = {tuple(key.split("/")[1:]): cell for key, cell in cells.items() if key.startswith("framework/")}
    columns = sorted(dict.fromkeys(key[1] for key in found), key=lambda name: name in FAMILY_NAMES)
    rows = []
    for name, version in dict.fromkeys((key[0], key[2]) for key in found):
        in_row = {column: found.get((name, column, version)) for column in columns}
        notes = dict.fromkeys(cell.note for cell in in_row.values() if cell and cell.note)
        boxes = [_framework_box(column, in_row, families) for column in columns]
        rows.append(Row(f"{name} {version}", [*boxes, Box("; ".join(notes), "")]))
    shown = [*(part_name(column) for column in columns), "With"]
    return Grid("Frameworks by GPU target", "Framework", shown, rows, "On Linux, unless a box names other systems.")


def drivers(cells: Mapping[str, Cell], _: Mapping[str, str]) -> Grid:
    """Driver versions x parts. A part that the release gives no list for is not known, never a no."""
    lists = {key.split("/")[1]: cell.value.split(", ") for key, cell in cells.items() if key.startswith("driver/")}
    parts = _parts(cells, lists)
    versions = dict.fromkeys(version for listed in lists.values() for version in listed) or {"any version": None}
    rows = [Row(version, [_driver_box(lists.get(part), version, part) for part in parts]) for version in versions]
    return Grid("Drivers", "amdgpu", [part_name(part) for part in parts], rows if parts else [])


def firmware(cells: Mapping[str, Cell], _: Mapping[str, str]) -> Grid:
    """Parts with the firmware listed for each."""
    found = {key.split("/")[1]: cell for key, cell in cells.items() if key.startswith("firmware/")}
    rows = [Row(part_name(part), [_any(cell)]) for part, cell in found.items()]
    return Grid("Firmware", "Part", ["Firmware listed"], rows)


def by_hardware(title: str, corner: str) -> Draw:
    """Features or methods x hardware."""

    def draw(cells: Mapping[str, Cell], _: Mapping[str, str]) -> Grid:
        return _square("hardware", cells, title, corner, _missing)

    return draw


def pairs(cells: Mapping[str, Cell], _: Mapping[str, str]) -> Grid:
    """Features x features: the lower triangle, as the page has it."""
    about = "Each pair stands once, where its row and column meet; an empty box is the other half."
    return _square("pair", cells, "Features together", "Feature", lambda row, column: NOTHING, about)


def platforms(cells: Mapping[str, Cell], _: Mapping[str, str]) -> Grid:
    """Operating systems of a cluster x what the operator needs or does there."""
    found = {tuple(key.split("/")[1:]): cell for key, cell in cells.items() if key.startswith("platform/")}
    columns = list(dict.fromkeys(key[2] for key in found))
    rows = []
    for family, version in dict.fromkeys(key[:2] for key in found):
        head = os_name(family) if version == "any" else f"{os_name(family)} {version}"
        rows.append(Row(head, [_any(found.get((family, version, column))) for column in columns]))
    titles = {"kubernetes": "Kubernetes", "openshift": "OpenShift"}
    shown = [titles.get(column, in_words(column).capitalize()) for column in columns]
    return Grid("Platforms", "Operating system", shown, rows)


def narrowed(cells: Mapping[str, Cell], _: Mapping[str, str]) -> Grid:
    """Parts of the operator's list, with what narrows the platform for one."""
    listed = [key.split("/")[1] for key in cells if key.startswith("gpu/")]
    found = {tuple(key.split("/")[1:]): cell for key, cell in cells.items() if key.startswith("narrowed/")}
    what = list(dict.fromkeys(key[1] for key in found))
    rows = []
    for part in dict.fromkeys([*listed, *(key[0] for key in found)]):
        boxes = [_any(cells.get(f"gpu/{part}")), *(_any(found.get((part, column))) for column in what)]
        rows.append(Row(part_name(part), boxes))
    titles = {"kubernetes": "Kubernetes", "openshift": "OpenShift", "rocm": "ROCm", "amdgpu": "amdgpu"}
    columns = ["Listed", *(titles.get(column, column) for column in what)]
    about = "What is empty is as the platforms above say."
    return Grid("Parts", "Part", columns, rows, about, notes=_notes(found, part_name))


def parts_table(cells: Mapping[str, Cell], _: Mapping[str, str]) -> Grid:
    """Parts x what is known of each."""
    titles = {"gfx": "LLVM target", "memory": "memory, GB", "device-memory": "memory of a device, GB"}
    grid = _square("part", cells, "Parts", "Part", lambda row, column: NOTHING)
    rows = [Row(part_name(row.head), row.boxes) for row in grid.rows]
    return Grid(
        grid.title, grid.corner, [titles.get(name, in_words(name)) for name in grid.columns], rows, notes=grid.notes
    )


def _square(
    prefix: str, cells: Mapping[str, Cell], title: str, corner: str, missing: Callable[[str, str], Box], about: str = ""
) -> Grid:
    found = {tuple(key.split("/")[1:]): cell for key, cell in cells.items() if key.startswith(prefix + "/")}
    columns = list(dict.fromkeys(key[1] for key in found))
    rows = [
        Row(name, [_any(found[name, c]) if (name, c) in found else missing(name, c) for c in columns])
        for name in dict.fromkeys(key[0] for key in found)
    ]
    return Grid(title, corner, columns, rows, about, notes=_notes(found, str))


def _notes(found: Mapping[tuple[str, ...], Cell], name: Callable[[str], str]) -> list[str]:
    """Each note of a row once, after the columns it belongs to."""
    columns: dict[tuple[str, str], list[str]] = {}
    for key, cell in found.items():
        if cell.note:
            columns.setdefault((key[0], cell.note), []).append(key[1])
    return [f"{name(row)}, {', '.join(at)}: {note}" for (row, note), at in columns.items()]


def _parts(cells: Mapping[str, Cell], with_systems: Iterable[str]) -> list[str]:
    """Exact parts in the order of the release, those without any row for a system too; families last."""
    exact = [key.split("/")[1] for key in cells if key.startswith("part/") and key.endswith("/gfx")]
    return list(dict.fromkeys([*exact, *with_systems]))


def _series(cells: Mapping[str, Cell], part: str) -> str:
    cell = cells.get(f"part/{part}/series")
    return cell.value.removeprefix("AMD ").removesuffix(" Series") if cell else "family"


def _system_box(cell: Cell | None, usual: str, part: str, listed: bool) -> Box:
    if not listed:
        return Box(UNKNOWN, "u", f"the page lists no system for {part_name(part)}")
    if cell is None:
        return Box(NO, "x", f"not listed for {part_name(part)}")
    note = f"; {cell.note}" if cell.note else ""
    shown = YES if cell.value == usual else f"{YES} {cell.value}"
    return Box(shown, "y", f"listed for {part_name(part)} with kernel {cell.value}{note}", cell.link)


def _driver_box(listed: Sequence[str] | None, version: str, part: str) -> Box:
    if listed is None:
        return Box(UNKNOWN, "u", f"this reading holds no list for {part_name(part)}")
    if version in listed:
        return Box(YES, "y", f"listed for {part_name(part)}")
    return Box(NO, "x", f"not listed for {part_name(part)}")


def _framework_box(column: str, in_row: Mapping[str, Cell | None], families: Mapping[str, str]) -> Box:
    cell = in_row[column]
    family = families.get(column, "")
    by_family = in_row.get(family)
    if cell is not None:
        systems = [os_name(word) for word in cell.value.split(", ")]
        only = f" {', '.join(systems)}" if column == "any" else ""
        return Box(YES + only, "y", f"listed for {part_name(column)} on {', '.join(systems)}", cell.link)
    if column in FAMILY_NAMES:
        return Box("–", "", "the page names GPU targets instead of this family")
    if by_family is not None:
        return Box(YES, "y", f"listed for the whole {part_name(family)} family", by_family.link)
    named = [name for name in FAMILY_NAMES if in_row.get(name) and name != "any"]
    if named and not family:
        return Box(UNKNOWN, "u", f"the page names a family ({', '.join(named)}); whose part this is, is not known")
    return Box(NO, "x", f"not listed for {column}")


def _any(cell: Cell | None) -> Box:
    """A status as a sign, anything else as its text."""
    if cell is None:
        return NOTHING
    sign, css = MARKS.get(cell.value, ("", ""))
    if not sign:
        return Box(cell.value, "text", cell.note, cell.link)
    return Box(sign, css, f"{cell.value}{': ' + cell.note if cell.note else ''}", cell.link)


def _missing(row: str, column: str) -> Box:
    return Box(UNKNOWN, "u", f"the page says nothing of {row} on {column}")


def _text(value: str) -> Box:
    return Box(value, "text")


def _plain(title: str, cells: Sequence[Cell]) -> Grid:
    rows = [Row(cell.key, [_any(cell), _text(cell.note)]) for cell in cells]
    return Grid(title, "Key", ["Value", "Note"], rows)


@dataclass(frozen=True, slots=True)
class Picture:
    """How a part of a source is drawn: the first words of the keys it stands for, and the function that draws it."""

    words: tuple[str, ...]
    draw: Draw


_PICTURES: Mapping[str, Sequence[Picture]] = {
    "rocm-compatibility-matrix": (
        Picture(("os", "part"), systems_by_part),
        Picture(("framework",), frameworks),
        Picture(("driver",), drivers),
        Picture(("firmware",), firmware),
    ),
    "vllm-features": (
        Picture(("hardware",), by_hardware("Features by hardware", "Feature")),
        Picture(("pair",), pairs),
    ),
    "vllm-quantization": (Picture(("hardware",), by_hardware("Quantization by hardware", "Method")),),
    "gpu-operator-platforms": (Picture(("platform",), platforms), Picture(("gpu", "narrowed"), narrowed)),
    "gpu-parts": (Picture(("part",), parts_table),),
}
