"""Recording rehearsals, and withdrawing them. Either way the register's row carries how the workload stands then."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from portability.accounts.access import may_edit
from portability.accounts.models import Person, Team
from portability.audit.actions import record
from portability.engine.manifests.secrets import without_credentials
from portability.refused import Refused
from portability.register.models import Row
from portability.rehearsals.models import Rehearsal
from portability.rehearsals.standing import mark
from portability.targets.models import Target
from portability.workloads.actions.common import one_line, take

REASON_LENGTH = 300


@dataclass(frozen=True, slots=True)
class Said:
    """What a person says of one rehearsal."""

    target: str
    day: date
    outcome: str  # Rehearsal.Outcome
    permanent: bool
    traffic: str
    observed: str
    link: str = ""


def may_record(person: Person, team: Team) -> bool:
    """Whether the person records and withdraws rehearsals of this team's workloads: its members and architects do."""
    return person.architect or may_edit(person, team)


@transaction.atomic
def record_rehearsal(
    who: Person | None, workload_id: int, said: Said, *, today: date, token: UUID | None = None
) -> Rehearsal:
    """Keep that a workload ran on a target, or failed to. The same form sent twice counts once.

    `who` is None where the product itself acts (the sample).
    Raises Refused; Workload.DoesNotExist.
    """
    workload = take(workload_id)
    _require(who, workload.team)
    if workload.retired_at is not None:
        raise Refused(f"{workload.name} is retired. Restore it before a rehearsal is recorded.")
    target = Target.objects.filter(name=said.target, active=True).first()
    if target is None:
        raise Refused("Choose a target that is active.", "target")
    row = Row.objects.select_for_update().filter(workload=workload, target=target).first()
    if row is None:
        raise Refused(f"{workload.name} was not judged for {target} yet. Record it once that is done.", "target")
    if said.day > today:
        raise Refused("A rehearsal is recorded once it is over: this day is yet to come.", "day")
    if not said.link.isprintable() or without_credentials(said.link) != said.link:
        raise Refused("Give the address without the password, key or hidden characters in it.", "link")
    if said.permanent and said.outcome != Rehearsal.Outcome.RAN:
        raise Refused("What did not run was not left running there.", "permanent")
    values = {
        "workload": workload,
        "target": target,
        "day": said.day,
        "outcome": said.outcome,
        "permanent": said.permanent,
        "traffic": one_line(said.traffic),
        "observed": _prose(said.observed),
        "link": said.link,
    }
    if token and (same := _sent_before(token, values)):
        return same
    try:
        with transaction.atomic():
            made = Rehearsal.objects.create(
                **values, recorded_by=who, recorded_by_name=who.get_username() if who else "system", token=token
            )
    except IntegrityError:  # at the same moment, by a second click
        if token and (same := _sent_before(token, values)):
            return same
        raise
    _mark(row)
    record(
        who,
        "rehearsal.recorded",
        workload,
        target=target.name,
        day=said.day.isoformat(),
        outcome=said.outcome,
        permanent=said.permanent,
    )
    return made


@transaction.atomic
def withdraw(who: Person, pk: int, reason: str) -> Rehearsal:
    """Take a rehearsal back, with the reason: it stays readable and counts no more. Raises Rehearsal.DoesNotExist."""
    found = Rehearsal.objects.get(pk=pk)
    workload = take(found.workload_id)
    _require(who, workload.team)
    reason = one_line(reason)
    if not reason:
        raise Refused("Say why it is withdrawn.")
    if len(reason) > REASON_LENGTH:
        raise Refused(f"The reason has {len(reason)} characters; at most {REASON_LENGTH} are kept.")
    row = Row.objects.select_for_update().filter(workload=workload, target=found.target_id).first()
    found = Rehearsal.objects.select_for_update(of=("self",)).select_related("target").get(pk=pk)
    if found.withdrawn_at is None:
        found.withdrawn_at, found.withdrawn_by, found.withdrawn_reason = timezone.now(), who, reason
        found.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_reason"])
        if row is not None:
            _mark(row)
        record(
            who,
            "rehearsal.withdrawn",
            workload,
            target=found.target.name,
            day=found.day.isoformat(),
            reason=reason,
        )
    return found


def _prose(text: str) -> str:
    """Lines without credentials and control characters: records of reviews hold them for good."""
    lines = ("".join(c if c.isprintable() else " " for c in line).rstrip() for line in text.splitlines())
    return without_credentials("\n".join(lines).strip())


def _mark(row: Row) -> None:
    """Let the row carry how the rehearsals stand that were not withdrawn."""
    standing = Rehearsal.objects.filter(workload=row.workload_id, target=row.target_id, withdrawn_at=None)
    row.rehearsed, row.rehearsed_on = mark(standing.order_by("-day", "-pk"))
    row.save(update_fields=["rehearsed", "rehearsed_on"])


def _sent_before(token: UUID, values: dict[str, object]) -> Rehearsal | None:
    """What the same form recorded when it was sent before."""
    found = Rehearsal.objects.filter(token=token).first()
    if found is not None and any(getattr(found, name) != value for name, value in values.items()):
        raise Refused("This form recorded a rehearsal already. Open a new one to record another.")
    return found


def _require(who: Person | None, team: Team) -> None:
    if who is not None and not may_record(who, team):
        raise PermissionDenied(f"Rehearsals are recorded by members of {team.name} and by architects.")
