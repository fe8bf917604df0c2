"""Writing to the targets room. Whatever changes an answer starts a re-evaluation in the same transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from portability.accounts.access import Access, has
from portability.accounts.models import Person
from portability.audit.actions import record
from portability.engine.targets import parse_target, shipped_targets, target_to_json
from portability.organisation.models import DefaultTarget
from portability.register import subjects
from portability.register.actions import start_run
from portability.register.models import Run
from portability.register.queries import pairs_of_target
from portability.rules.locking import one_at_a_time
from portability.targets.models import Target

FIRST_DEFAULT = "mi300x-single"


class Conflict(Exception):
    """Someone else changed the target since the page was opened. `target` is what it is now."""

    def __init__(self, target: Target) -> None:
        super().__init__(f"{target.name} was changed by someone else in the meantime")
        self.target = target


class Refused(Exception):
    """What was asked for cannot be done; the message says why and what to do instead."""


@transaction.atomic
def load_shipped_targets() -> list[str]:
    """Add the shipped targets that are not there yet. What is there stays as it is, edited or not."""
    one_at_a_time()
    there = set(Target.objects.values_list("name", flat=True))
    has_default = Target.objects.filter(default=True).exists()
    added = []
    for name, spec in shipped_targets().items():
        if name in there:
            continue
        parsed = parse_target(spec, name)
        target = Target.objects.create(
            name=name,
            vendor=parsed.vendor.value,
            spec=target_to_json(parsed),
            default=name == FIRST_DEFAULT and not has_default,
        )
        _evaluate(target, None, f"target {name} was added")
        record(None, "target.created", name)
        added.append(name)
    return added


@transaction.atomic
def create_target(who: Person, spec: Mapping[str, Any]) -> tuple[Target, Run | None]:
    """A new target, and the run that assesses every workload for it."""
    _require_curator(who)
    parsed = parse_target(spec, "target")
    one_at_a_time()
    try:
        with transaction.atomic():
            target = Target.objects.create(name=parsed.name, vendor=parsed.vendor.value, spec=target_to_json(parsed))
    except IntegrityError:
        taken = f"There is already a target named {parsed.name}. Choose another name, or edit that one."
        raise Refused(taken) from None
    record(who, "target.created", target.name, spec=target.spec)
    return target, _evaluate(target, who, f"target {target.name} was added")


@transaction.atomic
def save_target(who: Person, name: str, version: int, spec: Mapping[str, Any]) -> tuple[Target, Run | None]:
    """Change a target that still has this version. Saving what is there already changes nothing and starts nothing."""
    _require_curator(who)
    one_at_a_time()
    target = _locked(name)
    if target.version != version:
        raise Conflict(target)
    parsed = parse_target({**spec, "name": name}, name)
    before, after = target.spec, target_to_json(parsed)
    if before == after:
        return target, None
    if DefaultTarget.objects.filter(target=target, vendor=parsed.vendor.value).exists():
        raise Refused(
            f"Workloads that run on {parsed.vendor.value} would go to {name}, so it is a target of another vendor."
            " An administrator chooses another one for them under Settings first."
        )
    target.spec, target.vendor, target.version = after, parsed.vendor.value, version + 1
    target.save()
    record(who, "target.saved", name, changed=_changed(before, after))
    return target, _evaluate(target, who, f"target {name} was edited")


@transaction.atomic
def set_default(who: Person, name: str) -> Target:
    """Make this the target the register opens with."""
    _require_curator(who)
    # all of them, or two at once would leave two defaults
    list(Target.objects.select_for_update(no_key=True).order_by("pk"))
    target = _locked(name)
    if not target.active:
        raise Refused(f"{name} is not active. Activate it before the register opens with it.")
    if not target.default:
        Target.objects.filter(default=True).update(default=False)
        target.default = True
        target.save()
        record(who, "target.default", name)
    return target


@transaction.atomic
def deactivate(who: Person, name: str) -> Target:
    """Stop assessing workloads for a target. What was assessed stays as history."""
    _require_curator(who)
    target = _locked(name)
    if target.default:
        raise Refused(f"The register opens with {name}. Make another target the default first.")
    if of_vendors := list(DefaultTarget.objects.filter(target=target).values_list("vendor", flat=True)):
        raise Refused(
            f"Workloads that run on {' or '.join(of_vendors)} would go to {name}."
            " An administrator chooses another target for them under Settings first."
        )
    if target.active:
        target.active = False
        target.save()
        record(who, "target.deactivated", name)
    return target


@transaction.atomic
def activate(who: Person, name: str) -> tuple[Target, Run | None]:
    """Assess workloads for a target again; what changed meanwhile is caught up with in a run."""
    _require_curator(who)
    one_at_a_time()
    target = _locked(name)
    if target.active:
        return target, None
    target.active = True
    target.save()
    record(who, "target.activated", name)
    return target, _evaluate(target, who, f"target {name} was activated")


def _evaluate(target: Target, who: Person | None, about: str) -> Run | None:
    """A run over every workload for this target; none while nobody asks for it, or there is nothing to assess."""
    if not target.active:
        return None
    subject = subjects.target(target.name)
    return start_run(cause="target", about=about, pairs=pairs_of_target(target), who=who, subject=subject)


def _locked(name: str) -> Target:
    """A target that nobody else changes meanwhile. Who only points to it, as workers do who store, does not wait."""
    return Target.objects.select_for_update(no_key=True).get(name=name)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, list[Any]]:
    """What it was and what it is, of each field that is another now: `os version`, and not the whole `os`."""
    found: dict[str, list[Any]] = {}
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key), after.get(key)
        if was == now:
            continue
        if isinstance(was or now, Mapping) and isinstance(was or {}, Mapping) and isinstance(now or {}, Mapping):
            found |= {f"{key} {inner}": pair for inner, pair in _changed(was or {}, now or {}).items()}
        else:
            found[key] = [was, now]
    return found


def _require_curator(who: Person) -> None:
    if not has(who, Access.CURATOR):
        raise PermissionDenied("Only a curator changes targets.")
