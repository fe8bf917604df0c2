"""Keeping the organisation's column mappings."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.exports.mappings import MOST_COLUMNS, Mapped, named, shipped
from portability.exports.models import ColumnMapping
from portability.refused import Refused

SLUG_LENGTH = 80


class Conflict(Exception):
    """Someone else changed the mapping since the page was opened. `now` is what it is."""

    def __init__(self, now: ColumnMapping) -> None:
        super().__init__(f"{now.name} was changed by {now.changed_by_name} in the meantime")
        self.now = now


def may_edit(person: Person) -> bool:
    """Whether the person keeps mappings: as an architect or an administrator."""
    return person.architect or person.administrator


def add(who: Person, name: str, note: str, columns: Sequence[Mapped]) -> ColumnMapping:
    """A new mapping, which everyone may use."""
    _require(who)
    _require_sound(columns)
    slug = slugify(name)[:SLUG_LENGTH]
    if not slug:
        raise Refused("The name needs at least one letter from a to z or a digit: it is part of addresses.", "name")
    if slug in shipped() or ColumnMapping.objects.filter(name__iexact=name).exists():
        raise _taken(name)
    try:
        with transaction.atomic():
            stored = ColumnMapping.objects.create(
                slug=slug,
                name=name,
                note=note,
                columns=[column.to_json() for column in columns],
                changed_by_name=who.get_username(),
            )
            record(who, "mapping.added", name, columns=[column.heading for column in columns])
    except IntegrityError:
        raise _taken(name) from None
    return stored


def save(who: Person, slug: str, version: int, name: str, note: str, columns: Sequence[Mapped]) -> ColumnMapping:
    """Change a mapping that still has this version. Its name in addresses stays. Nothing changed is nothing saved."""
    _require(who)
    _require_sound(columns)
    try:
        with transaction.atomic():
            stored = ColumnMapping.objects.select_for_update().get(slug=slug)
            before = named(stored)
            if stored.version != version:
                raise Conflict(stored)
            if (before.name, before.note, list(before.columns)) == (name, note, list(columns)):
                return stored
            if ColumnMapping.objects.filter(name__iexact=name).exclude(pk=stored.pk).exists():
                raise _taken(name)
            stored.name, stored.note, stored.version = name, note, version + 1
            stored.columns = [column.to_json() for column in columns]
            stored.changed_by_name = who.get_username()
            stored.save()
            was, now = {c.heading for c in before.columns}, {c.heading for c in columns}
            record(who, "mapping.saved", name, before=before.name, added=sorted(now - was), removed=sorted(was - now))
    except IntegrityError:
        raise _taken(name) from None
    return stored


@transaction.atomic
def delete(who: Person, slug: str) -> None:
    """Delete one of the organisation's own. Those that ship are in a file and cannot be deleted."""
    _require(who)
    stored = ColumnMapping.objects.select_for_update().get(slug=slug)
    record(who, "mapping.deleted", stored.name, columns=[c["heading"] for c in stored.columns])
    stored.delete()


def _require(who: Person) -> None:
    if not may_edit(who):
        raise PermissionDenied("Only architects and administrators keep column mappings.")


def _require_sound(columns: Sequence[Mapped]) -> None:
    """What the form has asked of each column is asked of all together here."""
    if not columns:
        raise Refused("Choose at least one column.")
    if len(columns) > MOST_COLUMNS:
        raise Refused(f"A mapping has {MOST_COLUMNS} columns at most.")
    seen: set[str] = set()
    for column in columns:
        if column.gone:
            raise Refused(f"The register has no column “{column.source}”. Choose another one for {column.heading}.")
        if column.heading.casefold() in seen:
            raise Refused(f"Two columns are called {column.heading}. Name one of them otherwise.")
        seen.add(column.heading.casefold())


def _taken(name: str) -> Refused:
    return Refused(f"There is already a mapping called {name}, or one whose name differs in signs only.", "name")
