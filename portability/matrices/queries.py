"""Reading the matrices room: the published knowledge as the engine wants it, and what the pages list."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, FilteredRelation, Prefetch, Q, QuerySet
from django.urls import reverse

from portability.engine.matrices import knowledge as engine
from portability.engine.overdue import days_past
from portability.engine.overdue import due_on as engine_due_on
from portability.engine.versions import components
from portability.matrices.models import Cell, Document, Look, Release, Source

_SAID = ("key", "value", "note", "link", "entered")  # as `engine.Cell` takes them
_cached: tuple[tuple[Any, ...], engine.Knowledge] | None = None
_building = threading.Lock()


def knowledge() -> engine.Knowledge:
    """The published releases of all sources, kept for the life of the process.

    One small query tells whether the published set or a source is another than last time; only then are
    the cells read again. The knowledge itself is immutable, so that threads share it.
    """
    global _cached
    stamp = _stamp()
    if _cached is None or _cached[0] != stamp:
        with _building:
            if _cached is None or _cached[0] != stamp:
                _cached = (stamp, _read())
    return _cached[1]


def _stamp() -> tuple[Any, ...]:
    """Every source with its published readings: differs whenever the knowledge would."""
    rows = Source.objects.annotate(
        published=FilteredRelation("releases", condition=Q(releases__state=Release.State.PUBLISHED))
    )
    columns = ("id", "title", "url", "purpose", "status", "status_note", "due_days", "due")
    return tuple(rows.order_by("id", "published__id").values_list(*columns, "published__id", "published__digest"))


def _read() -> engine.Knowledge:
    cells: dict[int, dict[str, engine.Cell]] = {}
    published = Cell.objects.filter(release__state=Release.State.PUBLISHED).order_by("release_id", "position")
    for release_id, *said in published.values_list("release_id", *_SAID):
        cells.setdefault(release_id, {})[said[0]] = engine.Cell(*said)
    releases = [
        engine.Release(row.source_id, row.version, row.read, cells.get(row.pk, {}))
        for row in Release.objects.filter(state=Release.State.PUBLISHED)
    ]
    return engine.Knowledge((engine_source(source) for source in Source.objects.all()), releases)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the list of sources: a published reading, or a source that was never read."""

    source: Source
    release: Release | None
    first: bool  # of its source
    due: date | None  # when it is to be read again
    overdue: int  # days past that, on the day asked for
    look: Look | None  # what was found when the page was last looked at
    age: int | None  # days since it was read


def lines(today: date) -> list[Line]:
    """Every source with its published readings, the newest version first."""
    listed = []
    for source in Source.objects.select_related("look").prefetch_related(
        Prefetch("releases", _published(), "readings")
    ):
        readings: list[Release | None] = [*in_order(source.readings)] or [None]
        found = look_at(source, source.readings)
        for position, release in enumerate(readings):
            due, overdue = due_on(source, release, today)
            age = (today - release.read).days if release else None
            listed.append(Line(source, release, position == 0, due, overdue, found, age))
    return listed


def due_on(source: Source, release: Release | None, today: date) -> tuple[date | None, int]:
    """When a reading is to be repeated, and by how many days that is past."""
    due = engine_due_on(engine_source(source), release.read) if release else None
    return due, days_past(due, today)


def in_order(releases: Iterable[Release]) -> list[Release]:
    """Readings with the newest version first, compared by components."""
    return sorted(releases, key=lambda release: components(release.version), reverse=True)


def newest_reading(readings: Iterable[Release]) -> Release | None:
    """The published reading that was made last, whatever its version: a page shows what is current."""
    return max(readings, key=lambda release: (release.read, release.pk), default=None)


def look_at(source: Source, readings: Iterable[Release]) -> Look | None:
    """What was found when the page of a source was last looked at, as far as a newer reading has not answered it."""
    found: Look | None = getattr(source, "look", None)
    newest = newest_reading(readings)
    if found is None or source.status != "current":
        return None
    if found.found == Look.Found.CHANGED and found.reading_id != (newest.pk if newest else None):
        return None
    return found


