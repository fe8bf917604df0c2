"""Putting the sample into a register: the same acts that people take, in the order the revisions came about."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction

from portability.accounts.models import Team
from portability.accounts.team_actions import create_team
from portability.audit.actions import record
from portability.audit.models import Entry as AuditEntry
from portability.rehearsals.actions import Said, record_rehearsal
from portability.workloads.actions import Entry, Refused, save_workload
from portability.workloads.contents import content
from portability.workloads.models import Workload
from portability.workloads.sample import SampleRehearsal, SampleRevision, SampleWorkload, read_sample

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
    registered = {w.name: _register(w, teams[w.team]) for w in sample.workloads}
    for rehearsal in sample.rehearsals:
        _rehearse(rehearsal, registered[rehearsal.workload])
    record(None, LOADED, "sample register", workloads=len(sample.workloads))
    return len(sample.workloads)


def _register(sample: SampleWorkload, team: Team) -> int:
    """A workload by its first revision, then each later one; its id."""
    first, *later = sample.revisions
    saved = save_workload(None, _entry(sample, first), team=team, name=sample.name)
    for revision in later:
        saved = save_workload(
            None, _entry(sample, revision), workload=saved.workload.pk, version=saved.workload.version
        )
    return saved.workload.pk


def _rehearse(sample: SampleRehearsal, workload: int) -> None:
    """What was tried on a target, told on the day itself."""
    said = Said(
        target=sample.target,
        day=sample.day,
        outcome=sample.outcome,
        permanent=sample.permanent,
        traffic=sample.traffic,
        observed=sample.observed,
        link=sample.link,
    )
    record_rehearsal(None, workload, said, today=sample.day)


def _entry(sample: SampleWorkload, revision: SampleRevision) -> Entry:
    said = content(list(revision.files), revision.declared, where=sample.name)
    return Entry(said, owner=sample.owner, criticality=sample.criticality)
