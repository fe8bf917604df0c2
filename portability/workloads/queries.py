"""Reading the workloads room: a workload for a target, its history and its files. Each starts from what one may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, QuerySet
from django.urls import reverse
from django.utils import timezone

from portability.accounts.access import may_edit, may_read_manifests
from portability.accounts.models import Person, Team
from portability.engine.output.json import releases_from_json
from portability.matrices.queries import knowledge, reading_pages
from portability.register.models import Assessment, Row
from portability.register.queries import is_outdated, now
from portability.register.texts import readings_in_words
from portability.rules.effects import Answer, without_own_rows
from portability.targets.models import Target
from portability.targets.queries import active_targets
from portability.workloads.checked import Checked, checked
from portability.workloads.findings import Address, Groups, Texts, grouped
from portability.workloads.models import ApplicationFile, ManifestFile, Revision, Workload
from portability.workloads.shown_facts import ShownFact, declared_only, facts, features

LINES_PER_PAGE = 2_000
MOVES_SHOWN = 8
CAUSES = {
    "registered": "registered",
    "manifest": "manifests changed",
    "material": "application material changed",
    "declared": "declared facts changed",
    "target": "the target changed",
    "matrix": "published knowledge changed",
    "rules": "rules changed",
    "rows": "the organisation’s own rows changed",
    "custom": "the organisation’s own rules changed",
    "renamed": "renamed",
    "restored": "restored",
}


@dataclass(frozen=True, slots=True)
class Tab:
    """One target with the verdict for it; "" where it was not judged yet."""

    target: Target
    verdict: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Move:
    """One step of the verdict's history: what it was, what it became, and why."""

    revision: int
    at: datetime
    before: str
    verdict: str
    cause: str
    as_of: str  # the reading it rests on, in words; "" where none was consulted


@dataclass(frozen=True, slots=True)
class Page:
    """A workload for one target."""

    workload: Workload
    tabs: list[Tab]
    row: Row | None
    outdated: bool
    without_own_rows: Answer | None  # what shipped rows alone would say, as `before`, where that is something else
    groups: Groups
    checked: Checked
    facts: list[ShownFact]
    features: list[ShownFact]
    contradictions: Sequence[str]
    missing: Sequence[str]
    moves: list[Move]
    files: Sequence[ManifestFile]
    material: Sequence[ApplicationFile]
    may_read: bool


def workloads() -> QuerySet[Workload]:
    """All workloads: whoever is signed in sees their verdicts and findings."""
    return Workload.objects.select_related("team", "current", "current__created_by").defer("current__facts")


def page(person: Person, workload: Workload, target_name: str) -> Page | None:
    """The page of a workload, for a named target or the one the register opens with. None: no such target."""
    rows = {row.target_id: row for row in Row.objects.filter(workload=workload).select_related("target")}
    targets = active_targets()
    chosen = next((t for t in targets if t.name == target_name), None)
    if target_name and chosen is None:
        return None
    chosen = chosen or (targets[0] if targets else None)
    row = rows.get(chosen.pk) if chosen else None
    assessment = _assessment(row)
    may_read = may_read_manifests(person, workload.team)
    files, material = _files(workload.current, may_read), _material(workload.current, may_read)
    by_name = {f.name: f.text for f in files} | {f.name: f.text for f in material} if may_read else {}
    texts = Texts(by_name, _addresses(workload, files, material)) if may_read else Texts()
    declared = workload.current.declared if workload.current else {}
    published, pages = knowledge(), reading_pages()
    judged = workload.current if row else None
    if judged:
        judged.workload = workload  # loaded already
    return Page(
        workload=workload,
        tabs=[Tab(t, rows[t.pk].verdict if t.pk in rows else "", t == chosen) for t in targets],
        row=row,
        outdated=bool(row and chosen and is_outdated(row, chosen, now(published))),
        without_own_rows=without_own_rows(judged, chosen, published) if judged and chosen else None,
        groups=grouped(assessment.findings if assessment else (), texts, published, pages),
        checked=checked(assessment, published, timezone.localdate(), pages) if assessment else Checked(),
        facts=[*facts(assessment.summary, declared, texts.address), *declared_only(declared)] if assessment else [],
        features=features(assessment.summary, declared, texts.address) if assessment else [],
        contradictions=assessment.summary["contradictions"] if assessment else (),
        missing=assessment.missing if assessment else (),
        moves=moves(workload, chosen).get(chosen.name, [])[:MOVES_SHOWN] if chosen else [],
        files=files,
        material=material,
        may_read=may_read,
    )


def _assessment(row: Row | None) -> Assessment | None:
    if row is None:
        return None
    assessment = Assessment.objects.select_related("consulted").get(pk=row.assessment_id)
    row.assessment = assessment
    return assessment


