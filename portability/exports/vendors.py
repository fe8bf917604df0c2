"""Whose supply a file is about: what to take instead of rows from which no one vendor's exposure can be read."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from portability.exports.making import Order
from portability.organisation.queries import default_targets
from portability.register.exposed import default_for

_NAMES = {"nvidia": "NVIDIA", "amd": "AMD", "other": "another vendor"}


@dataclass(frozen=True, slots=True)
class Offer:
    """The rows of what runs on a vendor, for the target where that would go."""

    vendor: str  # as people write it
    target: str
    address: str  # the query string, with all else that was asked for


@dataclass(frozen=True, slots=True)
class Mixed:
    """What is said of rows of several vendors, or for a target where what runs on theirs would not go."""

    some: bool  # whether some of them would go to the target
    offers: list[Offer]


def mixed(order: Order) -> Mixed | None:
    """What to offer; None where all rows run on vendors whose default target it is, and where nothing can be offered.

    For every column there may be reasons to want all vendors: it is asked for mappings alone.
    """
    chosen = order.chosen
    here, asked = default_for(chosen.target), chosen.asked.get("vendor", "")
    if not order.mapping or asked in here:
        return None
    if not asked and not chosen.filter.rows.exclude(vendor_today__in=here).exists():
        return None
    wanted = {asked} if asked else here or _NAMES.keys()
    kept = {**chosen.asked, "page": "", "format": order.format.key, "mapping": order.mapping.slug}
    offers = [
        Offer(_NAMES[vendor], target.name, _query(kept | {"vendor": vendor, "target": target.name}))
        for vendor, target in sorted(default_targets().items(), key=lambda each: list(_NAMES).index(each[0]))
        if vendor in wanted
    ]
    return Mixed(bool(here) and not asked, offers) if offers else None


def _query(values: dict[str, str]) -> str:
    return f"?{urlencode({name: value for name, value in values.items() if value})}"
