"""What the rules on vendors' names share: is it foreign to the target, in which words, and what stands in its place."""

from __future__ import annotations

import re

from portability.engine.model import Effect, Finding, Vendor
from portability.engine.rules.base import Ground, Rule, Said
from portability.engine.vendor_rows.rows import Row, Table

OWNERS = {Vendor.NVIDIA: "NVIDIA", Vendor.AMD: "AMD", Vendor.OTHER: "another vendor"}
_PLACEHOLDER = re.compile(r"\$\{|\$\(|\{\{|<[A-Za-z_-]+>")
_QUANTITY_ZERO = re.compile(r"0+(?:\.0*)?")


def foreign(ground: Ground, table: Table, text: str) -> Row | None:
    """The row that says that this belongs to somebody else than the target's vendor, or None."""
    row = ground.rows.find(table, text)
    return row if row is not None and row.foreign_to(ground.target.vendor) else None


def kind_key(api_version: str, kind: str) -> str:
    """The kind of an object as rows name it: group and kind, whatever the version."""
    return f"{api_version.partition('/')[0]}/{kind}"


def because(reason: str, row: Row) -> str:
    """A reason as a sentence, with what the row notes besides."""
    return f"{reason}: {row.note}." if row.note else f"{reason}."


def literal(rule: Rule, said: Said, row: Row, reason: str, remedy: str, effect: Effect | None = None) -> Finding:
    """A finding on words that a row explains: the row's note joins the reason, the row is the evidence."""
    return rule.finding(
        effect or row.effect,
        because(reason, row),
        remedy,
        value=said.value or said.key,
        evidence=[row.evidence()],
    )


def owner(row: Row) -> str:
    """Whose it is, as a word for a sentence."""
    return OWNERS.get(row.vendor, "nobody")


def target_vendor(ground: Ground) -> str:
    """The target's vendor as a word for a sentence."""
    return OWNERS.get(ground.target.vendor, str(ground.target.vendor))


def is_placeholder(text: str) -> bool:
    """Whether a value is filled in later, so that it cannot be judged now."""
    return bool(_PLACEHOLDER.search(text))


def is_zero(quantity: str) -> bool:
    """Whether a quantity asks for nothing."""
    return bool(_QUANTITY_ZERO.fullmatch(quantity.strip()))
