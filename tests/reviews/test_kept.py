"""A record, its summary and its corrections stay as they were stored: the database itself refuses to change them."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from portability.reviews import triggers
from portability.reviews.actions import add_addendum, close
from portability.reviews.models import Addendum, Record, Review, Summary, SummaryLine
from tests.conftest import Cast
from tests.reviews.making import TODAY, decided

pytestmark = pytest.mark.database


@pytest.fixture
def signed(cast: Cast, review: Review) -> None:
    """A closed review with a correction; and SQLite's guards against deleting, which tests take away."""
    decided(cast.architect, review.entries.get())
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    add_addendum(cast.architect, review.pk, "The owner is Lena.")
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for table in (*triggers.SIGNED, *triggers.SUMMED_UP):
                cursor.execute(triggers.sqlite_of(table, "delete"))


@pytest.mark.parametrize(
    ("model", "other"),
    [
        (Record, {"digest": "0" * 64}),
        (Addendum, {"digest": "0" * 64}),
        (Summary, {"said": {}}),
        (SummaryLine, {"verdict": "movable"}),
    ],
    ids=["record", "addendum", "summary", "line of the summary"],
)
def test_no_queryset_changes_or_deletes_them(signed: None, model: Any, other: dict[str, object]) -> None:
    before = list(model.objects.values())
    assert len(before) == 1
    refused = pytest.raises(IntegrityError, match="what was signed is not changed")
    with refused, transaction.atomic():
        model.objects.update(**other)
    with refused, transaction.atomic():
        model.objects.all().delete()
    assert list(model.objects.values()) == before
