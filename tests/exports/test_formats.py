"""The formats: each holds the rows of the page, typed, and nothing in it is run."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.exports.formats import xlsx
from portability.exports.making import FORMATS
from portability.exports.schema import build, published
from portability.register.columns import ALL_COLUMNS
from portability.register.models import Row
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.generate import generate

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
HOSTILE = ['=HYPERLINK("http://x","y")', 'a "quoted", name', "+1-800", "_x0041_ zürich\u3000日本", "@SUM(A1)", "-2+3"]


def take(client: Client, kind: str, query: str = "") -> bytes:
    answer = client.get(reverse("exports:take", args=[kind]) + query)
    assert isinstance(answer, StreamingHttpResponse), answer.content
    assert answer.headers["Content-Type"] == FORMATS[kind].content_type
    return answer.getvalue()


def hostile_names() -> None:
    for name, workload in zip(HOSTILE, Workload.objects.order_by("pk"), strict=False):
        workload.name = name
        workload.save()


def sheet(raw: bytes, number: int = 1) -> list[list[tuple[str, str]]]:
    """The cells of a sheet as pairs of type and value."""
    with zipfile.ZipFile(io.BytesIO(raw)) as book:
        root = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml"))
    rows = []
    for row in root.iter(f"{MAIN}row"):
        cells = []
        for cell in row.iter(f"{MAIN}c"):
            assert cell.find(f"{MAIN}f") is None, "no cell holds a formula"
            text = "".join(t.text or "" for t in cell.iter(f"{MAIN}t"))
            value = cell.find(f"{MAIN}v")
            cells.append((cell.get("t", "n"), text if value is None else value.text or ""))
        rows.append(cells)
    return rows


def test_csv_of_every_column_is_the_register_s_own_file(reader: Client) -> None:
    generate(8)
    hostile_names()
    own = reader.get(reverse("register:csv"), {"columns": "all"})
    assert isinstance(own, StreamingHttpResponse)
    assert take(reader, "csv") == own.getvalue()


@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
def test_every_format_holds_the_rows_of_the_page_in_its_order(reader: Client, kind: str) -> None:
    generate(40)
    query = "?verdict=pinned&sort=-gpus"
    raw = take(reader, kind, query)
    if kind == "json":
        names = [row["workload"] for row in json.loads(raw)["rows"]]
    elif kind == "csv":
        names = [row[0] for row in csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline=""))][1:]
    else:
        names = [row[0][1] for row in sheet(raw)][1:]
    page = reader.get(f"/register/{query}").content.decode()
    places = [page.index(f">{name}</a>") for name in names]
    assert len(names) == 10
    assert places == sorted(places)


def test_json_is_what_its_published_schema_says(reader: Client) -> None:
    generate(12)
    hostile_names()
    schema = json.loads(published())
    jsonschema.Draft202012Validator.check_schema(schema)
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    document = json.loads(take(reader, "json", "?criticality=critical"))
    jsonschema.Draft202012Validator(schema, format_checker=checker).validate(document)
    assert document["count"] == len(document["rows"]) == 3
    assert document["about"]["filter"] == {"Criticality": "Critical"}
    assert document["about"]["exported_by"] == "viewer"
    row = document["rows"][0]
    assert row["workload"] in HOSTILE  # as it is: JSON runs nothing
    assert row["platform_judged"] is True and isinstance(row["blocks"], int)
    assert row["assessed_on"] == "2026-08-07" and row["as_of"][1] == "vllm-features, read 2026-08-06"
    assert reader.get(reverse("exports:schema")).content == published()


def test_the_schema_refuses_what_the_export_never_says(reader: Client) -> None:
    generate(1)
    document = json.loads(take(reader, "json"))
    document["rows"][0]["verdict"] = "perhaps"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, json.loads(published()))


def test_the_published_schema_is_that_of_the_columns() -> None:
    assert published().decode() == build(), "write schema.build() into data/register.schema.json"


def test_json_of_no_row_is_whole(reader: Client) -> None:
    generate(2)
    document = json.loads(take(reader, "json", "?q=nothing-is-called-so"))
    assert document["rows"] == [] and document["count"] == 0


def test_a_sheet_holds_numbers_days_and_text_as_such(reader: Client) -> None:
    generate(6)
    hostile_names()
    rows = sheet(take(reader, "xlsx", "?sort=workload"))
    names = [name for name, _ in ALL_COLUMNS]
    assert [value for _, value in rows[0]] == names
    types: dict[str, set[str]] = {}
    for row in rows[1:]:
        for name, (kind, _) in zip(["workload", "team", "owner"], row, strict=False):
            types.setdefault(name, set()).add(kind)
    assert types == {"workload": {"inlineStr"}, "team": {"inlineStr"}, "owner": {"inlineStr"}}
    assert {value for kind, value in (row[0] for row in rows[1:])} >= {'=HYPERLINK("http://x","y")', "+1-800", "-2+3"}
    kinds = {kind for row in rows[1:] for kind, _ in row}
    assert kinds == {"inlineStr", "n"}


def test_a_sheet_tells_the_filter_what_it_rests_on_and_who_took_it(reader: Client) -> None:
    generate(6)
    said = {row[0][1]: row[1][1] for row in sheet(take(reader, "xlsx", "?criticality=high&sort=-gpus"), 2)}
    assert said["Register for"] == "mi300x-single"
    assert said["Filter"] == "Criticality: High"
    assert said["Sorted by"] == "-gpus"
    assert said["Rows"] == "2"
    assert said["As of"] == "ROCm compatibility matrix 7.14.0, read 7 August 2026"
    assert said["Exported by"] == "viewer"
    assert said["The same rows"] == "http://testserver/register/?criticality=high&sort=-gpus&target=mi300x-single"


def test_a_cell_too_long_for_a_sheet_is_cut_and_says_so(reader: Client) -> None:
    generate(1)
    Row.objects.update(reasons="🙂" * 20_000 + "\x01\x0b", why="a\x02b\r\nc")
    rows = sheet(take(reader, "xlsx"))
    cells = dict(zip((n for _, n in rows[0]), rows[1], strict=False))
    long = next(value for _, value in rows[1] if value.startswith("🙂"))
    assert len(long.encode("utf-16-le")) // 2 <= xlsx.MOST_CHARACTERS
    assert "cut: a cell holds no more" in long
    assert any(value == "ab\nc" for _, value in cells.values())


def test_what_cannot_be_used_exports_nothing(reader: Client) -> None:
    generate(1)
    for kind, query, words in [
        ("csv", "?team=nobody", "filter “team” knows"),
        ("xlsx", "?sort=__class__", "no column to sort by"),
        ("csv", "?mapping=never-was", "no column mapping “never-was”"),
        ("pdf", "", "“pdf” is no format: csv, xlsx, json"),
    ]:
        answer = reader.get(reverse("exports:take", args=[kind]) + query)
        assert answer.status_code == 400
        assert words in answer.content.decode()
    assert not Entry.objects.filter(action="register.exported").exists()


def test_the_first_rows_are_shown_before_a_file_is_taken(reader: Client) -> None:
    generate(7)
    page = reader.get(reverse("exports:new"), {"format": "xlsx"}).content.decode()
    shown = page.partition("The first rows")[2]
    assert shown.count("<td>workload-0000") == 5


def test_too_many_rows_for_a_sheet_at_once_are_sent_to_the_background(
    reader: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate(3)
    small = FORMATS["xlsx"].__class__("xlsx", "Excel (XLSX)", FORMATS["xlsx"].content_type, 2, most_rows=5)
    monkeypatch.setitem(FORMATS, "xlsx", small)
    answer = reader.get(reverse("exports:take", args=["xlsx"]))
    assert answer.status_code == 400 and "in the background" in answer.content.decode()
    page = reader.get(reverse("exports:new"), {"format": "xlsx"}).content.decode()
    assert "Download Excel" not in page and "Prepare it in the background" in page


def test_every_export_is_in_the_history(cast: Cast, reader: Client) -> None:
    generate(5)
    take(reader, "csv", "?mapping=risk-register")
    take(reader, "json", "?criticality=critical")
    take(reader, "xlsx")
    reader.get(reverse("register:csv"))
    reader.head(reverse("register:csv"))
    entries = Entry.objects.filter(action="register.exported").order_by("pk")
    assert [(e.who, e.subject, e.details["format"], e.details["columns"], e.details["rows"]) for e in entries] == [
        (cast.viewer, "mi300x-single", "csv", "Plain risk register", 5),
        (cast.viewer, "mi300x-single", "json", "every column", 2),
        (cast.viewer, "mi300x-single", "xlsx", "every column", 5),
        (cast.viewer, "mi300x-single", "csv", "the columns shown", 5),
    ]
    assert entries[1].details["filter"] == "Criticality: Critical"


def test_columns_are_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "exports.md").read_text()
    assert "register.schema.json" in text
