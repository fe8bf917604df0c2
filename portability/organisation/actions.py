"""Writing the organisation's settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.engine.model import Vendor
from portability.organisation.models import THE_ONE, DefaultTarget, Organisation
from portability.organisation.queries import destinations
from portability.reviews.actions import follow_settings, settle_all, wait_for_opening
from portability.reviews.actions.common import lock_workloads
from portability.targets.models import Target

_COLUMNS = ("name", "time_zone", "first_month", "manifests_for_everyone", "not_waivable", "rehearsal_days")


class Conflict(Exception):
    """Someone else changed the settings since the page was opened."""


class Refused(Exception):
    """What was asked for cannot be; the message says why and what to do instead. `vendor`: whose target it is about."""

    def __init__(self, vendor: str, message: str) -> None:
        super().__init__(message)
        self.vendor = vendor


@dataclass(frozen=True, slots=True)
class Chosen:
    """The settings as an administrator chose them, judged by the form."""

    name: str
    time_zone: str
    first_month: int
    manifests_for_everyone: bool
    not_waivable: tuple[str, ...]
    rehearsal_days: int
    targets: Mapping[str, str]  # by vendor: a target's name, or "" for none


@transaction.atomic
def save_settings(who: Person, version: int, chosen: Chosen) -> Organisation:
    """Store the settings while they have this version. Saving what is there already changes nothing."""
    if not who.administrator:
        raise PermissionDenied("Only administrators keep the organisation's settings.")
    wait_for_opening(opening=True)  # what is registered at this moment knows what may be waived
    Organisation.objects.get_or_create(pk=THE_ONE)
    stored = Organisation.objects.select_for_update().get(pk=THE_ONE)
    if stored.version != version:
        raise Conflict
    changed: dict[str, list[Any]] = {}
    for column in _COLUMNS:
        before, after = getattr(stored, column), getattr(chosen, column)
        after = sorted(after) if column == "not_waivable" else after
        if before != after:
            changed[column.replace("_", " ")] = [before, after]
            setattr(stored, column, after)
    if "not waivable" in changed:
        lock_workloads()  # before anything else is: whoever decides of one holds it, and waits for the review
    changed |= _set_targets(chosen.targets)
    if changed:
        stored.version += 1
        stored.save()
        follow_settings()
        if "not waivable" in changed:
            settle_all(timezone.localdate())
        record(who, "organisation.saved", stored, changed=changed)
    return stored


def _set_targets(wanted: Mapping[str, str]) -> dict[str, list[Any]]:
    """Choose the default targets; what was and is, of those that are others now."""
    targets = {t.name: t for t in Target.objects.select_for_update(no_key=True).order_by("pk")}
    before = {d.vendor: d for d in DefaultTarget.objects.select_related("target")}
    changed: dict[str, list[Any]] = {}
    for vendor, name in wanted.items():
        was = before[vendor].target.name if vendor in before else ""
        if name == was:
            continue
        if not name:
            before[vendor].delete()
        else:
            target = targets.get(name)
            if target is None or not target.active:
                raise Refused(vendor, f"{name} is no active target. Choose one that is, or activate it first.")
            if target.vendor == vendor:
                raise Refused(vendor, f"{name} is {vendor}'s own. Choose a target of another vendor.")
            DefaultTarget.objects.update_or_create(vendor=vendor, defaults={"target": target})
        changed[f"target for {vendor}"] = [was or None, name or None]
    return changed


@transaction.atomic
def choose_default_targets() -> list[str]:
    """For NVIDIA and AMD, a default target where nobody chose one and there is any; what was chosen, in words.

    It is the target the register opens with, or the first active one of another vendor.
    """
    said = []
    there = set(DefaultTarget.objects.values_list("vendor", flat=True))
    for vendor in (Vendor.NVIDIA, Vendor.AMD):
        if vendor.value in there:
            continue
        of_the_other = destinations(vendor.value)
        first = next((t for t in of_the_other if t.default), None)
        first = first or next((t for t in of_the_other if t.vendor in (Vendor.NVIDIA, Vendor.AMD)), None)
        if first is None:
            continue
        DefaultTarget.objects.get_or_create(vendor=vendor.value, defaults={"target": first})
        record(None, "organisation.default-target", first, vendor=vendor.value)
        said.append(f"what runs on {vendor.value} would go to {first}")
    if said:
        follow_settings()
    return said