def published_of(source: Source) -> list[Release]:
    """The published readings of a source, the newest version first."""
    return in_order(_published().filter(source=source))


def drafts() -> QuerySet[Release]:
    """Readings that nobody has published or discarded yet, the newest first."""
    found = Release.objects.filter(state=Release.State.DRAFT).select_related("source")
    return found.annotate(cell_count=Count("cells")).order_by("-created_at", "-pk")


@dataclass(frozen=True, slots=True)
class Standing:
    """One reading of a source, and when it is to be repeated while it is in force."""

    release: Release
    due: date | None
    overdue: int


def readings_of(source: Source, today: date) -> list[Standing]:
    """All readings of a source: the newest version first, and of one version the newest reading first."""
    found = source.releases.select_related("published_by").annotate(cell_count=Count("cells"))
    listed = in_order(found.order_by("-read", "-pk"))
    states = [(r, r.state == Release.State.PUBLISHED) for r in listed]
    return [Standing(r, *(due_on(source, r, today) if in_force else (None, 0))) for r, in_force in states]


def documents_of(release: Release) -> QuerySet[Document]:
    """The documents of a reading, without their content."""
    return release.documents.defer("content")


def by_hand(release: Release) -> QuerySet[Cell]:
    """The cells of a reading that its documents do not state: entered by a person, or from an earlier reading."""
    return release.cells.exclude(entered_by="")


def published_reading(source: Source, version: str) -> Release | None:
    """The reading of this version that is in force."""
    found = Release.objects.filter(source=source, version=version, state=Release.State.PUBLISHED)
    return found.select_related("source", "published_by").first()


def reading_pages() -> dict[tuple[str, str, date | None], str]:
    """The product's page of each reading that was in force, by source, version and day.

    Of two of one day, the one in force or else the later. Without a day: of any, for cells entered by hand have their
    own.
    """
    kept = Release.objects.exclude(state=Release.State.DRAFT).annotate(present=Q(state=Release.State.PUBLISHED))
    found = kept.order_by("present", "pk").values_list("source", "version", "read", "pk")
    pages: dict[tuple[str, str, date | None], str] = {}
    for source, version, read, pk in found:
        pages[source, version, read] = pages[source, version, None] = reverse("matrices:release", args=[pk])
    return pages


def base_of(source: Source, version: str) -> Release | None:
    """What a draft is compared with: the reading it would supersede, or for a new version the newest published."""
    return published_reading(source, version) or next(iter(published_of(source)), None)


def shapes(source: Source) -> dict[tuple[str, int], str]:
    """The kinds of keys that a source's readings hold, first word and how many follow, each with one of that kind."""
    keys = Cell.objects.filter(release__source=source).exclude(release__state=Release.State.DRAFT)
    found: dict[tuple[str, int], str] = {}
    for key in keys.order_by("key").values_list("key", flat=True).distinct():
        word, *rest = key.split("/")
        found.setdefault((word, len(rest)), key)
    return found


def engine_release(release: Release) -> engine.Release:
    """A stored reading with its cells, published or not, as the engine's value."""
    cells = release.cells.order_by("position").values_list(*_SAID)
    return engine.Release(
        release.source_id, release.version, release.read, {cell[0]: engine.Cell(*cell) for cell in cells}
    )


def families(published: engine.Knowledge) -> dict[str, str]:
    """The family of each LLVM target, as far as the parts of the shipped selector tell."""
    release = published.release("gpu-parts")
    cells = release.cells if release else {}
    targets = {key.split("/")[1]: cell.value for key, cell in cells.items() if key.endswith("/gfx")}
    return {gfx: cells[f"part/{part}/family"].value for part, gfx in targets.items() if f"part/{part}/family" in cells}


def _published() -> QuerySet[Release]:
    return Release.objects.filter(state=Release.State.PUBLISHED).annotate(cell_count=Count("cells"))


def engine_source(source: Source) -> engine.Source:
    """A stored source as the engine's value."""
    return engine.Source(
        id=source.id,
        title=source.title,
        url=source.url,
        purpose=source.purpose,
        status=source.status,
        status_note=source.status_note,
        due_days=source.due_days,
        due=source.due,
    )
