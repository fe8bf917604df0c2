"""Registering a workload and revising it: an immutable revision, judged for every active target at once."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction

from portability.accounts.models import Person, Team
from portability.audit.actions import record
from portability.engine.facts_json import EXTRACTOR_VERSION
from portability.refused import Refused
from portability.register.actions import assess_revision
from portability.reviews.actions import follow, wait_for_opening
from portability.rules.queries import judging_rows
from portability.workloads.actions.common import (
    Conflict,
    FormUsed,
    clean_name,
    repeat,
    require_member,
    take,
    write,
)
from portability.workloads.contents import Content, storable
from portability.workloads.models import ApplicationFile, Criticality, ManifestFile, Revision, Workload


@dataclass(frozen=True)
class Entry:
    """A workload as its form gives it. Criticality and owner belong to the entry: they judge nothing."""

    content: Content
    owner: str = ""
    criticality: str = Criticality.MEDIUM.value


@dataclass(frozen=True, slots=True)
class Saved:
    """What saving did. Without `new_revision` the content was the same as before."""

    workload: Workload
    new_revision: bool


def save_workload(
    who: Person | None,
    entry: Entry,
    *,
    workload: int | None = None,
    version: int | None = None,
    team: Team | None = None,
    name: str = "",
    token: UUID | None = None,
) -> Saved:
    """Register a new workload (`team` and `name`), or revise one (`workload`, and the `version` it had when read).

    `who` is None for the product itself. Raises PermissionDenied, Refused, Conflict, Workload.DoesNotExist.
    """
    with transaction.atomic():
        if workload is not None:
            return _revise(who, entry, take(workload), version)
        if team is None:
            raise Refused("Choose the team the workload belongs to.", "team")
        return _register(who, entry, team, clean_name(name), token)


def _register(who: Person | None, entry: Entry, team: Team, name: str, token: UUID | None) -> Saved:
    require_member(who, team)
    wait_for_opening()
    workload = Workload(team=team, name=name, token=token)
    try:
        same = _sent_before(token)
        if same is None:
            write(workload)
    except (Refused, IntegrityError):
        same = _sent_before(token)  # at the same moment, by a second click
        if same is None:
            raise
    if same is not None:
        first = same.revisions.filter(number=1, digest=entry.content.digest)
        if (same.team, same.name) != (team, name) or not first.exists():
            raise FormUsed(f"This form registered {same.name} already. Save again to register another workload by it.")
        return Saved(same, new_revision=False)
    _revision(who, entry, workload)
    _follow(workload, entry)
    record(who, "workload.registered", workload, team=team.name, files=list(entry.content.texts))
    assess_revision(_current(workload), "registered")
    follow([workload.pk])
    return Saved(workload, new_revision=True)


def _sent_before(token: UUID | None) -> Workload | None:
    """What the same form registered when it was sent before."""
    return Workload.objects.filter(token=token).select_related("team").first() if token else None


def _revise(who: Person | None, entry: Entry, workload: Workload, version: int | None) -> Saved:
    require_member(who, workload.team)
    if workload.retired_at:
        raise Refused(f"{workload.name} is retired. Restore it before changing it.")
    before = workload.current
    same = before is not None and before.digest == entry.content.digest
    if same and (workload.owner, workload.criticality) == (entry.owner, entry.criticality):
        return Saved(workload, new_revision=False)
    if version is not None and version != workload.version:
        raise Conflict(workload)
    workload.version += 1
    if same:
        _follow(workload, entry)
        record(who, "workload.described", workload, owner=entry.owner, criticality=entry.criticality)
        return Saved(workload, new_revision=False)
    cause = _cause(before, entry.content)
    revision = _revision(who, entry, workload)
    _follow(workload, entry)
    record(who, "workload.revised", workload, revision=revision.number, cause=cause)
    assess_revision(_current(workload), cause)
    follow([workload.pk])
    return Saved(workload, new_revision=True)


def _revision(who: Person | None, entry: Entry, workload: Workload) -> Revision:
    content = entry.content
    number = workload.current.number + 1 if workload.current else 1
    revision = Revision.objects.create(
        workload=workload,
        number=number,
        digest=content.digest,
        declared=content.declared_json,
        facts=content.facts_json,
        redactions=storable(content.redactions_json),
        harmless=storable(content.harmless),
        extractor=EXTRACTOR_VERSION,
        created_by=who,
    )
    ManifestFile.objects.bulk_create(
        ManifestFile(revision=revision, position=n, name=name, text=text)
        for n, (name, text) in enumerate(content.files, start=1)
    )
    ApplicationFile.objects.bulk_create(
        ApplicationFile(revision=revision, position=n, name=name, text=text)
        for n, (name, text) in enumerate(content.material.files, start=1)
    )
    workload.current = revision
    return revision


def _follow(workload: Workload, entry: Entry) -> None:
    """The workload's columns repeat what its entry and its current revision say."""
    workload.owner, workload.criticality = entry.owner, entry.criticality
    repeat(workload, entry.content.manifests.facts, entry.content.summary, judging_rows())
    workload.save()


def _cause(before: Revision | None, content: Content) -> str:
    """What of a revision is other than before: its manifests, else its application material, else what is declared."""
    if before is None or list(before.files.values_list("name", "text")) != content.files:
        return "manifest"
    return "material" if list(before.material.values_list("name", "text")) != content.material.files else "declared"


def _current(workload: Workload) -> Revision:
    assert workload.current is not None
    workload.current.workload = workload  # loaded already: judging asks for its name
    return workload.current
