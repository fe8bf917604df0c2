"""What rows were judged by, as few shared entries: stored once each, and compared with what judges now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import F, Q, QuerySet

from portability.register.models import Assessment, Basis, Row


class Key(NamedTuple):
    """The columns of an entry."""

    target_id: int
    target_version: int
    catalogue: str
    consulted_id: int
    platform_judged: bool
    as_of: str


def key_of(assessment: Assessment, as_of: str) -> Key:
    """What a row of this assessment was judged by."""
    a = assessment
    return Key(a.target_id, a.target_version, a.catalogue, a.consulted_id, a.platform_judged, as_of)


def interned(keys: Iterable[Key]) -> dict[Key, int]:
    """The ids of these, stored where they are new. To be called in a transaction."""
    wanted = sorted(set(keys))  # in one order, or two workers could wait for each other
    known = _known(wanted)
    if missing := [key for key in wanted if key not in known]:
        Basis.objects.bulk_create((Basis(**key._asdict()) for key in missing), ignore_conflicts=True)
        known |= _known(missing)
    return known


def _known(keys: list[Key]) -> dict[Key, int]:
    near = Basis.objects.filter(
        target__in={k.target_id for k in keys},
        target_version__in={k.target_version for k in keys},
        catalogue__in={k.catalogue for k in keys},
        consulted__in={k.consulted_id for k in keys},
    )
    found = {Key(*columns): pk for pk, *columns in near.values_list("pk", *Key._fields)}
    return {key: found[key] for key in keys if key in found}


def renew(rows: QuerySet[Row]) -> None:
    """Have rows say by what they are judged, after their assessments were written. To be called in a transaction."""
    of: dict[Key, list[int]] = {}
    columns = (*(f"assessment__{name}" for name in Key._fields[:-1]), "as_of")
    for pk, *values in rows.values_list("pk", *columns):
        of.setdefault(Key(*values), []).append(pk)
    for key, pk in interned(of).items():
        Row.objects.filter(pk__in=of[key]).update(basis=pk)


def outdated_bases(judged_by: str, sets: Iterable[int]) -> list[int]:
    """Those of another version of their target, other rules or vendor rows, or cells that are answered otherwise."""
    other = ~Q(target_version=F("target__version")) | ~Q(catalogue=judged_by) | Q(consulted__in=list(sets))
    return list(Basis.objects.filter(other).values_list("pk", flat=True))
