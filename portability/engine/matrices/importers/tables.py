"""Tables as published, whatever they are written in: rows of cells, with the conditions under which each is shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from portability.engine.errors import InputError
from portability.engine.matrices.importers.conditions import Conditions

LIMIT_CELLS = 10_000
LIMIT_ROW = 200
LIMIT_TEXT = 4_000
LIMIT_SPAN = 500
LIMIT_NAME = 200
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))  # where a word may be broken: no reader sees them
FOOTNOTE = r"(?:\\?\*|[\^†‡§¹²³⁴⁵⁶⁷⁸⁹]|\[\^?[A-Za-z0-9*]{1,8}\]_?)"
_NAMED = re.compile(rf"(?P<name>.*?)\s*(?P<mark>{FOOTNOTE}*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TableCell:
    """One cell. `lines`: its text, a line for each paragraph. `marks`: footnote signs that stood raised beside it.

    `wrapped`: a paragraph of it goes over several lines of its source. `fault`: why it cannot be read safely.
    """

    lines: tuple[str, ...]
    line: int
    header: bool = False
    conditions: Conditions | None = None
    rowspan: int = 1
    colspan: int = 1
    links: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    wrapped: bool = False
    fault: str = ""

    @property
    def text(self) -> str:
        """All lines as one."""
        return " ".join(self.lines)


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row with what its author wrote; cells that another row's span covers are left out.

    `fault`: why it cannot be read safely.
    """

    cells: tuple[TableCell, ...]
    line: int
    conditions: Conditions | None = None
    header: bool = False
    fault: str = ""

    @property
    def is_header(self) -> bool:
        """Whether the row only names columns."""
        return bool(self.cells) and (self.header or all(cell.header for cell in self.cells))


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a document; `conditions` are its own and those of everything around it.

    `ends_document`: nothing follows its last row, so that it may have been cut there. `fault`: what is wrong with it;
    tables that nobody asks for may have faults. `over`: the headings and labels that it stands under.
    """

    file: str
    line: int
    rows: tuple[TableRow, ...]
    conditions: Conditions | None = None
    ends_document: bool = False
    fault: str = ""
    over: tuple[str, ...] = ()

    def sound(self) -> None:
        """Refuse the document where this table or one of its cells has a fault."""
        if self.fault:
            self.refuse(self.fault)
        for row in self.rows:
            if row.fault:
                self.refuse(row.fault, row.line)
            if len(row.cells) > LIMIT_ROW or any(len(cell.text) > LIMIT_TEXT for cell in row.cells):
                self.refuse(f"a row of more than {LIMIT_ROW} cells, or a cell of {LIMIT_TEXT:,} characters", row.line)
            for cell in row.cells:
                if cell.fault:
                    self.refuse(cell.fault, cell.line or row.line)

    def refuse(self, message: str, line: int = 0) -> NoReturn:
        """Refuse the document this table is in."""
        raise InputError(self.file, line or self.line, message)

    @property
    def has_conditions(self) -> bool:
        """Whether any row or cell says for what it holds."""
        return any(row.conditions or any(cell.conditions for cell in row.cells) for row in self.rows)


@dataclass(frozen=True, slots=True)
class Page:
    """What a document holds: its title and first heading, and its tables.

    `elsewhere`: files it only points to. `lines`: the text around the tables, where footnotes are explained.
    `addresses`: where it says that it stands.
    """

    file: str
    titles: tuple[str, ...]
    tables: tuple[Table, ...]
    elsewhere: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()

    def footnote(self, mark: str) -> str:
        """What a footnote sign means, at most 300 characters of it; "" where the page does not say."""
        behind = r"[\s:.)]" if mark[-1:].isdigit() else r"[\s:]?"
        begins = re.compile(rf"{re.escape(mark)}{behind}\s*(?=\w)")
        likely = (line for line in self.lines if line.startswith(mark))
        said = next((line[found.end() :].strip() for line in likely if (found := begins.match(line))), "")
        return said if len(said) <= 300 else f"{said[:299]}…"


def versions_said(page: Page, title: re.Pattern[str], address: re.Pattern[str]) -> list[str]:
    """The versions that a page's titles and addresses name, by patterns with one group."""
    looked_at = ((title, page.titles), (address, page.addresses))
    return [found[1] for pattern, texts in looked_at for text in texts for found in pattern.finditer(text)]


