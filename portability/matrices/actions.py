"""Writing to the matrices room: what ships is loaded, what people read becomes a draft and is published."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.engine.matrices import knowledge as engine
from portability.engine.matrices import shipped
from portability.matrices import drafts
from portability.matrices.drafts import Given, Refused, cells_digest
from portability.matrices.effects import stale_pairs
from portability.matrices.models import Cell, Release, Removal, Source
from portability.matrices.queries import published_reading
from portability.matrices.sources import take_shipped
from portability.register import subjects
from portability.register.actions import start_run
from portability.register.models import Run
from portability.rules.locking import one_at_a_time

SHIPPED = "shipped with the product"


@dataclass(slots=True)
class Loaded:
    """What a load did. Each entry names a reading: `rocm-compatibility-matrix 7.14.0`."""

    published: list[str] = field(default_factory=list)
    superseded: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # a person's reading stands, the shipped one was not loaded


def load_shipped() -> Loaded:
    """Bring sources, releases and cells that ship with the product into the database. A second load changes nothing."""
    return load(shipped.sources(), shipped.releases())


@transaction.atomic
def load(sources: Iterable[engine.Source], releases: Iterable[engine.Release]) -> Loaded:
    """Publish these readings where they are news, and take what is news of the sources where no person edited it.

    A reading takes the place of an earlier shipped one of the same source and version, never of one that a
    person entered. The sources are written first, so that two processes starting at once go one after the other.
    """
    one_at_a_time()
    for source in sources:
        take_shipped(source)
    loaded = Loaded()
    for release in releases:
        _load_release(release, loaded)
    return loaded


class Conflict(Exception):
    """Someone else was quicker; the message says what they did. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class CellValues:
    """A cell that a person enters, checked by the form. `link`: where it says so."""

    key: str
    value: str
    reason: str
    link: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """A release in force, the one whose place it took, and the run that judges again what rests on the difference."""

    release: Release
    superseded: Release | None
    run: Run | None


def may_write(person: Person) -> bool:
    """Whether the person reads documents, enters cells and publishes."""
    return person.curator or person.administrator


def read_draft(who: Person, given: Given) -> Release:
    """Keep a reading as a draft, with its documents. The same sent twice makes one.

    Raises InputError or Refused where it cannot be read safely as a whole: then nothing of it is kept.
    """
    _require_writer(who)
    source = Source.objects.get(pk=given.source)
    if given.read > timezone.localdate():
        raise Refused("The day it was read lies in the future.")
    said = drafts.read(source, given)
    with transaction.atomic():
        _lock(source.pk)
        if (begun := drafts.same_draft(who, given, said)) is not None:
            return begun
        draft = drafts.store(who, source, given, said)
        _record_draft(who, draft)
    return draft


@transaction.atomic
def enter_cell(who: Person, pk: int, values: CellValues) -> Release:
    """Enter a cell by hand into a draft; for a published release, into a draft that differs from it in that cell."""
    _require_writer(who)
    release = _locked(pk)
    drafts.require_known_kind(release.source, values.key)
    draft = _draft_of(who, release)
    before = draft.cells.filter(key=values.key).first()
    draft.removals.filter(key=values.key).delete()
    cell = Cell(**asdict(values), entered=timezone.localdate(), entered_by=who.get_username())
    drafts.put(draft, cell)
    said: dict[str, Any] = {"key": values.key, "value": values.value, "reason": values.reason, "link": values.link}
    record(who, "matrix.cell", draft, before=before.value if before else None, **said)
    return draft


@transaction.atomic
def remove_cell(who: Person, pk: int, key: str, *, reason: str, link: str = "") -> Release:
    """Take a cell out of a draft by hand; of a published release, in a draft that differs from it in that cell."""
    _require_writer(who)
    draft = _draft_of(who, _locked(pk))
    cell = draft.cells.filter(key=key).first()
    if cell is None:
        raise Refused(f"There is no cell {key} in it.")
    drafts.take_out(draft, cell, Removal(reason=reason, link=link, removed_by=who.get_username()))
    record(who, "matrix.cell-removed", draft, key=key, before=cell.value, reason=reason, link=link)
    return draft


@transaction.atomic
def discard(who: Person, pk: int) -> str:
    """Throw a draft away with its documents; what the audit trail says of it stays. What it was, in words."""
    _require_writer(who)
    draft = _draft(pk)
    name = str(draft)
    record(who, "matrix.discarded", name, read=draft.read.isoformat(), cells=draft.cells.count())
    draft.delete()
    return name


