"""The export: exactly the rows of the page, readable by spreadsheet programs, safe in them, and in constant memory."""

from __future__ import annotations

import csv
import io
import tracemalloc
from pathlib import Path

import pytest
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import Client

from portability.register.columns import ALL_COLUMNS, SHOWN_LABELS
from portability.register.export import CHUNK, csv_chunks
from portability.register.models import Row
from portability.register.queries import rows_for
from tests.conftest import Cast
from tests.register.generate import generate

GOLDEN = Path(__file__).parent / "golden"
DOCUMENTED = Path(__file__).parents[2] / "docs" / "csv-columns.md"


def download(client: Client, query: str = "") -> bytes:
    """The whole file."""
    answer = client.get(f"/register/export.csv{query}")
    assert isinstance(answer, StreamingHttpResponse)
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    return answer.getvalue()


def table(raw: bytes) -> list[list[str]]:
    """The file as a reader of CSV sees it."""
    return list(csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline="")))


@pytest.mark.database
@pytest.mark.parametrize(("name", "query"), [("shown", ""), ("all", "?columns=all")])
def test_the_file_is_the_golden_one(reader: Client, name: str, query: str) -> None:
    """Twelve workloads, among them names that a spreadsheet would run, quotes, commas and line ends."""
    generate(12)
    first = min(Row.objects.values_list("workload_id", flat=True))
    for n, hostile in enumerate(['=HYPERLINK("http://x","y")', 'a "quoted", name', "+1-800", "zürich\u3000日本"]):
        row = Row.objects.select_related("workload").get(workload_id=first + n)
        row.workload.name = hostile
        row.workload.save()
    raw = download(reader, query)
    for pk in Row.objects.values_list("workload_id", flat=True):  # ids are the database's, not the file's
        raw = raw.replace(f"/workloads/{pk}/".encode(), f"/workloads/{pk - first + 1}*/".encode())
    assert raw == (GOLDEN / f"{name}.csv").read_bytes()


def test_the_file_begins_with_a_mark_and_ends_its_lines_as_the_standard_says(reader: Client) -> None:
    generate(3)
    raw = download(reader)
    assert raw.startswith(b"\xef\xbb\xbfWorkload,")
    assert raw.endswith(b"\r\n")
    assert raw.count(b"\r\n") == 4


@pytest.mark.database
@pytest.mark.parametrize("query", ["", "?verdict=pinned&sort=-gpus", "?q=triton&team=team-1", "?q=00007"])
def test_the_file_holds_the_rows_of_the_page_in_its_order(reader: Client, query: str) -> None:
    generate(40)
    page = reader.get(f"/register/{query}").content.decode()
    rows = table(download(reader, query))
    assert rows[0] == list(SHOWN_LABELS)
    places = [page.index(f">{row[0]}</a>") for row in rows[1:]]
    assert places == sorted(places)
    assert f"of {len(rows) - 1}<" in page or (len(rows) == 1 and "No workload matches" in page)


def test_every_column_is_documented_in_its_order() -> None:
    text = DOCUMENTED.read_text()
    named = [line.split("|")[1].strip().strip("`") for line in text.splitlines() if line.startswith("| `")]
    assert named == [label for label, _ in ALL_COLUMNS]


def test_every_reading_is_named_and_a_row_without_a_reason_says_what_it_was_checked_against(reader: Client) -> None:
    generate(4)
    rows = table(download(reader, "?columns=all"))
    told = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    for row in told:
        assert row["as of"] == "rocm-compatibility-matrix 7.14.0, read 2026-08-07\nvllm-features, read 2026-08-06"
    movable = next(row for row in told if row["verdict"] == "movable")
    assert movable["evidence"].splitlines()[1] == "checked against vllm-features, read 2026-08-06"
    assert not any("checked against" in row["evidence"] for row in told if row is not movable)


def test_the_two_files_have_names_of_their_own(reader: Client) -> None:
    generate(1)
    names = [reader.get(f"/register/export.csv{query}")["Content-Disposition"] for query in ("", "?columns=all")]
    assert "-all-columns.csv" not in names[0] and "-all-columns.csv" in names[1]


def test_the_link_leads_to_the_workload(reader: Client) -> None:
    generate(1)
    rows = table(download(reader, "?columns=all"))
    link = dict(zip(rows[0], rows[1], strict=True))["link"]
    pk = Row.objects.get().workload_id
    assert link == f"http://testserver/workloads/{pk}/?target=mi300x-single"


def test_columns_nobody_knows_are_refused(reader: Client) -> None:
    generate(1)
    answer = reader.get("/register/export.csv?sort=__class__")
    assert answer.status_code == 400 and "no column to sort by" in answer.content.decode()
    assert "sorted by" not in answer.content.decode()  # nothing was shown instead
    answer = reader.get("/register/export.csv?columns=some")
    assert answer.status_code == 400 and "columns" in answer.content.decode()


def _peak(cast: Cast) -> int:
    target = Row.objects.all()[0].target
    rows = rows_for(cast.viewer, target).order_by("pk")
    tracemalloc.start()
    for _ in csv_chunks(rows, target, "http://x", every_column=True):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.long
@pytest.mark.database
def test_memory_does_not_grow_with_the_register(cast: Cast) -> None:
    generate(1000)
    _peak(cast)  # what is loaded once is not counted
    small = _peak(cast)
    generate(4000, first=1000)
    assert Row.objects.count() == 5000
    assert _peak(cast) < small * 1.3 + 300_000


@pytest.mark.django_db(transaction=True)
def test_a_slow_reader_holds_up_no_writer(cast: Cast) -> None:
    """A download that is half read, and a save at the same time."""
    target = generate(2000)
    chunks = csv_chunks(rows_for(cast.viewer, target).order_by("pk"), target, "http://x", every_column=False)
    next(chunks)  # the first rows are asked for alone, the others through a cursor
    next(chunks)
    assert not connection.in_atomic_block
    other = connection.copy("other")
    try:
        with other.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA busy_timeout = 1000")
            cursor.execute("UPDATE register_row SET why = 'written meanwhile'")
            assert cursor.rowcount == 2000
    finally:
        other.close()
    assert sum(chunk.count(b"\r\n") for chunk in chunks) == 2000 - 2 * CHUNK
