"""Reading the organisation's settings."""

from __future__ import annotations

from collections.abc import Collection

from portability.engine.model import Vendor
from portability.engine.rules.catalogue import family, rules
from portability.organisation.kept import organisation
from portability.organisation.models import THE_ONE, DefaultTarget, Organisation
from portability.rules.custom.standing import kept, names_of
from portability.targets.models import Target

__all__ = ["VENDORS", "default_targets", "destinations", "organisation", "rules_by_family", "stored"]

VENDORS = (Vendor.NVIDIA, Vendor.AMD, Vendor.OTHER)  # whose supply may slip; nothing runs on `none`


def stored() -> Organisation:
    """The settings as the database has them at this moment."""
    return Organisation.objects.filter(pk=THE_ONE).first() or Organisation(pk=THE_ONE)


def default_targets() -> dict[str, Target]:
    """By vendor that workloads run on today: the active target they would go to. Vendors without one are left out."""
    found = DefaultTarget.objects.filter(target__active=True).select_related("target")
    return {each.vendor: each.target for each in found}


def destinations(vendor: str) -> list[Target]:
    """Where workloads of a vendor might go: active targets of other vendors, the register's own default first."""
    return list(Target.objects.filter(active=True).exclude(vendor=vendor).order_by("-default", "name"))


def rules_by_family(besides: Collection[str] = ()) -> list[tuple[str, list[tuple[str, str]]]]:
    """The rules that may find something, as choices under what they are about; the organisation's own come last.

    `besides`: ids that are to be there too, as long as anybody knows them.
    """
    families: dict[str, list[tuple[str, str]]] = {}
    for rule in rules():
        about = family(rule).split("\n")[0].strip().rstrip(".").removeprefix("Rules on ").removeprefix("Rules about ")
        families.setdefault(about[:1].upper() + about[1:], []).append((rule.id, f"{rule.id} {rule.title}"))
    own = {rule.label: f"{rule.label} {rule.name}" for rule in kept()}
    own |= {
        label: f"{label} {name}, removed"
        for label, name in names_of({b for b in besides if b.startswith("ORG")} - own.keys()).items()
    }
    return sorted(families.items()) + ([("The organisation’s own rules", sorted(own.items()))] if own else [])
