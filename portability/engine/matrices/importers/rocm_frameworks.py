"""AMD's table of frameworks: which versions are offered, under the conditions of row and version cell.

A row may hold several cells for one column, of which a reader sees one: cells side by side that are never shown
together share a column. Where the cells of a row do not come out as the columns that are named, it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from difflib import get_close_matches
from typing import Any, NamedTuple

from portability.engine.matrices.importers.conditions import (
    HARDWARE,
    SYSTEM,
    ConditionError,
    Conditions,
    may_both_hold,
    together,
)
from portability.engine.matrices.importers.names import meanings, nearly, not_current, refuse_qualified
from portability.engine.matrices.importers.parts import known_parts, names_family, names_hardware
from portability.engine.matrices.importers.statuses import refuse_limit
from portability.engine.matrices.importers.tables import Table, TableCell, TableRow, heads, same

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9 .+/()-]{0,60}")
_VERSION = re.compile(r"[vb]?[0-9][0-9a-z]*(?:[.+-][0-9a-z]+)*")
_ALIKE, _ALIKE_ALONE = 0.8, 0.65  # of a system in one condition alone, less is enough
_LIMIT_OFFERS = 300  # each is held against every other
_PYTHON = re.compile(r"[34]\.[0-9]+(?:, [34]\.[0-9]+)*(?: \([^()]{1,80}\))?")


class _Slot(NamedTuple):
    """The cells that share one column of a row, and the conditions of the row they begin in."""

    cells: tuple[TableCell, ...]
    row: Conditions | None
    left: int


class _Offer(NamedTuple):
    """One version cell, with the cells of name and Python beside it."""

    name: str
    named_by: TableCell
    versions: tuple[str, ...]
    when: Conditions
    python: str | None
    line: int
    beside: tuple[Conditions, ...]
    row_says: bool  # for what it holds


def frameworks(tables: Sequence[Table], named: Mapping[str, Set[str]]) -> list[dict[str, Any]]:
    """The rows {framework, versions, when, python} of all tables, in order.

    `named`: by key of a condition, the values that the tables of systems have.
    """
    _refuse_damaged_values(tables, named)
    offers = [(table, offer) for table in tables for offer in _offers(table)]
    if len(offers) > _LIMIT_OFFERS:
        tables[0].refuse(f"more than {_LIMIT_OFFERS} versions of frameworks")
    for table, offer in offers:
        _refuse_lost_conditions(table, offer, [each for _, each in offers])
    for n, (table, offer) in enumerate(offers):
        for _, other in offers[:n]:
            _refuse_doubled(table, offer, other)
    return [
        {
            "framework": offer.name,
            "versions": list(offer.versions),
            "when": {key: list(values) for key, values in offer.when.items()},
            **({"python": offer.python} if offer.python is not None else {}),
        }
        for _, offer in offers
    ]


def _refuse_damaged_values(tables: Sequence[Table], named: Mapping[str, Set[str]]) -> None:
    """Refuse a value of a condition that may be a damaged one.

    A part or LLVM target that is known nowhere and stands in one condition alone; a system or family that is spelled
    almost like a known one.
    """
    stands: dict[tuple[str, str], list[tuple[Table, int]]] = {}
    for table in tables:
        for row in table.rows:
            for conditions, line in ((row.conditions, row.line), *((c.conditions, c.line) for c in row.cells)):
                for key, values in (conditions or {}).items():
                    for value in values:
                        stands.setdefault((key, value), []).append((table, line))
    known = _known_values()
    for (key, value), at in stands.items():
        others = known[key] | named.get(key, set())
        if value in others:
            continue
        alone = len(at) == 1
        alike = (
            [] if key in ("gpu", "gfx") else _alike(value, others, _ALIKE_ALONE if alone and key == SYSTEM else _ALIKE)
        )
        if alike or (alone and key in ("gpu", "gfx")):
            why = f"may be a damaged “{alike[0]}”" if alike else "stands in one condition alone: it may be damaged"
            at[0][0].refuse(f"{key} {value} is known nowhere, and it {why}", at[0][1])


def _alike(value: str, others: Set[str], cutoff: float) -> list[str]:
    """The known name that this one is spelled like: nearly whole, or by less without what many names end in."""
    bare = {other.removesuffix("-linux"): other for other in others}
    found = get_close_matches(value.removesuffix("-linux"), bare, 1, cutoff)
    return get_close_matches(value, others, 1, _ALIKE) or [bare[name] for name in found]


def _known_values() -> Mapping[str, Set[str]]:
    found = {key: {part[key] for part in known_parts() if key in part} for key in HARDWARE}
    return {**found, SYSTEM: set(meanings("rocm", "systems").values())}


def _offers(table: Table) -> list[_Offer]:
    table.sound()
    top = heads(table)
    if len(top) != 1 or any(cell.rowspan > 1 or cell.colspan > 1 for cell in top[0].cells):
        table.refuse("the table of frameworks must have one row of headings, one for each column")
    known = meanings("rocm", "columns")
    columns = [known.get(same(cell.text), cell.text) for cell in top[0].cells]
    for column in columns:
        if not column or (column not in known.values() and nearly(column, known)):
            table.refuse(f"a column is headed “{column[:40]}”, which is damaged", top[0].line)
    if any(cell.marks for cell in top[0].cells):
        table.refuse("a footnote on a heading may limit the column", top[0].line)
    for wanted in ("framework", "versions", "python"):
        if columns.count(wanted) > 1:
            table.refuse(f"two columns are headed {wanted}", top[0].line)
    if not table.has_conditions:
        table.refuse("the table of frameworks has lost its conditions: no version of it can be given to a part")
    found: list[_Offer] = []
    spans: dict[int, _Slot] = {}
    for row in table.rows[1:]:
        if any(cell.header for cell in row.cells) and row.is_header:
            table.refuse("a second row of headings stands inside the table", row.line)
        found += _row(table, row, columns, _lay_out(table, row, len(columns), spans))
    if spans:
        table.refuse("a cell spans more rows than the table has")
    return found


def _lay_out(table: Table, row: TableRow, width: int, spans: dict[int, _Slot]) -> dict[int, _Slot]:
    """Column -> its cells in this row."""
    free = [column for column in range(width) if column not in spans]
    groups = _groups(row)
    if len(groups) > len(free):
        why = "two of one column would both answer for the same part, or one is too many"
        table.refuse(f"{_words(row)}: {len(groups)} cells that can be shown for {len(free)} columns: {why}", row.line)
    if len(groups) < len(free):
        table.refuse(f"{_words(row)}: {len(groups)} cells that can be shown for {len(free)} columns", row.line)
    laid = dict(spans)
    for column, group in zip(free, groups, strict=True):
        if len({cell.rowspan for cell in group}) > 1 or any(cell.colspan > 1 for cell in group):
            table.refuse(f"{_words(row)}: cells of one column reach differently far", row.line)
        laid[column] = _Slot(tuple(group), row.conditions, group[0].rowspan)
    spans.clear()
    spans.update({column: slot._replace(left=slot.left - 1) for column, slot in laid.items() if slot.left > 1})
    return laid


def _groups(row: TableRow) -> list[list[TableCell]]:
    """The cells of a row, those side by side together that are never shown together."""
    groups: list[list[TableCell]] = []
    for cell in row.cells:
        if groups and not any(_both(cell, other) for other in groups[-1]):
            groups[-1].append(cell)
        else:
            groups.append([cell])
    return groups


def _both(a: TableCell, b: TableCell) -> bool:
    return may_both_hold(a.conditions or {}, b.conditions or {}, known_parts())


def _row(table: Table, row: TableRow, columns: Sequence[str], laid: Mapping[int, _Slot]) -> list[_Offer]:
    slots = {columns[column]: slot for column, slot in laid.items()}
    for column in slots.keys() - {"framework", "versions", "python"}:
        for cell in slots[column].cells:
            refuse_limit(table, column, cell)
    names = {cell.text for cell in slots["framework"].cells}
    name = names.pop()
    if any(len(cell.lines) > 1 for cell in slots["framework"].cells):
        table.refuse(f"{_words(row)}: more than a name stands in the cell of the framework", row.line)
    for cell in slots["framework"].cells:
        refuse_qualified(table, cell)
    if names or not _NAME.fullmatch(name) or any(cell.marks for slot in laid.values() for cell in slot.cells):
        table.refuse(f"{_words(row)}: no name of a framework, or a footnote that may limit the row", row.line)
    python = slots.get("python")
    beside = [cell.conditions for key in ("framework", "python") if key in slots for cell in slots[key].cells]
    found = []
    for cell in slots["versions"].cells:
        try:
            when = together(table.conditions, slots["versions"].row, row.conditions, cell.conditions) or {}
        except ConditionError as error:
            table.refuse(f"{name}: {error}", cell.line or row.line)
        versions = tuple(part.strip() for line in cell.lines for part in line.split(","))
        past = any(not_current(word) for version in versions for word in re.split(r"[.+-]", version))
        if past or not versions or not all(_VERSION.fullmatch(version) for version in versions):
            table.refuse(f"{name}: “{cell.text[:60]}” is not recognised as versions", cell.line or row.line)
        if len(set(versions)) < len(versions):
            table.refuse(f"{name}: a version is listed twice in one cell", cell.line or row.line)
        said = _python(table, row, cell, python) if python else None
        around = tuple(conditions for conditions in beside if conditions)
        found.append(
            _Offer(
                name,
                slots["framework"].cells[0],
                versions,
                when,
                said,
                cell.line or row.line,
                around,
                row.conditions is not None,
            )
        )
    return found


def _python(table: Table, row: TableRow, version: TableCell, slot: _Slot) -> str:
    """The Python versions beside a version cell; their own conditions decide nothing, but may choose among several."""
    for cell in slot.cells:
        if not _PYTHON.fullmatch(cell.text) or not_current(cell.text):
            table.refuse(f"{_words(row)}: “{cell.text[:60]}” is not recognised as Python versions", row.line)
    beside = [cell.text for cell in slot.cells if _both(cell, version)] or [cell.text for cell in slot.cells]
    return "; ".join(dict.fromkeys(beside))


def _refuse_lost_conditions(table: Table, offer: _Offer, others: Sequence[_Offer]) -> None:
    """Refuse a version that seems to hold anywhere because a condition beside it, or usual in the table, is gone."""
    if SYSTEM not in offer.when and not offer.row_says and any(SYSTEM in other.when for other in others):
        table.refuse(f"{offer.name}: the row does not say on which operating systems it holds", offer.line)
    hard = offer.when.keys() & set(HARDWARE)
    if not hard and any(conditions.keys() & set(HARDWARE) for conditions in offer.beside):
        table.refuse(f"{offer.name}: the version cell has lost the condition that the cells beside it have", offer.line)
    if not hard and (said := next((words for words in table.over if names_hardware(words) or names_family(words)), "")):
        table.refuse(f"{offer.name}: stands under “{said[:40]}”, and no condition says for which parts", offer.line)
    if SYSTEM not in offer.when and (said := next((words for words in table.over if _names_system(words)), "")):
        table.refuse(f"{offer.name}: stands under “{said[:40]}”, and no condition says on which systems", offer.line)
    if not offer.when:
        table.refuse(f"{offer.name}: nothing says for what the row holds", offer.line)


def _names_system(words: str) -> bool:
    said = f" {same(words)} "
    return any(f" {name} " in said for name in (*meanings("rocm", "systems"), "linux"))


def _refuse_doubled(table: Table, offer: _Offer, other: _Offer) -> None:
    """Two rows of one name that both answer for something are two answers, unless one name was set over both."""
    if same(offer.name) != same(other.name) or not may_both_hold(offer.when, other.when, known_parts()):
        return
    if offer.named_by is not other.named_by or set(offer.versions) & set(other.versions):
        table.refuse(f"{offer.name}: two cells would both answer for the same part", offer.line)


def _words(row: TableRow) -> str:
    return " | ".join(cell.text[:30] for cell in row.cells)[:100] or "an empty row"