def _files(revision: Revision | None, with_text: bool) -> list[ManifestFile]:
    if revision is None:
        return []
    files = ManifestFile.objects.filter(revision=revision)
    return list(files if with_text else files.defer("text"))


def _material(revision: Revision | None, with_text: bool) -> list[ApplicationFile]:
    if revision is None:
        return []
    files = ApplicationFile.objects.filter(revision=revision)
    return list(files if with_text else files.defer("text"))


def _addresses(workload: Workload, files: Sequence[ManifestFile], material: Sequence[ApplicationFile]) -> Address:
    at = {f.name: ("workloads:file", f.position) for f in files}
    at |= {f.name: ("workloads:source", f.position) for f in material}

    def address(name: str, line: int) -> str:
        assert workload.current is not None
        page, position = at.get(name, ("", 0))
        return file_address(workload.pk, workload.current.number, position, line, page) if page else ""

    return address


def file_address(workload: int, revision: int, position: int, line: int = 0, page: str = "workloads:file") -> str:
    """Where a file can be read, at a line of it. `page`: of manifests, or `workloads:source` of other files."""
    address = reverse(page, args=[workload, revision, position])
    at = (line - 1) // LINES_PER_PAGE + 1
    return address + (f"?page={at}" if at > 1 else "") + (f"#L{line}" if line else "")


def moves(workload: Workload, target: Target | None = None) -> dict[str, list[Move]]:
    """How the verdicts moved, newest first, by target: the first verdict, each revision's, and every other one."""
    found = Assessment.objects.filter(revision__workload=workload).order_by("target__name", "assessed_at", "pk")
    if target is not None:
        found = found.filter(target=target)
    by_target: dict[str, list[Move]] = {}
    published = knowledge()
    columns = ("target__name", "verdict", "cause", "assessed_at", "revision__number", "releases")
    for name, verdict, cause, at, number, releases in found.values_list(*columns):
        steps = by_target.setdefault(name, [])
        before = steps[-1].verdict if steps else ""
        if verdict != before or number != steps[-1].revision:
            as_of = readings_in_words(releases_from_json(releases), published)
            steps.append(Move(number, at, before, verdict, CAUSES.get(cause, cause), as_of))
    return {name: steps[::-1] for name, steps in by_target.items()}


def revisions(workload: Workload) -> QuerySet[Revision]:
    """Every revision, newest first, with its files' names."""
    names = Prefetch("files", ManifestFile.objects.defer("text"))
    material = Prefetch("material", ApplicationFile.objects.defer("text"))
    return workload.revisions.select_related("created_by").defer("facts").prefetch_related(names, material)


@dataclass(frozen=True, slots=True)
class May:
    """What the person may do with a workload."""

    edit: bool
    retire: bool
    restore: bool
    erase: bool
    teams: list[Team]  # to move it to


def may(person: Person, workload: Workload) -> May:
    """The acts that are offered on the page; the actions decide for themselves."""
    edits = may_edit(person, workload.team)
    teams: list[Team] = []
    if person.administrator:
        teams = list(Team.objects.filter(active=True).exclude(pk=workload.team_id))
    elif edits:
        teams = list(person.teams.filter(active=True).exclude(pk=workload.team_id))
    retired = workload.retired_at is not None
    return May(
        edit=edits and not retired,
        retire=edits and not retired,
        restore=edits and retired,
        erase=person.administrator,
        teams=teams,
    )


def file_of(workload: int, number: int, position: int) -> QuerySet[ManifestFile]:
    """One file of a revision, with what tells who may read it."""
    files = ManifestFile.objects.select_related("revision", "revision__workload", "revision__workload__team")
    return files.filter(revision__workload=workload, revision__number=number, position=position)


def source_of(workload: int, number: int, position: int) -> QuerySet[ApplicationFile]:
    """One file of a revision's application material, with what tells who may read it."""
    files = ApplicationFile.objects.select_related("revision", "revision__workload", "revision__workload__team")
    return files.filter(revision__workload=workload, revision__number=number, position=position)


def siblings(revision: Revision) -> list[tuple[str, str]]:
    """The files of a revision, manifests first: where each can be read, and its name."""
    where = revision.workload_id, revision.number
    names = [(file_address(*where, n), name) for n, name in revision.files.values_list("position", "name")]
    material = revision.material.values_list("position", "name")
    return names + [(file_address(*where, n, page="workloads:source"), name) for n, name in material]


def stored_material(revision: Revision | None) -> list[tuple[str, str]]:
    """Names and texts of a revision's application material."""
    return [] if revision is None else [(f.name, f.text) for f in revision.material.all()]


def stored_files(revision: Revision | None) -> list[tuple[str, str]]:
    """Names and texts of a revision's manifests."""
    return [] if revision is None else [(f.name, f.text) for f in revision.files.all()]
