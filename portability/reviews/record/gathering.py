"""Loading what the record says of entries, some hundred at a time: the same number of queries for each part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date

from django.db.models import Q, QuerySet
from django.utils import timezone

from portability.organisation.queries import stored
from portability.register.models import Assessment, Row
from portability.rehearsals.models import Rehearsal
from portability.reviews import findings
from portability.reviews.changes import since
from portability.reviews.models import Decision, Note, Review, Waiver
from portability.reviews.record.entry_json import Gathered
from portability.reviews.standing import Line, entries, lines
from portability.reviews.waivers import ByPair, concerning, stand

AT_ONCE = 500
_LONG = ("findings", "missing", "summary", "releases")  # of the assessment it joined with, only the verdict is told


def gathered(review: Review, today: date) -> Iterator[list[Gathered]]:
    """All entries of a review by team and name, in parts."""
    ids = list(
        entries(review, today).order_by("workload__team__name", "workload__name", "pk").values_list("pk", flat=True)
    )
    unwaivable = frozenset(stored().not_waivable)
    standing = entries(review, today).defer(*(f"stood__{name}" for name in _LONG))
    for start in range(0, len(ids), AT_ONCE):
        part = ids[start : start + AT_ONCE]
        found = {line.entry.pk: line for line in lines(standing.filter(pk__in=part))}
        yield _part(review, [found[pk] for pk in part], unwaivable, today)


def _part(review: Review, some: list[Line], unwaivable: frozenset[str], today: date) -> list[Gathered]:
    part = [Gathered(line) for line in some]
    _judged(part)
    _said(part)
    workloads = [g.line.entry.workload_id for g in part]
    waivers = ByPair(_waivers(review, part).select_related("withdrawn_by"))
    rehearsals: dict[tuple[int, int], list[Rehearsal]] = defaultdict(list)
    for rehearsal in Rehearsal.objects.filter(workload__in=workloads, withdrawn_at=None):
        rehearsals[rehearsal.workload_id, rehearsal.target_id].append(rehearsal)
    for g in part:
        pair = (g.line.entry.workload_id, g.line.entry.target_id or 0)
        given = waivers.of(*pair)
        marks = {findings.mark(f) for f in g.assessment.findings} if given and g.assessment else set()
        g.waivers = stand(given, marks, unwaivable, today)
        g.rehearsals = rehearsals[pair]
    return part


def _waivers(review: Review, part: list[Gathered]) -> QuerySet[Waiver]:
    """All of the workloads ever; of those for all workloads what had not ended when the review was opened."""
    opened = review.opened_at
    ended = Q(workload=None) & (Q(withdrawn_at__lt=opened) | Q(ends__lt=timezone.localdate(opened)))
    lines = [g.line.entry for g in part]
    return concerning({e.workload_id for e in lines}, {e.target_id for e in lines if e.target_id}).exclude(ended)


def _judged(part: list[Gathered]) -> None:
    """Assessments as the entries stand, what changed since they joined, and the other targets."""
    assessments = Assessment.objects.defer("summary").in_bulk([g.line.assessment for g in part if g.line.assessment])
    rows = Row.objects.filter(workload__in=[g.line.entry.workload_id for g in part], target__active=True)
    others: dict[int, list[tuple[int, str, str, str]]] = defaultdict(list)
    columns = ("workload_id", "target_id", "target__name", "verdict", "why")
    for workload, target, name, verdict, why in rows.order_by("target__name").values_list(*columns):
        others[workload].append((target, name, verdict, why))
    spans = {
        (g.line.entry.workload_id, g.line.entry.target_id): (g.line.entry.stood_id, g.line.assessment)
        for g in part
        if g.line.entry.target_id and g.line.entry.stood_id and g.line.assessment
    }
    changed = since(spans)
    for g in part:
        entry = g.line.entry
        g.assessment = assessments.get(g.line.assessment or 0)
        g.others = [(name, verdict, why) for t, name, verdict, why in others[entry.workload_id] if t != entry.target_id]
        g.changed_since = changed.get((entry.workload_id, entry.target_id or 0), [])


def _said(part: list[Gathered]) -> None:
    """What people decided and wrote."""
    by_entry = {g.line.entry.pk: g for g in part}
    for decision in Decision.objects.filter(entry__in=by_entry).select_related("undone_by").order_by("pk"):
        by_entry[decision.entry_id].decisions.append(decision)
    for note in Note.objects.filter(entry__in=by_entry):
        by_entry[note.entry_id].notes.append(note)
