"""LibreOffice as a judge: what a spreadsheet program makes of a file, cell by cell, typed."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

SOFFICE = os.environ.get("PORTABILITY_SOFFICE") or shutil.which("soffice") or shutil.which("libreoffice")
MISSING = "no LibreOffice found: install libreoffice-calc, or name its soffice in PORTABILITY_SOFFICE"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
# Comma, double quotes, UTF-8, from line 1, every column as a standard cell; quoted cells are no text by themselves,
# special numbers are detected and formulas are evaluated where there are any: as people open it who click on.
CSV_AS_OPENED = "CSV:44,34,76,1,,0,false,true,false,false,false,-1,true"
_MOST_REPEATED = 100  # the rest of a sheet is one cell that says how often it is repeated


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as LibreOffice has it: `kind` is string, float, date, boolean, or empty; `formula` what it would run."""

    kind: str
    value: str
    formula: str = ""


def opened(file: Path, folder: Path, import_filter: str = "") -> list[list[list[Cell]]]:
    """The sheets of a file: converted to flat OpenDocument by LibreOffice, with a profile of its own."""
    assert SOFFICE
    command = [
        SOFFICE,
        f"-env:UserInstallation={(folder / 'profile').as_uri()}",
        "--headless",
        *([f"--infilter={import_filter}"] if import_filter else []),
        "--convert-to",
        "fods",
        "--outdir",
        str(folder),
        str(file),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    made = folder / f"{file.stem}.fods"
    assert made.exists(), done.stdout + done.stderr
    root = ElementTree.fromstring(made.read_text(encoding="utf-8"))
    return [_sheet(table) for table in root.iter(f"{_TABLE}table")]


def _sheet(table: ElementTree.Element) -> list[list[Cell]]:
    rows = []
    for row in table.iter(f"{_TABLE}table-row"):
        cells: list[Cell] = []
        for cell in row.findall(f"{_TABLE}table-cell"):
            repeated = int(cell.get(f"{_TABLE}number-columns-repeated", "1"))
            if repeated < _MOST_REPEATED:
                cells += [_cell(cell)] * repeated
        repeated = int(row.get(f"{_TABLE}number-rows-repeated", "1"))
        if repeated < _MOST_REPEATED:
            rows += [cells] * repeated
    return rows


def _cell(cell: ElementTree.Element) -> Cell:
    kind = cell.get(f"{_OFFICE}value-type", "")
    stored = cell.get(
        f"{_OFFICE}{'date-value' if kind == 'date' else 'boolean-value' if kind == 'boolean' else 'value'}"
    )
    value = stored if stored is not None else "\n".join(_said(p) for p in cell.findall(f"{_TEXT}p"))
    return Cell(kind, value, cell.get(f"{_TABLE}formula", ""))


def _said(paragraph: ElementTree.Element) -> str:
    """The text of a paragraph: several blanks, tabs and links are elements of their own."""
    text = paragraph.text or ""
    for part in paragraph:
        if part.tag == f"{_TEXT}s":
            text += " " * int(part.get(f"{_TEXT}c", "1"))
        elif part.tag == f"{_TEXT}tab":
            text += "\t"
        else:
            text += _said(part)
        text += part.tail or ""
    return text