@transaction.atomic
def publish(who: Person, pk: int, *, digest: str, instead_of: int | None, gone_through: bool = False) -> Published:
    """Put a draft in force, and judge again what consulted a cell that differs, missing ones included.

    `digest` and `instead_of` (the published reading of the same version) are what the person has seen: where either
    is another by now, someone was quicker, and Conflict says so. `gone_through`: the person has read the document of a
    source that the product does not read, without which its cells are those of the reading before.
    """
    _require_writer(who)
    one_at_a_time()
    draft = _draft(pk)
    present = published_reading(draft.source, draft.version)
    if (present.pk if present else None) != instead_of:
        by = f" by {present.published_by}" if present and present.published_by else ""
        raise Conflict(f"Another reading of {draft} was published{by} in the meantime: this is compared with it now.")
    if draft.digest != digest:
        raise Conflict("Cells of this draft were changed in the meantime: below is what it holds now.")
    if not draft.cells.exists():
        raise Refused("A draft without any cell says nothing. Enter its cells first.")
    if present and present.read > draft.read:
        raise Refused(f"The published reading is of {_day(present)}, later than this one. Discard this draft.")
    by_person = drafts.by_person(draft)
    if by_person and not gone_through:
        raise Refused(
            f"The product does not read {draft.source.title}. Go through the document, enter the cells that differ, and"
            " say by the box that you have."
        )
    if present:
        present.state = Release.State.SUPERSEDED
        present.save(update_fields=["state"])
    draft.state, draft.published_at, draft.published_by = Release.State.PUBLISHED, timezone.now(), who
    draft.save(update_fields=["state", "published_at", "published_by"])
    said = ({"supersedes": present.pk} if present else {}) | ({"gone_through": True} if by_person else {})
    record(who, "matrix.published", draft, read=draft.read.isoformat(), cells=draft.cells.count(), **said)
    about = f"{draft}, read {_day(draft)}, was published"
    subject = subjects.release(draft.pk)
    run = start_run(cause="matrix", about=about, pairs=stale_pairs(), who=who, subject=subject)
    return Published(draft, present, run)


def _draft_of(who: Person, release: Release) -> Release:
    """The draft itself; for a published reading the draft of this person that began as a copy of it."""
    if release.state == Release.State.SUPERSEDED:
        raise Refused("This reading is superseded. Change the one that is published.")
    if release.state == Release.State.DRAFT:
        return release
    return drafts.begun_copy(who, release) or _copied(who, release)


def _copied(who: Person, release: Release) -> Release:
    draft = drafts.copy_of(who, release)
    _record_draft(who, draft)
    return draft


def _record_draft(who: Person, draft: Release) -> None:
    documents = [list(each) for each in draft.documents.values_list("name", "digest")]
    read = draft.read.isoformat()
    record(who, "matrix.draft", draft, read=read, cells=draft.cells.count(), documents=documents, link=draft.link)


def _lock(source: str) -> None:
    """Whoever writes readings of a source at the same time waits."""
    Source.objects.select_for_update().get(pk=source)


def _locked(pk: int) -> Release:
    """A release as it is once nobody else writes to its source."""
    found = Release.objects.filter(pk=pk).values_list("source", flat=True).first()
    if found is not None:
        _lock(found)
    release = Release.objects.select_related("source").filter(pk=pk).first()
    if release is None:
        raise Conflict("This draft was discarded in the meantime.")
    return release


def _draft(pk: int) -> Release:
    release = _locked(pk)
    if release.state != Release.State.DRAFT:
        by = f" by {release.published_by}" if release.published_by else ""
        raise Conflict(
            f"{release}, read {_day(release)}, was published{by} in the meantime. Nothing of yours was done."
        )
    return release


def _day(release: Release) -> str:
    return date_format(release.read, "j F Y")


def _require_writer(who: Person) -> None:
    if not may_write(who):
        raise PermissionDenied("Only curators and administrators read, enter and publish matrices.")


def _load_release(release: engine.Release, loaded: Loaded) -> None:
    name = f"{release.source} {release.version}".strip()
    digest = cells_digest(release.cells.values())
    readings = Release.objects.filter(source=release.source, version=release.version)
    if readings.exclude(state=Release.State.DRAFT).filter(read=release.read, digest=digest).exists():
        return
    current = readings.filter(state=Release.State.PUBLISHED).first()
    if current and (current.read_by != SHIPPED or current.read > release.read):
        loaded.kept.append(name)
        return
    if current:
        current.state = Release.State.SUPERSEDED
        current.save(update_fields=["state"])
        loaded.superseded.append(name)
    stored = Release.objects.create(
        source_id=release.source,
        version=release.version,
        state=Release.State.PUBLISHED,
        read=release.read,
        read_by=SHIPPED,
        digest=digest,
    )
    Cell.objects.bulk_create(
        Cell(release=stored, position=position, key=c.key, value=c.value, note=c.note, link=c.link)
        for position, c in enumerate(release.cells.values())
    )
    loaded.published.append(name)
    record(None, "matrix.published", name, read=release.read.isoformat(), cells=len(release.cells))
