"""Putting the sample into a register: the same acts that people take, in the order the revisions came about."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction

from portability.accounts.models import Team
from portability.accounts.team_actions import create_team
from portability.audit.actions import record
from portability.audit.models import Entry as AuditEntry
from portability.workloads.actions import Entry, Refused, save_workload
from portability.workloads.contents import content
from portability.workloads.models import Workload
from portability.workloads.sample import SampleRevision, SampleWorkload, read_sample

LOADED = "sample.loaded"


@transaction.atomic
def load_sample() -> int:
    """Register the sample's teams and workloads; how many. None where the sample was loaded before.

    Raises Refused where the register is a served one, or holds workloads of its own.
    """
    if settings.SERVED:
        raise Refused("The sample is never mixed into a register that is served. Unset DATABASE_URL to look at it.")
    if AuditEntry.objects.filter(action=LOADED).exists():
        return 0
    if Workload.objects.exists():
        raise Refused(
            "This register holds workloads of its own. The sample goes into an empty one: set PORTABILITY_REGISTER"
            " to a new name."
        )
    sample = read_sample()
    teams = {name: Team.objects.filter(name=name).first() or create_team(None, name) for name in sample.teams}
    for workload in sample.workloads:
        _register(workload, teams[workload.team])
    record(None, LOADED, "sample register", workloads=len(sample.workloads))
    return len(sample.workloads)


def _register(sample: SampleWorkload, team: Team) -> None:
    """A workload by its first revision, then each later one."""
    first, *later = sample.revisions
    saved = save_workload(None, _entry(sample, first), team=team, name=sample.name)
    for revision in later:
        saved = save_workload(
            None, _entry(sample, revision), workload=saved.workload.pk, version=saved.workload.version
        )


def _entry(sample: SampleWorkload, revision: SampleRevision) -> Entry:
    said = content(list(revision.files), revision.declared, where=sample.name)
    return Entry(said, owner=sample.owner, criticality=sample.criticality)
