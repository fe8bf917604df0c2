"""A table of vendor rows as a page: `/rules/rows/<table>/`."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from portability.engine.vendor_rows.rows import Table, shipped

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def page_of(reader: Client, table: str, text: str = "") -> str:
    answer = reader.get(f"/rules/rows/{table}/", {"q": text} if text else {})
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("table", list(Table))
def test_every_table_is_linked_small_and_holds_all_its_rows(reader: Client, table: Table) -> None:
    assert f'href="{reverse("rules:rows", args=[table])}"' in reader.get("/rules/").content.decode()
    page = page_of(reader, table)
    assert page.count("<tr><td><code>") == len(shipped().of(table))
    assert len(page.encode()) < 150_000


def test_a_row_gives_pattern_vendor_counterpart_and_reference(reader: Client) -> None:
    row = next(row for row in shipped().of(Table.IMAGES) if row.counterpart and row.link)
    page = page_of(reader, "images", row.pattern)
    assert f"<code>{row.pattern}</code>" in page
    assert f"<code>{row.counterpart}</code>" in page
    assert f'href="{row.link}"' in page


def test_rows_are_found_by_a_text_whatever_its_case(reader: Client) -> None:
    found = page_of(reader, "resources", "NVIDIA.com/gpu")
    assert "<code>nvidia.com/gpu</code>" in found
    assert found.count("<tr><td><code>") < page_of(reader, "resources").count("<tr><td><code>")


def test_nothing_found_is_said_and_the_text_stays_text(reader: Client) -> None:
    page = page_of(reader, "images", "<script>x")
    assert "No row of this table holds “&lt;script&gt;x”." in page
    assert "<script>x" not in page


def test_a_table_that_is_none_and_a_wrong_method(reader: Client) -> None:
    assert reader.get("/rules/rows/nothing/").status_code == 404
    assert reader.post("/rules/rows/images/").status_code == 405


def test_rows_cost_one_query(reader: Client, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_max_num_queries(4):  # session, person, memberships, own rows
        page_of(reader, "images")
