"""A record that was signed with a product of before, as it lies in `golden/`: served as stored, reported in its words.

The two files of the record are never written anew. `report.txt` is what the report says of them; where its words are
meant to be others, write it with PORTABILITY_WRITE_GOLDEN=1, then look at `git diff`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, date, datetime
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import jsonschema
import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.reviews.models import Record, Review
from portability.reviews.record.canonical import digest
from portability.reviews.record.making import schema
from portability.reviews.report import report
from portability.reviews.report_file import report_html
from tests.conftest import Cast
from tests.reviews.making import body

pytestmark = pytest.mark.database
GOLDEN = Path(__file__).parent / "golden"
TEXT, CSV = ((GOLDEN / f"review-2026-Q4.{kind}").read_bytes() for kind in ("json", "csv"))
SIGNED = "4d682d6f858d88132eb4ead03943416be942b8bca054125335f981bdaa6e98e8"
CSV_SIGNED = "dcb4557a52a1c1f19fcec290399ce290c90a6699977176e32182c235145102cd"


@pytest.fixture
def record(cast: Cast) -> Record:
    """It, in a register in which nothing that it names is known."""
    review = Review.objects.create(
        quarter="2026-Q4",
        starts=date(2026, 10, 1),
        ends=date(2026, 12, 31),
        state=Review.State.CLOSED,
        opened_by=cast.curator,
        closed_at=datetime(2027, 1, 4, tzinfo=UTC),
        closed_by=cast.curator,
    )
    kept = Record.objects.create(
        review=review, text=TEXT.decode(), digest=digest(TEXT), csv=CSV, csv_digest=digest(CSV)
    )
    import_module("portability.reviews.migrations.0005_summaries").sum_up(apps, None)
    return kept


class Words(HTMLParser):
    """The text of the report's body, a line for each element that has some."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def handle_data(self, data: str) -> None:
        """Text between two tags."""
        self.lines += [line.strip() for line in data.splitlines() if line.strip()]


def test_it_is_what_was_signed_and_what_its_schema_says(record: Record) -> None:
    assert (record.digest, record.csv_digest) == (SIGNED, CSV_SIGNED)
    jsonschema.validate(json.loads(record.text), json.loads(schema()))


def test_it_is_served_byte_for_byte_and_shown_in_its_own_words(
    cast: Cast, record: Record, client_of: Callable[[Person | None], Client]
) -> None:
    client = client_of(cast.viewer)
    for name, content in (("record", TEXT), ("csv", CSV)):
        assert body(client.get(reverse(f"reviews:{name}", args=["2026-Q4"]))) == content
    page = client.get(reverse("reviews:review", args=["2026-Q4"])).content.decode()
    assert "by architect" in page and "Fremont Data GmbH" in page and page.count("<tr") > 6


def test_its_report_says_what_it_said(record: Record) -> None:
    words = Words()
    words.feed(report_html(report(record, [])).partition("</style>")[2])
    said = "\n".join(words.lines) + "\n"
    if os.environ.get("PORTABILITY_WRITE_GOLDEN"):
        (GOLDEN / "report.txt").write_text(said, encoding="utf-8")
    assert said == (GOLDEN / "report.txt").read_text(encoding="utf-8"), "how to write it anew: at the head of this file"
