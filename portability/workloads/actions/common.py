"""What the acts of this room share: why one is refused, and taking a workload to change it."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from portability.accounts.access import may_edit
from portability.accounts.models import Person, Team
from portability.engine.manifests.secrets import without_credentials
from portability.workloads.models import Workload

NAME_LENGTH = 120


class Refused(Exception):
    """What was asked for cannot be done; the message says why and what to do instead. `field`: of a form."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class FormUsed(Refused):
    """A form that registered a workload was gone back to, and sent with something else in it."""


class Conflict(Exception):
    """Someone else changed the workload since the page was opened. `workload` is what it is now."""

    def __init__(self, workload: Workload) -> None:
        super().__init__(f"{workload.name} was changed by someone else in the meantime")
        self.workload = workload


def take(pk: int) -> Workload:
    """A workload, locked until the end of the transaction. Raises Workload.DoesNotExist.

    What it points to is asked for after the lock is held: joined rows would be those from before the wait.
    """
    return Workload.objects.select_for_update().get(pk=pk)


def require_member(who: Person | None, team: Team) -> None:
    """Only members of a team change its workloads; None is the product itself."""
    if who is not None and not may_edit(who, team):
        raise PermissionDenied(f"Only members of {team.name} change its workloads.")


def one_line(text: str) -> str:
    """A text as one line without credentials, and without control characters, which PostgreSQL does not hold."""
    return without_credentials(" ".join("".join(c if c.isprintable() else " " for c in text).split()))


def clean_name(name: str) -> str:
    """A workload's name: one line without control characters. Raises Refused."""
    cleaned = one_line(name)
    if not cleaned:
        raise Refused("Give the workload a name.", "name")
    if len(cleaned) > NAME_LENGTH:
        raise Refused(f"The name has {len(cleaned)} characters; at most {NAME_LENGTH} are kept.", "name")
    return cleaned


def write(workload: Workload) -> None:
    """Save a workload under its name. Raises Refused where the team has another one of that name."""
    try:
        with transaction.atomic():
            workload.save()
    except IntegrityError:
        other = Workload.objects.filter(team=workload.team, name=workload.name).exclude(pk=workload.pk).first()
        if other is None:
            raise
        retired = " (retired: restore it, or rename it first)" if other.retired_at else ""
        message = f"{workload.team.name} already has a workload named {workload.name}{retired}. Choose another name."
        raise Refused(message, "name") from None