def heads(table: Table) -> list[TableRow]:
    """The rows at the top that name columns."""
    found: list[TableRow] = []
    for row in table.rows:
        if not row.is_header:
            break
        found.append(row)
    return found


@dataclass(frozen=True, slots=True)
class Grid:
    """A table without conditions: one name for each column, and in each row one cell for each of them.

    `marks`: the footnote sign beside each name, "" for none; what it says holds for the whole column.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    marks: tuple[str, ...] = ()


def grid(table: Table) -> Grid:
    """Lay a table out by its spans. Refuses rows that do not have exactly the columns that the head names."""
    table.sound()
    top = heads(table)
    if table.ends_document:
        table.refuse("the document ends inside a table", table.rows[-1].line)
    if len(top) != 1:
        table.refuse("a table must have one row that names its columns")
    names = [named(cell) for cell in top[0].cells for _ in range(cell.colspan)]
    columns = tuple(name for name, _ in names)
    if any(cell.rowspan != 1 for cell in top[0].cells):
        table.refuse("a name of a column reaches into the rows below", top[0].line)
    given = [name for name in columns if name]
    if len(set(given)) < len(given):
        table.refuse("two columns have the same name", top[0].line)
    open_spans: dict[int, tuple[TableCell, int]] = {}
    rows: list[tuple[TableCell, ...]] = []
    for row in table.rows[1:]:
        if row.is_header:
            table.refuse("a second row of column names stands inside the table", row.line)
        rows.append(_laid_out(table, row, columns, open_spans))
    if open_spans:
        table.refuse("a cell spans more rows than the table has")
    return Grid(columns, tuple(rows), tuple(mark for _, mark in names))


def _laid_out(
    table: Table, row: TableRow, columns: Sequence[str], open_spans: dict[int, tuple[TableCell, int]]
) -> tuple[TableCell, ...]:
    waiting = iter(row.cells)
    laid: list[TableCell] = []
    while len(laid) < len(columns):
        at = len(laid)
        if at in open_spans:
            cell, left = open_spans.pop(at)
            if left > 1:
                open_spans[at] = (cell, left - 1)
            laid.append(cell)
            continue
        given = next(waiting, None)
        if given is None:
            table.refuse(f"a row has fewer cells than the table has columns ({len(columns)})", row.line)
        for offset in range(given.colspan):
            if at + offset >= len(columns) or at + offset in open_spans:
                table.refuse("a cell spans more columns than there are", row.line)
            laid.append(given)
            if given.rowspan > 1:
                open_spans[at + offset] = (given, given.rowspan - 1)
    if next(waiting, None) is not None:
        table.refuse(f"a row has more cells than the table has columns ({len(columns)})", row.line)
    return tuple(laid)


def plain(written: str) -> str:
    """Text as it is seen: single blanks, and nothing that only says where a word may be broken."""
    return " ".join(written.translate(_UNSEEN).split())


def text(cell: TableCell) -> str:
    """A name, with single blanks."""
    return plain(cell.text)


def named(cell: TableCell) -> tuple[str, str]:
    """A name, and the footnote sign beside it, raised or not; "" for none."""
    found = _NAMED.fullmatch(text(cell)) if len(cell.text) <= LIMIT_NAME else None
    name, mark = (found["name"], found["mark"]) if found else (text(cell), "")
    return name, (mark.replace("\\", "") + "".join(cell.marks)).strip()


def same(name: str) -> str:
    """A name as it is compared: without case, trade marks and the blanks between words."""
    return plain("".join(character for character in name if character not in "™®©")).casefold()
