"""What the page of a closed review shows is what its record says, and costs no reading of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from portability.accounts.models import Person
from portability.reviews import triggers
from portability.reviews.actions import close
from portability.reviews.models import Record, Review, SummaryLine
from portability.reviews.models import Summary as Stored
from portability.reviews.record import reading
from portability.reviews.record.summary import Summary
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import TODAY, decided, entry_of, register

pytestmark = pytest.mark.database
TRICKY = 'A statement with ],"figures":[ and {"entries":[ in it: “ja”, \\ and \u2028.'


@pytest.fixture
def record(cast: Cast, review: Review, chat: Workload) -> Record:
    """The record of a review with an entry that was decided, one that was decided otherwise, and one that retired."""
    other = register(cast.outsider, cast.media, 'others ],"figures":[', vendor="nvidia")
    retire(cast.member, register(cast.member, cast.search, "gone").pk, "replaced")
    decided(cast.architect, entry_of(review, chat), kind="otherwise", verdict="movable", reason="a", evidence=TRICKY)
    decided(cast.architect, entry_of(review, other))
    return close(cast.architect, review.pk, TRICKY, TODAY)


def stored(record: Record) -> tuple[Any, list[Any]]:
    """The summary in the database."""
    return Stored.objects.get(record=record).said, list(
        SummaryLine.objects.filter(record=record).values("number", "verdict", "team", "said")
    )


def test_a_record_is_read_entry_by_entry_as_it_is_read_whole(record: Record) -> None:
    whole = json.loads(record.text)
    assert list(reading.entries(record.text)) == whole["entries"]
    assert reading.rest(record.text) == {name: said for name, said in whole.items() if name != "entries"}


def test_what_was_stored_at_closing_is_what_the_record_says(record: Record) -> None:
    said, lines = stored(record)
    of_the_text = Summary.of(record.text)
    assert said == of_the_text.said() and lines == list(of_the_text.rows())
    whole = json.loads(record.text)
    for name in ("organisation", "review", "people", "figures"):
        assert said[name] == whole[name]
    assert said["verdicts"] == {"needs-change": 2} and said["teams"] == ["Media", "Search"]
    assert sorted(said["decided"]) == [["agree", 1], ["otherwise", 1]]
    assert [line["said"]["workload"]["name"] for line in lines] == [e["workload"]["name"] for e in whole["entries"]]
    assert [(line["verdict"], line["said"]["state"]) for line in lines] == [
        ("needs-change", "decided"),
        ("needs-change", "decided"),
        ("", "retired"),
    ]


def test_records_of_before_are_summed_up_by_the_migration(record: Record) -> None:
    before = stored(record)
    connection.check_constraints()
    with connection.cursor() as cursor:  # as no queryset may: the database keeps them
        for table in triggers.SUMMED_UP:
            cursor.execute(f"{'DELETE FROM' if connection.vendor == 'sqlite' else 'TRUNCATE'} {table}")
    assert not Stored.objects.exists() and not SummaryLine.objects.exists()
    import_module("portability.reviews.migrations.0005_summaries").sum_up(apps, None)
    assert stored(record) == before


def test_the_page_asks_for_no_record_and_a_file_that_is_there_for_none(
    cast: Cast, record: Record, client_of: Callable[[Person | None], Client]
) -> None:
    client = client_of(cast.viewer)
    where = {name: reverse(f"reviews:{name}", args=["2026-Q4"]) for name in ("review", "record", "csv", "footer")}

    def long_columns(address: str, **headers: str) -> bool:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address, headers=headers).status_code in (200, 304)
        assert len(queries) <= 12
        return any(f'"reviews_record"."{name}"' in q["sql"] for name in ("text", "csv") for q in queries)

    assert not long_columns(where["review"]) and not long_columns(f"{where['review']}?team=Media&verdict=pinned&page=2")
    assert not long_columns(where["footer"])
    assert not long_columns(where["record"], **{"If-None-Match": f'"{record.digest}"'})
    assert not long_columns(where["csv"], **{"If-None-Match": f'"{record.csv_digest}"'})
    assert long_columns(where["record"]) and long_columns(where["csv"]), "or this looks for what is never there"


def test_the_length_of_a_file_is_told_before_it_is_sent(
    cast: Cast, record: Record, client_of: Callable[[Person | None], Client]
) -> None:
    client = client_of(cast.viewer)
    for name, content in (("record", record.text.encode()), ("csv", bytes(record.csv))):
        address = reverse(f"reviews:{name}", args=["2026-Q4"])
        assert client.get(address).headers["Content-Length"] == str(len(content))
        assert "Content-Length" not in client.head(address).headers
