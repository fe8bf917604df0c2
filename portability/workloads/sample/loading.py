"""Putting the sample into a register: the same acts that people take, in the order in which they came about."""

from __future__ import annotations

from datetime import date, datetime
from functools import partial

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from portability.accounts.models import Team
from portability.accounts.team_actions import create_team
from portability.audit.actions import record
from portability.audit.models import Entry as AuditEntry
from portability.rehearsals.actions import Said, record_rehearsal
from portability.workloads.actions import Entry, Refused, save_workload
from portability.workloads.contents import content
from portability.workloads.models import Workload
from portability.workloads.sample import Sample, SampleRehearsal, SampleRevision, SampleWorkload, read_sample
from portability.workloads.sample.clock import Calendar, at
from portability.workloads.sample.reviewing import Act, People, reviewed

LOADED = "sample.loaded"


@transaction.atomic
def create_teams() -> None:
    """The sample's teams, where they are not there: its logins belong to one of them."""
    for name in read_sample().teams:
        if not Team.objects.filter(name=name).exists():
            create_team(None, name)


@transaction.atomic
def load_sample(people: People | None = None) -> int:
    """Register the sample's teams and workloads; how many. None where the sample was loaded before.

    Where there are people, they review it: the last quarter's review is closed, and the present one's is under way.
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
    sample, calendar = read_sample(), Calendar.from_now()
    acts = _registered(sample, calendar)
    acts += reviewed(people, calendar) if people else []
    for moment, act in sorted(acts, key=lambda each: each[0]):
        with at(moment) as today:
            act(today)
    record(None, LOADED, "sample register", workloads=len(sample.workloads))
    return len(sample.workloads)


def _registered(sample: Sample, calendar: Calendar) -> list[tuple[datetime, Act]]:
    """Teams, workloads with their revisions, and rehearsals, as acts with their moments."""
    first, between = calendar.registered(), calendar.before_the_end(1)
    acts: list[tuple[datetime, Act]] = [(first, lambda today: create_teams())]
    for workload in sample.workloads:
        acts.append((between if workload.new else first, partial(_register, workload)))
        acts += [(between, partial(_revise, workload, revision)) for revision in workload.revisions[1:]]
    for rehearsal in sample.rehearsals:
        day = calendar.ago(rehearsal.days_ago)
        acts.append((max(day, first), partial(_rehearse, rehearsal, timezone.localdate(day))))
    return acts


def _register(sample: SampleWorkload, _today: date) -> None:
    """A workload by its first revision."""
    save_workload(None, _entry(sample, sample.revisions[0]), team=Team.objects.get(name=sample.team), name=sample.name)


def _revise(sample: SampleWorkload, revision: SampleRevision, _today: date) -> None:
    """A later revision."""
    saved = Workload.objects.get(name=sample.name)
    save_workload(None, _entry(sample, revision), workload=saved.pk, version=saved.version)


def _rehearse(sample: SampleRehearsal, day: date, today: date) -> None:
    """What was tried on a target, told on the day itself, or once the workload was registered."""
    said = Said(
        target=sample.target,
        day=day,
        outcome=sample.outcome,
        permanent=sample.permanent,
        traffic=sample.traffic,
        observed=sample.observed,
        link=sample.link,
    )
    record_rehearsal(None, Workload.objects.get(name=sample.workload).pk, said, today=today)


def _entry(sample: SampleWorkload, revision: SampleRevision) -> Entry:
    said = content(list(revision.files), revision.declared, where=sample.name)
    return Entry(said, owner=sample.owner, criticality=sample.criticality)
