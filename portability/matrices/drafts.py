"""What a person reads or enters by hand, until it is published: drafts, checked as a whole before any of it is kept."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from portability.accounts.models import Person
from portability.engine.errors import InputError
from portability.engine.matrices import knowledge as engine
from portability.engine.matrices.importers import cells_of, read_document
from portability.engine.matrices.importers.documents import document
from portability.engine.matrices.keys import OPERATOR, ROCM, VLLM_FEATURES, VLLM_QUANTIZATION
from portability.engine.versions import compare
from portability.matrices.comparison import in_one_order
from portability.matrices.models import Cell, Document, Release, Removal, Source
from portability.matrices.queries import base_of, knowledge, shapes

_VERSION = re.compile(r"v?[0-9]+(?:\.[0-9]+)*(?:[-+.]?[A-Za-z0-9]+)*")
_LIMITS = {name: int(getattr(Cell._meta.get_field(name), "max_length", 0)) for name in ("key", "value", "note", "link")}
# The first words of the keys that each importer gives; cells under others are from other pages, such as release notes.
READ_OFF = {
    ROCM: frozenset({"part", "os", "driver", "firmware", "framework"}),
    VLLM_FEATURES: frozenset({"hardware", "pair"}),
    VLLM_QUANTIZATION: frozenset({"hardware"}),
    OPERATOR: frozenset({"platform", "gpu"}),
}
_BY_HAND = "; cells by hand: "
_READ_BY = int(getattr(Release._meta.get_field("read_by"), "max_length", 0))
NOT_STATED = "The documents do not state it: as in the reading before."


class Refused(Exception):
    """What was asked for cannot be done; the message says why and what to do instead."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a person gives to be read: documents (name, content); the version where they do not say it."""

    source: str
    version: str
    read: date
    documents: Sequence[tuple[str, bytes]]
    link: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """A reading that is safe to keep: its version and cells. Nothing of it is stored yet."""

    version: str
    cells: tuple[engine.Cell, ...]


def read(source: Source, given: Given) -> Read:
    """What the documents say. Raises InputError or Refused: nothing of a document that is not safe is kept.

    Takes seconds for a large page: call it outside a transaction.
    """
    asked = _spelling(source, given.version)
    if not source.read_by_machine:
        for name, content in given.documents:
            document(name, content)
        return Read(_settled(source, asked), ())
    published = knowledge()
    found = read_document(source.id, given.documents, asked or None, published)
    cells = tuple(cells_of(found, published).values())
    _require_room(cells)
    return Read(_settled(source, _spelling(source, found.version)), cells)


def store(who: Person, source: Source, given: Given, said: Read) -> Release:
    """Keep a reading as a draft, in the caller's transaction.

    What stands in the present reading of the version and cannot stand in these documents comes along with its own day:
    cells entered by hand, and those of other pages. Of a source that no importer reads, all cells of the newest reading
    come along, to be gone through by hand. Cells keep the order they have: rules name the first of several.
    """
    cells = {c.key: _cell(c) for c in said.cells}
    present = base_of(source, said.version)
    if present is not None and not source.read_by_machine:
        cells = {c.key: c for c in present.cells.all()}
    elif present is not None and present.version == said.version:
        there = {c.key: c for c in present.cells.all()}
        cells = {**{key: _kept(c, present) for key, c in there.items() if _is_from_elsewhere(source, c)}, **cells}
        order = in_one_order([key for key in there if key in cells], list(cells))
        cells = {key: cells[key] for key in order}
    draft = Release(source=source, version=said.version, read=given.read, read_by=who.get_username(), link=given.link)
    _write(draft, cells.values())
    Document.objects.bulk_create(
        Document(
            release=draft,
            position=position,
            name=name,
            content=content,
            size=len(content),
            digest=hashlib.sha256(content).hexdigest(),
        )
        for position, (name, content) in enumerate(given.documents)
    )
    return draft


def same_draft(who: Person, given: Given, said: Read) -> Release | None:
    """A draft of this person from the same documents: a form sent twice makes one."""
    digests = [hashlib.sha256(content).hexdigest() for _, content in given.documents]
    drafts = Release.objects.filter(source=given.source, state=Release.State.DRAFT, read=given.read)
    for draft in drafts.filter(version=said.version, read_by=who.get_username(), link=given.link):
        if list(draft.documents.values_list("digest", flat=True)) == digests:
            return draft
    return None


def begun_copy(who: Person, release: Release) -> Release | None:
    """This person's draft of cells by hand for a published reading: those entered one after the other go together."""
    drafts = Release.objects.filter(source=release.source, version=release.version, state=Release.State.DRAFT)
    return drafts.filter(read=release.read, read_by=_with_cells_by(who, release), documents=None).first()


