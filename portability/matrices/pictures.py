"""Which pictures a source has: pure functions from the cells of a release to grids a person can scan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from portability.engine.matrices.knowledge import Cell, Release
from portability.matrices.grids import (
    NO,
    NOTHING,
    UNKNOWN,
    YES,
    Box,
    Cells,
    Grid,
    Row,
    notes,
    once,
    places,
    plain,
    square,
    status,
)
from portability.matrices.names import FAMILY_NAMES, in_words, os_name, part_name

Families = Mapping[str, str]  # the family of an LLVM target
Draw = Callable[[Cells, Families], Grid]


@dataclass(frozen=True, slots=True)
class Picture:
    """How a part of a source is drawn. `shapes`: the first word of a key it stands for, and how many words follow."""

    draw: Draw
    shapes: tuple[tuple[str, int], ...]


def grids(release: Release, families: Families | None = None) -> list[Grid]:
    """The pictures of a release. A cell that none of them stands for is listed by its key: nothing gets lost."""
    rest = dict(release.cells)
    drawn = []
    for picture in _PICTURES.get(release.source, ()):
        mine = {key: cell for key, cell in release.cells.items() if _shape(key) in picture.shapes}
        grid = picture.draw(mine, families or {})
        if grid.rows:
            drawn.append(grid)
            rest = {key: cell for key, cell in rest.items() if key not in mine}
    if rest:
        drawn.append(plain("Further cells" if drawn else "Cells", list(rest.values())))
    return drawn


def _shape(key: str) -> tuple[str, int]:
    word, *following = key.split("/")
    return word, len(following)


def systems_by_part(cells: Cells, _: Families) -> Grid:
    """Parts x operating systems. The kernel has a column, and stands in the box of a part that has another."""
    found = places(cells, "os")
    listed = {key[0] for key in found}
    parts = _parts(cells, (key[0] for key in found))
    rows = []
    for family, version in dict.fromkeys(key[1:] for key in found):
        in_row = {part: found.get((part, family, version)) for part in parts}
        usual = Counter(cell.value for cell in in_row.values() if cell).most_common(1)[0][0]
        boxes = [
            replace(_system_box(cell, usual, part, part in listed), key=f"os/{part}/{family}/{version}")
            for part, cell in in_row.items()
        ]
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


def frameworks(cells: Cells, families: Families) -> Grid:
    """Framework versions x LLVM targets, or the family that the page names instead."""
    found = places(cells, "framework")
    usual = Counter(cell.value for cell in found.values()).most_common(1)[0][0] if found else ""
    columns = sorted(once(key[1] for key in found), key=lambda name: name in FAMILY_NAMES)
    rows = []
    for name, version in dict.fromkeys((key[0], key[2]) for key in found):
        in_row = {column: found.get((name, column, version)) for column in columns}
        needs = once(cell.note for cell in in_row.values() if cell and cell.note)
        boxes = [
            replace(_framework_box(column, in_row, usual, families), key=f"framework/{name}/{column}/{version}")
            for column in columns
        ]
        rows.append(Row(f"{name} {version}", [*boxes, Box("; ".join(needs), "")]))
    shown = [*(part_name(column) for column in columns), "With"]
    about = f"On {_systems(usual)}, unless a box names others."
    return Grid("Frameworks by GPU target", "Framework", shown, rows, about)


def drivers(cells: Cells, _: Families) -> Grid:
    """Driver versions x parts. A part that the release gives no list for is not known, never a no."""
    lists = {key[0]: cell.value.split(", ") for key, cell in places(cells, "driver").items()}
    parts = _parts(cells, lists)
    versions = once(version for listed in lists.values() for version in listed) or ["any version"]
    rows = [Row(version, [_driver_box(lists.get(part), version, part) for part in parts]) for version in versions]
    for n, part in enumerate(parts if rows else ()):  # a cell is a whole column: it begins at the top
        rows[0].boxes[n] = replace(rows[0].boxes[n], key=f"driver/{part}")
    return Grid("Drivers", "amdgpu", [part_name(part) for part in parts], rows if parts else [])


def firmware(cells: Cells, _: Families) -> Grid:
    """Parts with the firmware listed for each."""
    rows = [Row(part_name(key[0]), [status(cell)]) for key, cell in places(cells, "firmware").items()]
    return Grid("Firmware", "Part", ["Firmware listed"], rows)


def by_hardware(title: str, corner: str) -> Draw:
    """Features or methods x hardware."""

    def draw(cells: Cells, _: Families) -> Grid:
        return square(places(cells, "hardware"), title, corner, _missing)

    return draw


def pairs(cells: Cells, _: Families) -> Grid:
    """Features x features: the lower triangle, as the page has it."""
    about = "Each pair stands once, where its row and column meet; an empty box is the other half."
    return square(places(cells, "pair"), "Features together", "Feature", lambda row, column: NOTHING, about)


def platforms(cells: Cells, _: Families) -> Grid:
    """Operating systems of a cluster x what the operator needs or does there."""
    found = places(cells, "platform")
    columns = once(key[2] for key in found)
    rows = []
    for family, version in dict.fromkeys(key[:2] for key in found):
        head = os_name(family) if version == "any" else f"{os_name(family)} {version}"
        rows.append(Row(head, [status(found.get((family, version, column))) for column in columns]))
    titles = {"kubernetes": "Kubernetes", "openshift": "OpenShift"}
    shown = [titles.get(column, in_words(column).capitalize()) for column in columns]
    return Grid("Platforms", "Operating system", shown, rows)


def narrowed(cells: Cells, _: Families) -> Grid:
    """Parts of the operator's list, with what narrows the platform for one."""
    listed = [key[0] for key in places(cells, "gpu")]
    found = places(cells, "narrowed")
    what = once(key[1] for key in found)
    rows = []
    for part in once([*listed, *(key[0] for key in found)]):
        boxes = [status(cells.get(f"gpu/{part}")), *(status(found.get((part, column))) for column in what)]
        rows.append(Row(part_name(part), boxes))
    titles = {"kubernetes": "Kubernetes", "openshift": "OpenShift", "rocm": "ROCm", "amdgpu": "amdgpu"}
    columns = ["Listed", *(titles.get(column, column) for column in what)]
    about = "What is empty is as the platforms above say."
    return Grid("Parts", "Part", columns, rows, about, notes=notes(found, part_name))


