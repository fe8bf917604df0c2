"""Reading the organisation's settings."""

from __future__ import annotations

from portability.organisation.models import THE_ONE, DefaultTarget, Organisation
from portability.targets.models import Target


def organisation() -> Organisation:
    """The settings; the defaults where nobody has chosen any yet."""
    return Organisation.objects.filter(pk=THE_ONE).first() or Organisation(pk=THE_ONE)


def default_targets() -> dict[str, Target]:
    """By vendor that workloads run on today: the active target they would go to. Vendors without one are left out."""
    found = DefaultTarget.objects.filter(target__active=True).select_related("target")
    return {each.vendor: each.target for each in found}
