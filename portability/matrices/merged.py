"""Two pictures laid over each other: the later one, with what the earlier shows otherwise marked. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from portability.matrices.comparison import in_one_order
from portability.matrices.grids import NOTHING, Box, Grid, Row, once

Boxes = Mapping[tuple[str, str], Box]  # by row and column
_NOTHING_SHOWN = "–"


@dataclass(frozen=True, slots=True)
class Merged:
    """A grid of both readings, how many of its boxes differ, and the columns these stand in."""

    grid: Grid
    differing: int
    columns: tuple[str, ...] = ()


def merged(before: Sequence[Grid], after: Sequence[Grid]) -> list[Merged]:
    """The grids of the later reading with differences marked; what only the earlier one has stands among them."""
    old = {grid.title: grid for grid in before}
    new = {grid.title: grid for grid in after}
    return [_laid_over(old.get(title), new.get(title)) for title in once([*new, *old])]


def _laid_over(old: Grid | None, new: Grid | None) -> Merged:
    shown = new or old
    assert shown is not None  # one of the two has this title
    was, now = _boxes(old), _boxes(new)
    columns = in_one_order(new.columns if new else [], old.columns if old else [])
    heads = in_one_order([r.head for r in new.rows] if new else [], [r.head for r in old.rows] if old else [])
    differing = 0
    marked: set[str] = set()
    rows = []
    for head in heads:
        boxes = []
        for column in columns:
            box, differs = _box(was.get((head, column)), now.get((head, column)))
            boxes.append(box)
            differing += differs
            if differs:
                marked.add(column)
        rows.append(Row(head, boxes))
    groups = shown.groups if len(columns) == len(shown.columns) else []
    return Merged(
        replace(shown, columns=columns, rows=rows, groups=groups), differing, tuple(c for c in columns if c in marked)
    )


def _boxes(grid: Grid | None) -> Boxes:
    if grid is None:
        return {}
    return {(row.head, c): box for row in grid.rows for c, box in zip(grid.columns, row.boxes, strict=True)}


def _box(was: Box | None, now: Box | None) -> tuple[Box, bool]:
    """What is shown, both signs where they differ, and whether they do."""
    one, other = was or NOTHING, now or NOTHING
    if (one.shown, one.words) == (other.shown, other.words):
        return other, False
    if one.shown == other.shown:
        shown = other.shown
    else:
        shown = f"{one.shown or _NOTHING_SHOWN} → {other.shown or _NOTHING_SHOWN}"
    before, after = one.words or one.shown or "nothing", other.words or other.shown or "nothing"
    return Box(
        shown, f"{other.css} d".strip(), f"differs: {after}; before: {before}", other.link, other.key or one.key
    ), True
