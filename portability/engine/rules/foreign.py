"""What the rules on vendors' names share: is it foreign to the target, in which words, and what stands in its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from portability.engine.model import Effect, Finding, Site, Vendor
from portability.engine.rules.base import Context, Rule
from portability.engine.vendor_rows.rows import Row, Table

OWNERS = {Vendor.NVIDIA: "NVIDIA", Vendor.AMD: "AMD", Vendor.OTHER: "another vendor"}
_PLACEHOLDER = re.compile(r"\$\{|\$\(|\{\{|<[A-Za-z_-]+>")
_QUANTITY_ZERO = re.compile(r"0+(?:\.0*)?")


def foreign(ctx: Context, table: Table, text: str) -> Row | None:
    """The row that says that this belongs to somebody else than the target's vendor, or None."""
    row = ctx.rows.find(table, text)
    return row if row is not None and row.foreign_to(ctx.target.vendor) else None


def foreign_sites(
    ctx: Context, table: Table, sites: Iterable[Site], text: Callable[[Site], str] = lambda site: site.value
) -> Iterator[tuple[Site, Row]]:
    """The sites whose text, as the table's rows match it, belongs to somebody else, each with the row that says so."""
    for site in sites:
        row = foreign(ctx, table, text(site))
        if row is not None:
            yield site, row


def kind_key(site: Site) -> str:
    """The kind of an object as rows name it: group and kind, whatever the version."""
    return f"{site.key.partition('/')[0]}/{site.value}"


def because(reason: str, row: Row) -> str:
    """A reason as a sentence, with what the row notes besides."""
    return f"{reason}: {row.note}." if row.note else f"{reason}."


def literal(rule: Rule, site: Site, row: Row, reason: str, remedy: str, effect: Effect | None = None) -> Finding:
    """A finding at a site that a row explains: the row's note joins the reason, the row is the evidence."""
    return rule.finding(
        effect or row.effect,
        because(reason, row),
        remedy,
        site=site,
        value=site.value or site.key,
        evidence=[row.evidence()],
    )


def owner(row: Row) -> str:
    """Whose it is, as a word for a sentence."""
    return OWNERS.get(row.vendor, "nobody")


def target_vendor(ctx: Context) -> str:
    """The target's vendor as a word for a sentence."""
    return OWNERS.get(ctx.target.vendor, str(ctx.target.vendor))


def is_placeholder(text: str) -> bool:
    """Whether a value is filled in later, so that it cannot be judged now."""
    return bool(_PLACEHOLDER.search(text))


def is_zero(quantity: str) -> bool:
    """Whether a quantity asks for nothing."""
    return bool(_QUANTITY_ZERO.fullmatch(quantity.strip()))
