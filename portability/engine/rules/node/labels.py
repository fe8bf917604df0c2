"""Node labels as selectors state them: at once, or the key and each value of an expression apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from portability.engine.model import Effect, Finding, Site, SiteKind, Vendor
from portability.engine.rules.base import Context, Ground, Said
from portability.engine.vendor_rows.rows import Row, Table

JudgeChoice = Callable[[Ground, Said, Row | None], Iterable[Finding]]


def avoided(said: Said) -> Effect | None:
    """A note where an expression asks for nodes without it: that holds on the target too."""
    return Effect.NOTE if said.role == "avoid" else None


def keyed(ground: Ground, said: Said, judge: JudgeChoice) -> Iterable[Finding]:
    """Judge a place that names its label, with what is known of that. Labels of places and hosts are left out."""
    row = ground.rows.find(Table.LABELS, f"{said.key}={said.value}") if said.key else None
    if said.key and (row is None or row.vendor is not Vendor.NONE):
        yield from judge(ground, said, row)


def values(ctx: Context, judge: JudgeChoice) -> Iterable[Finding]:
    """Judge the values of expressions, and hints: places without a key of their own.

    The key of an expression stands for itself: its values carry the label's row only where the value decides.
    """
    for site, row in ctx.here(_values):
        for finding in judge(ctx, Said.of(site), row):
            yield finding.put(site.place)


def _values(ctx: Context) -> list[tuple[Site, Row | None]]:
    sites = [site for site in ctx.facts.sites if site.kind is SiteKind.NODE]
    keyless = [site for site in sites if not site.key]
    if not keyless:
        return []
    keys = {(s.place.file, s.place.pointer.removesuffix("/key")): s.key for s in sites if not s.value}
    found: list[tuple[Site, Row | None]] = []
    for site in keyless:
        key = keys.get((site.place.file, site.place.pointer.rpartition("/values/")[0]), "")
        row = ctx.rows.find(Table.LABELS, f"{key}={site.value}") if key else None
        if row is None or row.vendor is not Vendor.NONE:
            found.append((site, row if row is not None and "=" in row.pattern else None))
    return found
