"""XLSX with typed cells: a number is a number, a day a day, and text is text whatever it starts with.

Rows are written to a temporary file as they come, so that memory does not grow with the register.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import IO

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from portability.engine.output.csv_safe import looks_like_formula
from portability.exports.columns import Kind, typed
from portability.exports.formats.about import About
from portability.exports.mappings import Picked

MOST_ROWS = 1_048_575  # what a sheet holds, less the headings
MOST_CHARACTERS = 32_767  # what a cell holds, counted as UTF-16
_CUT = " … (cut: a cell holds no more; the workload's page has all of it)"
_NO_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")  # of XML
_PIECE = 256 * 1024
_TYPED = (Kind.NUMBER, Kind.DAY)  # yes and no stay words: LibreOffice makes formulas of cells that are true or false
_WIDTHS = {Kind.TEXT: 22, Kind.NUMBER: 10, Kind.DAY: 12, Kind.TRUTH: 10, Kind.LINES: 50, Kind.WORDS: 20}


def write(columns: Sequence[Picked], rows: Iterable[Sequence[object]], about: About) -> Iterator[bytes]:
    """The file in pieces, none before all rows are written: its directory stands at its end.

    Raises OSError where the disk for temporary files is full.
    """
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile(dir=folder) as file:
        _workbook(file, folder, columns, rows, about)
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece


def _workbook(
    file: IO[bytes], folder: str, columns: Sequence[Picked], rows: Iterable[Sequence[object]], about: About
) -> None:
    options = {
        "constant_memory": True,
        "tmpdir": folder,
        "strings_to_formulas": False,
        "strings_to_numbers": False,
        "strings_to_urls": False,
    }
    book = xlsxwriter.Workbook(file, options)
    book.use_zip64()
    book.set_properties({"title": f"Register for {about.target}", "author": about.by, "created": about.at})
    cells = _Cells(
        book.add_format({"bold": True, "text_wrap": True, "valign": "top"}),
        book.add_format({"valign": "top"}),
        book.add_format({"valign": "top", "num_format": "yyyy-mm-dd"}),
        book.add_format({"valign": "top", "quote_prefix": True}),
    )
    sheet = book.add_worksheet("Register")
    sheet.freeze_panes(1, 1)
    for position, column in enumerate(columns):
        sheet.set_column(position, position, _WIDTHS[column.kind])
        cells.write(sheet, 0, position, column.heading, cells.heading)
    last = 0
    for last, row in enumerate(rows, start=1):
        for position, (column, value) in enumerate(zip(columns, row, strict=True)):
            cells.write(sheet, last, position, typed(column.kind, value) if column.kind in _TYPED else value)
    sheet.autofilter(0, 0, last, len(columns) - 1)
    _about(book.add_worksheet("About this file"), cells, about, last)
    book.close()


def _about(sheet: Worksheet, cells: _Cells, about: About, rows: int) -> None:
    sheet.set_column(0, 0, 16)
    sheet.set_column(1, 1, 80)
    said: list[tuple[str, object]] = [
        ("Register for", about.target),
        ("Filter", about.filter_in_words),
        ("Sorted by", about.sort),
        ("Columns", about.columns),
        ("Rows", rows),
        ("As of", "\n".join(about.as_of) or "no published reading"),
        ("Exported by", about.by),
        ("Exported at", about.at.strftime("%Y-%m-%d %H:%M %Z")),
        ("The same rows", about.address),
    ]
    for line, (name, value) in enumerate(said):
        cells.write(sheet, line, 0, name, cells.heading)
        cells.write(sheet, line, 1, value)


class _Cells:
    """Writes one cell as what it is."""

    def __init__(self, heading: Format, plain: Format, day: Format, quoted: Format) -> None:
        self.heading = heading
        self._plain, self._day, self._quoted = plain, day, quoted

    def write(self, sheet: Worksheet, row: int, column: int, value: object, look: Format | None = None) -> None:
        """One cell. Text that would be a formula if someone edited the cell is marked as text for that, too."""
        if value is None or value == "":
            return
        if isinstance(value, int | float):
            sheet.write_number(row, column, value, self._plain)
        elif isinstance(value, date):
            sheet.write_datetime(row, column, value, self._day)
        else:
            text = _text(value)
            sheet.write_string(row, column, text, look or (self._quoted if looks_like_formula(text) else self._plain))


def _text(value: object) -> str:
    text = _NO_CHARACTER.sub("", str(value).replace("\r\n", "\n").replace("\r", "\n"))
    if len(text) * 2 <= MOST_CHARACTERS or len(text.encode("utf-16-le")) <= MOST_CHARACTERS * 2:
        return text
    room = (MOST_CHARACTERS - len(_CUT)) * 2
    return text.encode("utf-16-le")[:room].decode("utf-16-le", "ignore") + _CUT
