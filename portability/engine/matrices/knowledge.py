"""Releases of standing sources, and the ledger through which a rule reads them.

A rule never opens a release itself: it asks the ledger, which remembers every question put, answered or
not. What an assessment consulted is how the register later knows that a new release makes it stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import NamedTuple

from portability.engine.model import Consulted, Evidence, ReleaseRef
from portability.engine.versions import nearest, newest

NEWEST = "newest"
# Asked for as keys: the version read that is nearest to one that was not, and whether a page still stands.
NEAREST = "*nearest"
STATUS = "*status"


@dataclass(frozen=True, slots=True)
class Source:
    """A published page. `status`: current, moved or retired. `due_days`: read again after so many days.

    `due`: a day on which it is to be read again instead, until it was read on that day or later.
    """

    id: str
    title: str
    url: str
    purpose: str
    status: str = "current"
    status_note: str = ""
    due_days: int | None = 90
    due: date | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One fact of a release. `value` is text: supported, partial, unsupported, unknown, or what the key says.

    `read`: the day of this cell, where it is another than the release's, as of one that a person entered by hand.
    """

    key: str
    value: str
    note: str = ""
    link: str = ""
    read: date | None = None


@dataclass(frozen=True)
class Release:
    """One reading of a source for one version of what it describes ("" where the page has no versions)."""

    source: str
    version: str
    read: date
    cells: Mapping[str, Cell] = field(default_factory=dict)

    @cached_property
    def reference(self) -> ReleaseRef:
        """The release without what it says."""
        return ReleaseRef(self.source, self.version, self.read)


class Knowledge:
    """The published releases of all sources. Immutable once built; safe to share between threads."""

    def __init__(self, sources: Iterable[Source], releases: Iterable[Release]) -> None:
        self.sources: dict[str, Source] = {source.id: source for source in sources}
        self._releases: dict[tuple[str, str], Release] = {(r.source, r.version): r for r in releases}
        self._by_prefix: dict[tuple[str, str], dict[str, list[Cell]]] = {}

    def releases(self, source: str | None = None) -> list[Release]:
        """All releases, or those of one source, in a stable order."""
        found = [r for r in self._releases.values() if source is None or r.source == source]
        return sorted(found, key=lambda r: (r.source, r.version))

    def versions(self, source: str) -> list[str]:
        """The versions of a source that were read."""
        return [r.version for r in self.releases(source)]

    def nearest(self, source: str, version: str) -> str | None:
        """The version read that is nearest to one that was not; None where none was."""
        return nearest(version, self.versions(source))

    def release(self, source: str, version: str = "") -> Release | None:
        """The release for a version; `newest` follows the newest one; "" the only one of an unversioned source."""
        found = self._releases.get((source, version))
        return self._newest.get(source) if found is None and version in ("", NEWEST) else found

    @cached_property
    def _newest(self) -> dict[str, Release]:
        best = {source: newest(self.versions(source)) for source, _ in self._releases}
        return {source: self._releases[(source, version)] for source, version in best.items() if version is not None}

    def under(self, release: Release, prefix: str) -> list[Cell]:
        """The cells of one of these releases under a prefix that ends in a slash, in the order of the release."""
        known = self._by_prefix.get((release.source, release.version))
        if known is None:
            known = self._by_prefix[(release.source, release.version)] = _by_prefix(release.cells.values())
        return known.get(prefix, [])


class Asked(NamedTuple):
    """What was asked of the knowledge, and the releases that answered."""

    consulted: frozenset[Consulted]
    releases: frozenset[ReleaseRef]


class Ledger:
    """The knowledge as one assessment sees it. Records every question, missing answers included."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.consulted: set[Consulted] = set()
        self._answered: dict[tuple[str, str], Release | None] = {}
        self._repeated: set[ReleaseRef] = set()

    @property
    def releases(self) -> set[ReleaseRef]:
        """The releases that answered."""
        return self._repeated.union([release.reference for release in self._answered.values() if release is not None])

    @property
    def asked(self) -> Asked:
        """All that was asked so far."""
        return Asked(frozenset(self.consulted), frozenset(self.releases))

    def repeat(self, asked: Asked) -> None:
        """Record what was asked when an answer was worked out that is used again."""
        self.consulted |= asked.consulted
        self._repeated |= asked.releases

    def release(self, source: str, version: str = "") -> Release | None:
        """The release that answers for this version, or None where none was read. Recorded as key `*release`."""
        self.consulted.add(Consulted(source, version, "*release"))
        return self._ask(source, version)

    def nearest(self, source: str, version: str) -> str | None:
        """The version read that is nearest to one that was not; None where none was. Recorded as key `*nearest`."""
        self.consulted.add(Consulted(source, version, NEAREST))
        return self.knowledge.nearest(source, version)

    def page(self, source: str) -> Source | None:
        """The page, to say whether it still stands; None where it is not known. Recorded as key `*status`."""
        self.consulted.add(Consulted(source, "", STATUS))
        return self.knowledge.sources.get(source)

    def cell(self, source: str, key: str, version: str = "") -> Cell | None:
        """One cell; None where the release does not hold the key, or no release was read."""
        self.consulted.add(Consulted(source, version, key))
        found = self._ask(source, version)
        return found.cells.get(key) if found else None

    def cells(self, source: str, prefix: str, version: str = "") -> list[Cell]:
        """All cells under a prefix that ends in a slash, in the order of the release. Recorded as `prefix*`."""
        self.consulted.add(Consulted(source, version, prefix + "*"))
        found = self._ask(source, version)
        return list(self.knowledge.under(found, prefix)) if found else []

    def evidence(self, source: str, cell: Cell | str, version: str = "", value: str = "") -> Evidence:
        """A cell (or the key of a missing one, with a word for its value) as evidence of a finding."""
        found = self.knowledge.release(source, version)
        page = self.knowledge.sources.get(source)
        url = page.url if page else ""
        read = found.read if found else None
        shown = found.version if found else version
        if isinstance(cell, Cell):
            return Evidence(source, shown, cell.read or read, cell.key, value or cell.value, cell.link or url)
        return Evidence(source, shown, read, cell, value or "not listed", url)

    def _ask(self, source: str, version: str) -> Release | None:
        key = (source, version)
        if key not in self._answered:
            self._answered[key] = self.knowledge.release(source, version)
        return self._answered[key]


def _by_prefix(cells: Iterable[Cell]) -> dict[str, list[Cell]]:
    """The cells under each part of a key that ends in a slash."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        end = cell.key.find("/")
        while end >= 0:
            found.setdefault(cell.key[: end + 1], []).append(cell)
            end = cell.key.find("/", end + 1)
    return found
