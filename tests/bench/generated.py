"""Registers written straight into the tables, made larger step by step."""

from __future__ import annotations

from tests.register.generate import generate

_AT_ONCE = 5_000


def grow(size: int) -> None:
    """Add workloads until there are so many; what runs on NVIDIA would go to the target they are judged for."""
    from portability.organisation.models import DefaultTarget
    from portability.workloads.models import Workload

    for first in range(Workload.objects.count(), size, _AT_ONCE):
        target = generate(min(_AT_ONCE, size - first), teams=20, first=first)
        DefaultTarget.objects.get_or_create(vendor="nvidia", defaults={"target": target})
