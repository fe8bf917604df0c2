"""What workloads are judged with: the shipped rows and the organisation's own. Everyone signed in may read them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from django.urls import reverse

from portability.accounts.models import Person
from portability.engine.custom_rules.rule import CustomRule
from portability.engine.model import Effect, Vendor
from portability.engine.rules.catalogue import digest as shipped_digest
from portability.engine.vendor_rows.rows import OWN_SOURCE, Row, Table, VendorRows, particular_first, shipped
from portability.rules.custom.standing import enabled_rules
from portability.rules.models import VendorRow

_COLUMNS = ("pk", "table", "pattern", "vendor", "counterpart", "effect", "note", "entered", "entered_by_name")
Stored = tuple[tuple[Any, ...], ...]  # these columns of each own row


@dataclass(frozen=True, slots=True)
class Judging:
    """All that judges besides published matrices, read at one moment, and the digest of exactly that.

    Judge with the one and store the other from the same value: read apart, a change between the two would pass for
    judged already.
    """

    own: tuple[Row, ...]  # the organisation's, in the order in which they are tried
    rows: VendorRows  # those, and the shipped ones after them
    custom: tuple[CustomRule, ...]  # the organisation's rules that are enabled
    digest: str


def judging() -> Judging:
    """What workloads are judged with now. Without rows and rules of its own: what is shipped."""
    return _judging(_stored(), enabled_rules())


def judging_rows() -> VendorRows:
    """The organisation's own rows and, after them, the shipped ones."""
    return with_own(_own(_stored()))


def judged_by() -> str:
    """A digest of all that judges: an assessment that carries another one is out of date."""
    return judging().digest


def organisation_rows() -> tuple[Row, ...]:
    """The organisation's own rows as the engine's values, in the order in which they are tried."""
    return _own(_stored())


def _stored() -> Stored:
    """What the own rows say, as it is stored: read each time, for another process may have changed it."""
    return tuple(standing().order_by("pk").values_list(*_COLUMNS))


@lru_cache(maxsize=4)
def _own(stored: Stored) -> tuple[Row, ...]:
    rows = (VendorRow(**dict(zip(_COLUMNS, values, strict=True))) for values in stored)
    return tuple(particular_first(map(engine_row, rows)))


@lru_cache(maxsize=4)
def _judging(stored: Stored, custom: tuple[CustomRule, ...]) -> Judging:
    """Kept by what is stored: hundreds of rows take longer to make than to read."""
    own = _own(stored)
    return Judging(own, with_own(own), custom, _digest(own, custom))


def own_with(added: Iterable[VendorRow] = (), without: VendorRow | None = None) -> tuple[Row, ...]:
    """The own rows as they would be with others added, and without one: nothing of it need be stored."""
    stored = [row for row in standing() if without is None or row.pk != without.pk]
    return tuple(particular_first(engine_row(row) for row in (*stored, *added)))


def listed(table: str, text: str, *, removed: bool) -> QuerySet[VendorRow]:
    """The own rows of a table, or of all, that hold a text in whatever they say; those that stand, or the removed."""
    rows = VendorRow.objects.exclude(removed_at=None) if removed else standing()
    if table:
        rows = rows.filter(table=table)
    if text:
        said = ("pattern", "counterpart", "note", "vendor", "entered_by_name")
        rows = rows.filter(reduce(or_, (Q(**{f"{column}__icontains": text}) for column in said)))
    return rows.order_by("table", Lower("pattern"), "pk")


def writers() -> list[str]:
    """Who enters rows, by name."""
    people = Person.objects.filter(Q(curator=True) | Q(administrator=True), is_active=True)
    return list(people.order_by("username").values_list("username", flat=True))


def standing() -> QuerySet[VendorRow]:
    """The organisation's own rows that were not removed."""
    return VendorRow.objects.filter(removed_at=None)


def by_pattern() -> dict[tuple[str, str], VendorRow]:
    """The own rows that stand, by table and pattern in lower case: there is one of each at most."""
    return {(row.table, row.pattern.lower()): row for row in standing()}


def engine_row(stored: VendorRow) -> Row:
    """A stored row as the engine's value. What rests on it leads to its page, which gives its reference."""
    return Row(
        table=Table(stored.table),
        pattern=stored.pattern,
        vendor=Vendor(stored.vendor),
        effect=Effect(stored.effect),
        counterpart=stored.counterpart,
        note=stored.note,
        link=reverse("rules:own_row", args=[stored.pk]) if stored.pk else "",
        entered=stored.entered,
        source=OWN_SOURCE,
        by=stored.entered_by_name,
    )


@lru_cache(maxsize=4)
def with_own(own: tuple[Row, ...]) -> VendorRows:
    """The shipped rows with these before them.

    Kept by what the own rows say: rows remember what they found, so that batches share one set of them.
    """
    return shipped().with_extra(own) if own else shipped()


def _digest(own: tuple[Row, ...], custom: tuple[CustomRule, ...]) -> str:
    if not own and not custom:
        return shipped_digest()
    said = "\n".join(map(repr, (*own, *custom)))
    return hashlib.sha256(f"{shipped_digest()}\n{said}".encode()).hexdigest()
