"""Taking a workload out of the register, and back in. Nothing of it is deleted."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.refused import Refused
from portability.register.actions import assess_revision
from portability.reviews.actions import follow
from portability.workloads.actions.common import one_line, require_member, take
from portability.workloads.models import Workload

REASON_LENGTH = 300


@transaction.atomic
def retire(who: Person, pk: int, reason: str) -> Workload:
    """Retire a workload, with the reason. One that is retired already stays as it is."""
    workload = take(pk)
    require_member(who, workload.team)
    reason = one_line(reason)
    if not reason:
        raise Refused("Say why the workload is retired.")
    if len(reason) > REASON_LENGTH:
        raise Refused(f"The reason has {len(reason)} characters; at most {REASON_LENGTH} are kept.")
    if workload.retired_at is None:
        workload.retired_at, workload.retired_reason = timezone.now(), reason
        workload.version += 1
        workload.save()
        record(who, "workload.retired", workload, team=workload.team.name, reason=reason)
        follow([workload.pk])
    return workload


@transaction.atomic
def restore(who: Person, pk: int) -> Workload:
    """Take a retired workload back, judged on what is known now."""
    workload = take(pk)
    require_member(who, workload.team)
    if workload.retired_at is not None:
        workload.retired_at, workload.retired_reason = None, ""
        workload.version += 1
        workload.save()
        record(who, "workload.restored", workload, team=workload.team.name)
        if workload.current:
            assess_revision(workload.current, "restored")
        follow([workload.pk])
    return workload
