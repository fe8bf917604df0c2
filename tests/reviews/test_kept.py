"""A record and its corrections stay as they were stored: the database itself refuses to change them."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from portability.reviews import triggers
from portability.reviews.actions import add_addendum, close
from portability.reviews.models import Addendum, Record, Review
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
            for table in triggers.TABLES:
                cursor.execute(triggers.sqlite_of(table, "delete"))


@pytest.mark.parametrize("model", [Record, Addendum], ids=["record", "addendum"])
def test_no_queryset_changes_or_deletes_them(signed: None, model: type[Record] | type[Addendum]) -> None:
    before = list(model.objects.values())
    assert len(before) == 1
    refused = pytest.raises(IntegrityError, match="what was signed is not changed")
    with refused, transaction.atomic():
        model.objects.update(digest="0" * 64)
    with refused, transaction.atomic():
        model.objects.all().delete()
    assert list(model.objects.values()) == before
