"""Node labels as selectors state them: at once, or the key and each value of an expression apart."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.model import Effect, Site, SiteKind, Vendor
from portability.engine.rules.base import Context
from portability.engine.vendor_rows.rows import Row, Table


def avoided(site: Site) -> Effect | None:
    """A note where an expression asks for nodes without it: that holds on the target too."""
    return Effect.NOTE if site.role == "avoid" else None


def selections(ctx: Context) -> Iterator[tuple[Site, Row | None]]:
    """The places that choose nodes, each with what is known of its label. Labels of places and hosts are left out.

    The key of an expression stands for itself: its values carry the label's row only where the value decides.
    """
    sites = list(ctx.sites(SiteKind.NODE))
    keys = {(s.place.file, s.place.pointer.removesuffix("/key")): s.key for s in sites if not s.value}
    for site in sites:
        expression = (site.place.file, site.place.pointer.rpartition("/values/")[0])
        key = site.key or keys.get(expression, "")
        row = ctx.rows.find(Table.LABELS, f"{key}={site.value}") if key else None
        if row is not None and row.vendor is Vendor.NONE:
            continue
        yield site, row if row is not None and (site.key or "=" in row.pattern) else None
