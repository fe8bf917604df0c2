"""Rows of which few distinct ones exist and which others share, known by the digest of what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from portability.register.models import ConsultedSet, Obstacles

Shared = TypeVar("Shared", ConsultedSet, Obstacles)


def interned(model: type[Shared], rows: Mapping[str, Shared]) -> dict[str, int]:
    """The ids of these rows by their digest; those that are new are stored. To be called in a transaction."""
    if not rows:
        return {}
    known = dict(model.objects.filter(digest__in=rows).values_list("digest", "pk"))
    if missing := sorted(rows.keys() - known.keys()):  # in one order, or two workers could wait for each other
        model.objects.bulk_create([rows[digest] for digest in missing], ignore_conflicts=True)
        known |= dict(model.objects.filter(digest__in=missing).values_list("digest", "pk"))
    return known
