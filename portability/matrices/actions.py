"""Writing to the matrices room: what ships with the product becomes published releases."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from django.db import transaction

from portability.audit.actions import record
from portability.engine.matrices import knowledge as engine
from portability.engine.matrices import shipped
from portability.matrices.models import Cell, Release, Source

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
    """Publish these readings where they are news.

    A reading takes the place of an earlier shipped one of the same source and version, never of one that a
    person entered. The sources are written first, so that two processes starting at once go one after the other.
    """
    for source in sources:
        Source.objects.update_or_create(id=source.id, defaults=_columns(source))
    loaded = Loaded()
    for release in releases:
        _load_release(release, loaded)
    return loaded


def cells_digest(cells: Iterable[engine.Cell]) -> str:
    """What tells two readings apart: keys, values, notes and links in their order."""
    rows = [[cell.key, cell.value, cell.note, cell.link] for cell in cells]
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()


def _load_release(release: engine.Release, loaded: Loaded) -> None:
    name = f"{release.source} {release.version}".strip()
    digest = cells_digest(release.cells.values())
    readings = Release.objects.filter(source=release.source, version=release.version)
    if readings.filter(read=release.read, digest=digest).exists():
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


def _columns(source: engine.Source) -> dict[str, object]:
    return {key: value for key, value in asdict(source).items() if key != "id"}
