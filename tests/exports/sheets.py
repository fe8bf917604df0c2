"""An XLSX file as text that one can read: each cell with its type, its look and its value, as the file has them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import date, timedelta
from xml.etree import ElementTree

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_ZERO = date(1899, 12, 30)  # of the days that a spreadsheet counts


def told(raw: bytes) -> str:
    """The workbook: one line a cell, `A2 text "00123"`, under the name of its sheet."""
    with zipfile.ZipFile(io.BytesIO(raw)) as book:
        styles = _styles(ElementTree.fromstring(book.read("xl/styles.xml")))
        sheets = ElementTree.fromstring(book.read("xl/workbook.xml")).iter(f"{_MAIN}sheet")
        lines = []
        for number, sheet in enumerate(sheets, start=1):
            root = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml"))
            lines += [f"# {sheet.get('name')}", *_around(root), *_cells(root, styles), ""]
    return "\n".join(lines)


def _around(root: ElementTree.Element) -> Iterator[str]:
    for pane in root.iter(f"{_MAIN}pane"):
        yield f"scrolls from {pane.get('topLeftCell')}"
    for found in root.iter(f"{_MAIN}autoFilter"):
        yield f"filtered {found.get('ref')}"


def _cells(root: ElementTree.Element, styles: list[tuple[bool, str]]) -> Iterator[str]:
    for cell in root.iter(f"{_MAIN}c"):
        is_day, look = styles[int(cell.get("s", "0"))]
        value = cell.findtext(f"{_MAIN}v") or ""
        formula = cell.findtext(f"{_MAIN}f")
        if formula is not None:
            told = f"formula {json.dumps(formula)}"
        elif cell.get("t") == "inlineStr":
            told = f"text {json.dumps(''.join(t.text or '' for t in cell.iter(f'{_MAIN}t')), ensure_ascii=False)}"
        elif cell.get("t", "n") != "n":
            told = f"{cell.get('t')} {value}"
        elif is_day:
            told = f"day {_ZERO + timedelta(days=int(value))}"
        else:
            told = f"number {value}"
        yield f"{cell.get('r')} {told}{look}"


def _styles(root: ElementTree.Element) -> list[tuple[bool, str]]:
    """Of each look by its number: whether it shows a day, and what is unusual about it."""
    formats = {f.get("numFmtId"): f.get("formatCode", "") for f in root.iter(f"{_MAIN}numFmt")}
    fonts = root.find(f"{_MAIN}fonts")
    bold = [font.find(f"{_MAIN}b") is not None for font in fonts] if fonts is not None else []
    found = []
    for look in root.find(f"{_MAIN}cellXfs") or ():
        shown = formats.get(look.get("numFmtId"), "")
        words = ["bold"] * bold[int(look.get("fontId", "0"))] + ["stays text"] * (look.get("quotePrefix") == "1")
        words += [f"as {shown}"] * bool(shown)
        found.append(("yy" in shown, f" ({', '.join(words)})" if words else ""))
    return found
