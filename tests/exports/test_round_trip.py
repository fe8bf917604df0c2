"""What a spreadsheet program shows of an export: every value as it was, typed, and no formula."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from portability.exports.columns import Kind, fields
from portability.exports.models import ColumnMapping
from portability.register.models import Row
from portability.workloads.models import Workload
from tests.exports.office import CSV_AS_OPENED, MISSING, SOFFICE, Cell, opened
from tests.register.generate import generate

pytestmark = [pytest.mark.database, pytest.mark.skipif(not SOFFICE, reason=MISSING)]

TYPES = {Kind.NUMBER: "float", Kind.DAY: "date"}
HOSTILE = [
    '=HYPERLINK("http://x.example","y")',
    "=1+1",
    "+1-800",
    "-2+3",
    "@SUM(1)",
    "\u200b=1+1",
    "\uff1d1+1",
    '"=1+1"',
    "'=1+1",
    "=cmd|' /C calc'!A0",
    'a "quoted", name; with = and  blanks',
    "_x0041_",
    "zürich 日本 🙂",
    "TRUE",
    "1e5x",
    "00123x",
]


@pytest.fixture
def register(reader: Client) -> Client:
    """Workloads with names, owners and reasons that a spreadsheet program might run or read otherwise."""
    generate(len(HOSTILE))
    for text, workload in zip(HOSTILE, Workload.objects.order_by("pk"), strict=True):
        workload.name = workload.owner = text
        workload.save()
        Row.objects.filter(workload=workload).update(why=text, reasons=f"{text}\nand another line")
    return reader


def taken(client: Client, kind: str, folder: Path, query: str = "") -> Path:
    """The file, as it is downloaded."""
    answer = client.get(reverse("exports:take", args=[kind]) + query)
    assert isinstance(answer, StreamingHttpResponse)
    file = folder / f"register.{kind}"
    file.write_bytes(answer.getvalue())
    return file


def formulas(sheets: list[list[list[Cell]]]) -> list[str]:
    """What would be run."""
    return [cell.formula for sheet in sheets for row in sheet for cell in row if cell.formula]


def by_heading(sheet: list[list[Cell]]) -> list[dict[str, Cell]]:
    """The rows of a sheet; cells at the end of a row that hold nothing are not stored."""
    head = [cell.value for cell in sheet[0]]
    return [dict(zip(head, row + [Cell("", "")] * (len(head) - len(row)), strict=False)) for row in sheet[1:] if row]


def test_a_sheet_shows_every_value_typed_and_runs_nothing(register: Client, tmp_path: Path) -> None:
    sheets = opened(taken(register, "xlsx", tmp_path), tmp_path)
    assert formulas(sheets) == []
    rows = by_heading(sheets[0])
    stored = {row.workload.name: row for row in Row.objects.select_related("workload", "workload__team")}
    assert len(rows) == len(stored) == len(HOSTILE)
    for shown in rows:
        row = stored[shown["workload"].value]
        assert shown["owner"] == shown["workload"] == shown["why"] == Cell("string", row.workload.name)
        assert shown["reasons"].value == row.reasons
        assert shown["GPUs"] == (Cell("", "") if row.workload.gpus is None else Cell("float", str(row.workload.gpus)))
        assert shown["assessed on"] == Cell("date", "2026-08-07")
        assert shown["platform judged"] == Cell("string", "yes")
        for name, cell in shown.items():
            kind = TYPES.get(fields()[name].kind, "string")
            assert cell.kind in (kind, ""), name
    about = {row[0].value: row[1].value for row in sheets[1] if row}
    assert about["Rows"] == str(len(HOSTILE)) and about["Exported by"] == "viewer"


def test_csv_shows_every_value_as_text_or_number_and_runs_nothing(register: Client, tmp_path: Path) -> None:
    file = taken(register, "csv", tmp_path)
    written = list(csv.reader(io.StringIO(file.read_bytes().decode("utf-8-sig"), newline="")))
    (sheet,) = opened(file, tmp_path, CSV_AS_OPENED)
    assert formulas([sheet]) == []
    rows = by_heading(sheet)
    assert len(rows) == len(written) - 1 == len(HOSTILE)
    numbers = {name for name, field in fields().items() if field.kind is Kind.NUMBER}
    for shown, row in zip(rows, written[1:], strict=True):
        for name, value in zip(written[0], row, strict=True):
            cell = shown[name]
            if name in numbers and value:
                assert cell == Cell("float", value)
            elif cell.kind == "date":
                assert fields()[name].kind is Kind.DAY and cell.value == value
            elif cell.kind == "boolean":
                assert (value, cell.value) == ("TRUE", "true")  # a word that spreadsheets know; it is no formula
            else:
                assert cell.kind in ("string", "") and cell.value == value, name


def test_headings_of_a_mapping_run_nothing(register: Client, tmp_path: Path) -> None:
    headings = ["=1+1", "@SUM(1)", '=HYPERLINK("http://x.example","y")', "-1", "Name"]
    columns = [{"heading": heading, "source": "workload"} for heading in headings]
    columns.append({"heading": "Fixed", "text": "=1+1"})
    ColumnMapping.objects.create(slug="hostile", name="Hostile", columns=columns)
    for kind, how in (("xlsx", ""), ("csv", CSV_AS_OPENED)):
        sheets = opened(taken(register, kind, tmp_path, "?mapping=hostile"), tmp_path, how)
        assert formulas(sheets) == []
        head = [cell.value.removeprefix("'") for cell in sheets[0][0]]
        assert head == [*headings, "Fixed"], kind
        assert {row[5].value.removeprefix("'") for row in sheets[0][1:] if row} == {"=1+1"}


def test_this_reading_of_a_file_sees_a_formula(tmp_path: Path) -> None:
    """The tests above would fail for a file that runs something."""
    file = tmp_path / "bad.csv"
    file.write_text('name\r\n=1+1\r\n"=2+2"\r\n')
    (sheet,) = opened(file, tmp_path, CSV_AS_OPENED)
    assert formulas([sheet]) == ["of:=1+1", "of:=2+2"]