def copy_of(who: Person, release: Release) -> Release:
    """A draft with all cells of a published reading, of the same day: one cell by hand makes the others no newer."""
    draft = Release(
        source=release.source,
        version=release.version,
        read=release.read,
        read_by=_with_cells_by(who, release),
        link=release.link,
    )
    _write(draft, release.cells.all())
    for removal in release.removals.all():
        removal.pk, removal.release = None, draft
        removal.save()
    return draft


def _with_cells_by(who: Person, release: Release) -> str:
    """Who read it, and who entered cells into it last: each cell says by whom it is."""
    reader = release.read_by.partition(_BY_HAND)[0]
    return f"{reader}{_BY_HAND}{who.get_username()}"[:_READ_BY]


def by_person(draft: Release) -> bool:
    """Whether a person has to read this draft's document: no importer did, and all its cells count as of its day.

    A copy for a few cells by hand keeps the day of the reading it is of.
    """
    return not draft.source.read_by_machine and _BY_HAND not in draft.read_by


def put(draft: Release, cell: Cell) -> None:
    """Enter a cell into a draft, in the place of the one of the same key or after all others."""
    before = draft.cells.filter(key=cell.key).first()
    cell.release = draft
    if before is not None:
        cell.pk, cell.position = before.pk, before.position
    else:
        last = draft.cells.order_by("-position").first()
        cell.position = last.position + 1 if last else 0
    cell.save()
    seal(draft)


def take_out(draft: Release, cell: Cell, removal: Removal) -> None:
    """Remove a cell of a draft, and keep what it said with who removed it and why."""
    removal.release, removal.key, removal.value, removal.removed = draft, cell.key, cell.value, timezone.localdate()
    cell.delete()
    removal.save()
    seal(draft)


def seal(draft: Release) -> None:
    """Work out the digest of what a draft holds now."""
    draft.digest = cells_digest(draft.cells.order_by("position"))
    draft.save(update_fields=["digest"])


def cells_digest(cells: Iterable[engine.Cell | Cell]) -> str:
    """What tells two readings apart: keys, values, notes and links in their order."""
    rows = [[cell.key, cell.value, cell.note, cell.link] for cell in cells]
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()


def require_known_kind(source: Source, key: str) -> None:
    """Refuse a key that is like none of the source: a rule would never ask for it."""
    known = shapes(source)
    word, *rest = key.split("/")
    if known and (word, len(rest)) not in known:
        alike = "; ".join(sorted({example for (_, _), example in known.items()}))
        raise Refused(f"No key of this source is like {key}. It has keys such as {alike}.")


def _write(draft: Release, cells: Iterable[Cell]) -> None:
    kept = list(cells)
    draft.digest = cells_digest(kept)
    draft.save()
    for position, cell in enumerate(kept):
        cell.pk, cell.release, cell.position = None, draft, position
        cell._state.adding = True
    Cell.objects.bulk_create(kept)


def _is_from_elsewhere(source: Source, cell: Cell) -> bool:
    """Whether no document of the source states such a cell."""
    return bool(cell.entered_by) or cell.key.partition("/")[0] not in READ_OFF[source.id]


def _kept(cell: Cell, present: Release) -> Cell:
    """A cell of the present reading as it comes along, with the day it was read and who read it."""
    if not cell.entered_by:
        cell.entered, cell.entered_by, cell.reason = present.read, present.read_by, NOT_STATED
    return cell


def _cell(cell: engine.Cell) -> Cell:
    return Cell(key=cell.key, value=cell.value, note=cell.note, link=cell.link)


def _spelling(source: Source, version: str) -> str:
    """A version as the source's readings spell it: 7.14 is 7.14.0 where that is how it was read."""
    given = version.strip()
    if given and not _VERSION.fullmatch(given):
        raise Refused(f"“{given[:40]}” is no version such as 7.14.0.")
    given = given.removeprefix("v")
    same = (known for known in _versions(source) if known and given and compare(known, given) == 0)
    return next(same, given)


def _settled(source: Source, version: str) -> str:
    """Refuse a version where the source's readings have none, and none where they have one: it would never answer."""
    known = _versions(source)
    if version and "" in known:
        raise Refused(
            "This page is read without versions, and what rests on it asks for none: leave the version empty."
        )
    if not version and known and "" not in known:
        raise Refused(f"Say which version the documents describe, such as {sorted(known, key=len)[-1]}.")
    return version


def _versions(source: Source) -> set[str]:
    return set(source.releases.exclude(state=Release.State.DRAFT).values_list("version", flat=True))


def _require_room(cells: Iterable[engine.Cell]) -> None:
    for cell in cells:
        said: Mapping[str, str] = {"key": cell.key, "value": cell.value, "note": cell.note, "link": cell.link}
        for name, limit in _LIMITS.items():
            if len(said[name]) > limit:
                raise InputError(
                    "", 0, f"{cell.key[:80]}: its {name} has {len(said[name])} characters, at most {limit}"
                )