def parts_table(cells: Cells, _: Families) -> Grid:
    """Parts x what is known of each."""
    titles = {
        "gfx": "LLVM target",
        "memory": "Memory, GB",
        "device-memory": "Memory of a device, GB",
        "vllm-column": "vLLM column",
    }
    grid = square(places(cells, "part"), "Parts", "Part", lambda row, column: NOTHING)
    rows = [Row(part_name(row.head), row.boxes) for row in grid.rows]
    return Grid(
        grid.title,
        grid.corner,
        [titles.get(name, in_words(name).capitalize()) for name in grid.columns],
        rows,
        notes=grid.notes,
    )


def _parts(cells: Cells, with_systems: Iterable[str]) -> list[str]:
    """Exact parts in the order of the release, those without any row for a system too; families last."""
    exact = [part for part, what in places(cells, "part") if what == "gfx"]
    return once([*exact, *with_systems])


def _series(cells: Cells, part: str) -> str:
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


def _framework_box(column: str, in_row: Mapping[str, Cell | None], usual: str, families: Families) -> Box:
    cell = in_row[column]
    family = families.get(column, "")
    by_family = in_row.get(family)
    if cell is not None:
        shown = YES if cell.value == usual else f"{YES} {_systems(cell.value)}"
        return Box(shown, "y", f"listed for {part_name(column)} on {_systems(cell.value)}", cell.link)
    if column in FAMILY_NAMES:
        return Box("–", "", "the page names GPU targets instead of this family")
    if by_family is not None:
        return Box(YES, "y", f"listed for the whole {part_name(family)} family", by_family.link)
    named = [name for name in FAMILY_NAMES if in_row.get(name) and name != "any"]
    if named and not family:
        return Box(UNKNOWN, "u", f"the page names a family ({', '.join(named)}); whose part this is, is not known")
    return Box(NO, "x", f"not listed for {column}")


def _systems(value: str) -> str:
    return ", ".join(os_name(word) for word in value.split(", "))


def _missing(row: str, column: str) -> Box:
    return Box(UNKNOWN, "u", f"the page says nothing of {row} on {column}", key=f"hardware/{row}/{column}")


_PICTURES: Mapping[str, Sequence[Picture]] = {
    "rocm-compatibility-matrix": (
        Picture(systems_by_part, (("os", 3), ("part", 2))),
        Picture(frameworks, (("framework", 3),)),
        Picture(drivers, (("driver", 1), ("part", 2))),
        Picture(firmware, (("firmware", 1),)),
        Picture(parts_table, (("part", 2),)),
    ),
    "vllm-features": (
        Picture(by_hardware("Features by hardware", "Feature"), (("hardware", 2),)),
        Picture(pairs, (("pair", 2),)),
    ),
    "vllm-quantization": (Picture(by_hardware("Quantization by hardware", "Method"), (("hardware", 2),)),),
    "gpu-operator-platforms": (
        Picture(platforms, (("platform", 3),)),
        Picture(narrowed, (("gpu", 1), ("narrowed", 2))),
    ),
    "gpu-parts": (Picture(parts_table, (("part", 2),)),),
}
