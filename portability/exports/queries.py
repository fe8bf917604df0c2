"""Reading the exports room: a person's own files and nobody else's."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from portability.accounts.models import Person
from portability.exports.models import Export, Piece


def exports_of(person: Person) -> QuerySet[Export]:
    """The person's own, the newest first."""
    return Export.objects.filter(owner=person)


def content_of(export: Export) -> Iterator[bytes]:
    """A file's content, read a piece at a time."""
    positions = Piece.objects.filter(export=export).order_by("position").values_list("pk", flat=True)
    for pk in list(positions):
        yield bytes(Piece.objects.values_list("content", flat=True).get(pk=pk))
