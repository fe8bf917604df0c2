"""Writing of sources: what ships of them, what people edit, and sources of an organisation's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.text import slugify

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.engine.matrices import knowledge as engine
from portability.matrices.drafts import Refused
from portability.matrices.effects import stale_pairs
from portability.matrices.models import Source
from portability.register import subjects
from portability.register.actions import start_run
from portability.register.models import Run
from portability.rules.locking import one_at_a_time

SHIPPED = {  # what ships of a source, by field, and how the pages call it
    "title": "title",
    "url": "address",
    "purpose": "purpose",
    "status": "status",
    "status_note": "status note",
    "due_days": "due after days",
}
_JUDGED = {"status", "status_note"}  # what findings say of a source


@dataclass(frozen=True, slots=True)
class Said:
    """What a person says of a source, checked by the form. `title` None: as it is."""

    url: str
    purpose: str
    status: str
    status_note: str
    due_days: int | None
    due: date | None
    title: str | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """By the name of the column."""
        return {name: value for name, value in asdict(self).items() if name != "title" or value is not None}


class Edited(Exception):
    """Someone else edited the source since the person opened it. Nothing was changed. `source` is what it is now."""

    def __init__(self, source: Source) -> None:
        super().__init__(f"{source} was edited by someone else in the meantime.")
        self.source = source


def take_shipped(source: engine.Source) -> None:
    """Bring what ships of a source into the database; a field that a person edited stays as they left it."""
    said = {name: getattr(source, name) for name in SHIPPED}
    _, created = Source.objects.get_or_create(id=source.id, defaults={**said, "shipped": said})
    found = Source.objects.select_for_update().get(id=source.id)
    if created or found.shipped == said:
        return
    for name, value in said.items():
        if not found.added_by and getattr(found, name) == found.shipped.get(name, getattr(found, name)):
            setattr(found, name, value)
    found.shipped = said
    found.save()


@transaction.atomic
def add_source(who: Person, said: Said) -> Source:
    """A source of one's own: its cells are entered by hand."""
    _require_keeper(who)
    one_at_a_time()  # or two at once would both find the title free
    title = (said.title or "").strip()
    if Source.objects.filter(title__iexact=title).exists():
        raise Refused(f"There is a source “{title}” already.")
    pk = slugify(title)[:60].strip("-")
    if not pk or Source.objects.filter(pk=pk).exists():
        raise Refused(f"No address can be made of “{title}”, or another source has it: give it another title.")
    source = Source.objects.create(id=pk, added_by=who.get_username(), **{**said.fields, "title": title})
    record(who, "source.added", source, **_values(source, said.fields))
    return source


@transaction.atomic
def edit_source(who: Person, pk: str, version: int, said: Said) -> tuple[Source, Run | None]:
    """Change a source that still has this version. Saving what is there already changes nothing.

    Where findings say otherwise by it, what rests on it is judged again.
    """
    _require_keeper(who)
    one_at_a_time()
    source = Source.objects.select_for_update().get(pk=pk)
    if source.version != version:
        raise Edited(source)
    before = _values(source, said.fields)
    for name, value in said.fields.items():
        setattr(source, name, value)
    after = _values(source, said.fields)
    changed = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
    if not changed:
        return source, None
    source.version += 1
    source.save()
    record(who, "source.edited", source, **changed)
    if not changed.keys() & _JUDGED:
        return source, None
    about = f"{source} was said to be {source.status}"
    subject = subjects.source(source.pk)
    return source, start_run(cause="matrix", about=about, pairs=stale_pairs(), who=who, subject=subject)


def edited(source: Source) -> dict[str, str]:
    """What the product ships otherwise than it stands here, by field: a person edited these. "" for nothing."""
    differing = {name: value for name, value in source.shipped.items() if getattr(source, name) != value}
    return {name: "" if value is None else str(value) for name, value in differing.items()}


def _values(source: Source, names: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: getattr(source, name) for name in names}
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in found.items()}


def _require_keeper(who: Person) -> None:
    if not (who.curator or who.administrator):
        raise PermissionDenied("Only curators and administrators keep the list of sources.")
