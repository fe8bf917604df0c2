"""Another name, another team: the workload and its history stay the same."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portability.accounts.access import may_edit
from portability.accounts.models import Person, Team
from portability.audit.actions import record
from portability.refused import Refused
from portability.register.actions import assess_revision
from portability.workloads.actions.common import clean_name, require_member, take, write
from portability.workloads.models import Workload


@transaction.atomic
def rename(who: Person, pk: int, name: str) -> Workload:
    """Give a workload another name. Its findings are known by it, so they are written anew."""
    workload = take(pk)
    require_member(who, workload.team)
    before, name = workload.name, clean_name(name)
    if name != before:
        workload.name = name
        workload.version += 1
        write(workload)
        record(who, "workload.renamed", workload, before=before)
        if workload.current and workload.retired_at is None:
            assess_revision(workload.current, "renamed")
    return workload


@transaction.atomic
def move(who: Person, pk: int, team_pk: int) -> Workload:
    """Give a workload to another team: by a member of both, or by an administrator."""
    workload = take(pk)
    team = Team.objects.filter(pk=team_pk, active=True).first()
    if not may_move(who, workload.team):
        raise PermissionDenied(f"Only members of {workload.team.name} and administrators move its workloads.")
    if team is None:
        raise Refused("Choose a team that is active.")
    if not may_move(who, team):
        raise PermissionDenied(f"Only members of both teams, and administrators, move a workload to {team.name}.")
    if team != workload.team:
        before, workload.team = workload.team, team
        workload.version += 1
        write(workload)
        record(who, "workload.moved", workload, before=before.name, after=team.name)
    return workload


def may_move(who: Person, team: Team) -> bool:
    """Whether the person may take workloads from, and bring them to, this team."""
    return who.administrator or may_edit(who, team)
