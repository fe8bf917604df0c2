"""The register's rows: one line for each workload and target, rendered from what was judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from portability.engine.model import Effect, Verdict
from portability.matrices.queries import knowledge
from portability.register import bases, obstacles, texts
from portability.register.judging import Judged, Key
from portability.register.models import Assessment, Movement, Row, Run
from portability.register.movements import keep, movement
from portability.register.repeated import REPEATED, found_by, repeat
from portability.workloads.models import Workload

VERDICT_ORDER = {Verdict.PINNED: 0, Verdict.NEEDS_CHANGE: 1, Verdict.NOT_ASSESSED: 2, Verdict.MOVABLE: 3}
_NOT_JUDGED = (
    "id",
    "workload",
    "target",
    "rehearsed",
    "rehearsed_on",
    *REPEATED,
)  # columns of a row that judging leaves alone
_JUDGED = [f.name for f in Row._meta.concrete_fields if f.name not in _NOT_JUDGED]


def write_rows(
    judged: Sequence[Judged], assessments: Mapping[Key, Assessment], cause: str, now: datetime, run: Run | None
) -> None:
    """Render the rows whose assessment is another, and note when a verdict moved and why.

    `assessments`: the current one of each revision and target. In the caller's transaction.
    """
    published = knowledge()
    found = Row.objects.filter(
        workload__in={j.revision.workload_id for j in judged}, target__in={j.target.pk for j in judged}
    ).only("workload", "target", "assessment", "verdict", "moved_at", "moved_cause")
    standing = {(row.workload_id, row.target_id): row for row in found}
    rows: list[Row] = []
    moved: list[Movement] = []
    new = [
        j
        for j in judged
        if (before := standing.get((j.revision.workload_id, j.target.pk))) is None
        or before.assessment_id != assessments[j.key].pk
    ]
    in_the_way = _obstacles(new)
    as_of = {j.key: texts.as_of(j.judgement, published) for j in new}
    judged_by = {j.key: bases.key_of(assessments[j.key], as_of[j.key]) for j in new}
    known_bases = bases.interned(judged_by.values())
    # Whoever stores holds the workloads: what the rows repeat of them is what they are.
    workloads = Workload.objects.in_bulk({j.revision.workload_id for j in new})
    for j in new:
        assessment = assessments[j.key]
        row = Row(workload_id=j.revision.workload_id, target=j.target, assessment=assessment)
        before = standing.get((row.workload_id, j.target.pk))
        if before is not None:
            row.moved_at, row.moved_cause = before.moved_at, before.moved_cause
            if before.verdict != j.judgement.verdict.value:
                row.moved_at, row.moved_cause = now, cause
                moved.append(movement(before, assessment, j.revision.workload, run=run, cause=cause, at=now))
        row.assessed_at = assessment.assessed_at
        _render(row, j)
        row.obstacles_id = in_the_way.get(j.key)
        row.as_of, row.basis_id = as_of[j.key], known_bases[judged_by[j.key]]
        for name, value in (found_by(j.facts, row.why) | repeat(workloads[row.workload_id])).items():
            setattr(row, name, value)
        rows.append(row)
    # New rows and those that stand in one statement: an update of many wide rows by their ids takes ten times as long.
    Row.objects.bulk_create(rows, update_conflicts=True, unique_fields=["workload", "target"], update_fields=_JUDGED)
    keep(moved)


def _obstacles(judged: Sequence[Judged]) -> dict[Key, int]:
    """The ids of what stands in the way of those that need change."""
    changing = [j for j in judged if j.judgement.verdict is Verdict.NEEDS_CHANGE]
    texts_of = {j.key: obstacles.text_of(obstacles.parts_of(j.columns["findings"])) for j in changing}
    ids = obstacles.interned(texts_of.values())
    return {key: ids[text] for key, text in texts_of.items()}


def _render(row: Row, judged: Judged) -> None:
    """Put an assessment into the row's narrow columns and words."""
    a = judged.judgement
    row.verdict, row.own_verdict = a.verdict.value, a.own_verdict.value
    row.verdict_order = VERDICT_ORDER[a.verdict]
    counts = {effect: sum(f.effect is effect for f in a.findings) for effect in Effect}
    row.blocks, row.changes = counts[Effect.BLOCKS], counts[Effect.CHANGE]
    row.confirms, row.notes = counts[Effect.CONFIRM], counts[Effect.NOTE]
    row.why = texts.why(a)
    row.rules = texts.rule_ids(a)
    row.reasons = texts.reasons(a)
    row.what_to_change = texts.what_to_change(a)
    row.to_confirm = texts.to_confirm(a)
    row.evidence = texts.evidence(a)
