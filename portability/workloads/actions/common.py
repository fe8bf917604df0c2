"""What the acts of this room share: why one is refused, and taking a workload to change it."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from portability.accounts.access import may_edit
from portability.accounts.models import Person, Team
from portability.engine.manifests.secrets import without_credentials
from portability.engine.model import Facts, Summary
from portability.engine.vendor_rows.rows import VendorRows
from portability.refused import Refused
from portability.workloads.contents import storable
from portability.workloads.detection import vendor_today
from portability.workloads.models import Workload

NAME_LENGTH = 120
REPEATED = ("vendor_today", "engine", "model", "gpus", "replicas")
_LARGEST = 2_147_483_647  # what a database's integer column holds


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


def repeat(workload: Workload, facts: Facts, summary: Summary, rows: VendorRows) -> None:
    """Set the columns that repeat what the current revision says (`REPEATED`). `summary`: detected and declared."""
    gpus, replicas = summary.gpus_per_replica, summary.replicas
    every = gpus * (1 if replicas is None else replicas) if gpus is not None else None
    workload.vendor_today = (summary.vendor or vendor_today(facts, rows))[:10]
    workload.engine = _column(summary.engine, 40)
    workload.model = _column(summary.model, 200)
    workload.gpus, workload.replicas = _fits(every), _fits(replicas)


def _column(fact: Any, length: int) -> str:
    return str(storable(fact.value))[:length] if fact else ""


def _fits(number: int | None) -> int | None:
    return number if number is None or 0 <= number <= _LARGEST else None


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
