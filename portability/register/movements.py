"""Keeping which verdicts became others, in the transaction that made them so, and gathering them to be told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from portability.engine.model import Verdict
from portability.locks import Lock, hold
from portability.register.models import Assessment, Batch, Bulletin, Movement, Row, Run
from portability.workloads.models import Workload

# The kinds of move, the worst first: what stops working, then what needs work, then what cannot be said any more.
_WORST_FIRST = (
    (Verdict.MOVABLE, Verdict.PINNED),
    (Verdict.NEEDS_CHANGE, Verdict.PINNED),
    (Verdict.NOT_ASSESSED, Verdict.PINNED),
    (Verdict.MOVABLE, Verdict.NEEDS_CHANGE),
    (Verdict.MOVABLE, Verdict.NOT_ASSESSED),
    (Verdict.NEEDS_CHANGE, Verdict.NOT_ASSESSED),
    (Verdict.NOT_ASSESSED, Verdict.NEEDS_CHANGE),
    (Verdict.PINNED, Verdict.NOT_ASSESSED),
    (Verdict.PINNED, Verdict.NEEDS_CHANGE),
    (Verdict.NOT_ASSESSED, Verdict.MOVABLE),
    (Verdict.NEEDS_CHANGE, Verdict.MOVABLE),
    (Verdict.PINNED, Verdict.MOVABLE),
)
RANKS = {kind: rank for rank, kind in enumerate(_WORST_FIRST)}
TELL = "portability.notifications.tasks.tell"  # the task that tells of what moved


def movement(row: Row, to: Assessment, workload: Workload, *, run: Run | None, cause: str, at: datetime) -> Movement:
    """What is to be kept of a row that is about to get an assessment with another verdict. Stores nothing."""
    return Movement(
        run=run,
        workload=workload,
        team_id=workload.team_id,
        target_id=row.target_id,
        before=row.verdict,
        after=to.verdict,
        rank=RANKS[Verdict(row.verdict), Verdict(to.verdict)],
        assessment_before_id=row.assessment_id,
        assessment_after=to,
        cause=cause,
        at=at,
    )


def keep(movements: Sequence[Movement]) -> None:
    """Store them. An assessment moves a verdict once: what is there already stays as it is."""
    Movement.objects.bulk_create(movements, ignore_conflicts=True)


def gather() -> list[Bulletin]:
    """Make bulletins of what moved and is in none: one for each run that has ended, and one for all saves together.

    Bulletins are numbered in the order in which they can be seen, so that whoever tells of them remembers one number.
    """
    if not _ungathered().exists():
        return []
    with transaction.atomic():
        hold(Lock.GATHERING)
        waiting = _ungathered()
        runs = Run.objects.filter(pk__in=waiting.exclude(run=None).values("run")).order_by("finished_at", "pk")
        made = [_bulletin(run, waiting.filter(run=run)) for run in runs]
        made.append(_bulletin(None, waiting.filter(run=None)))
    return [bulletin for bulletin in made if bulletin is not None]


def _ungathered() -> QuerySet[Movement]:
    """What is in no bulletin, and need not wait for more of its run: one that was cancelled may still be judging."""
    judging = Batch.objects.filter(
        run=OuterRef("run"), state=Batch.State.CLAIMED, claimed_at__gt=timezone.now() - settings.SILENT_AFTER
    )
    ended = ~Q(run__state=Run.State.RUNNING) & ~Exists(judging)
    return Movement.objects.filter(Q(run=None) | ended, bulletin=None)


def _bulletin(run: Run | None, movements: QuerySet[Movement]) -> Bulletin | None:
    pks = list(movements.values_list("pk", flat=True))
    if not pks:
        return None
    bulletin = Bulletin.objects.create(run=run, moved=len(pks))
    for start in range(0, len(pks), 500):
        Movement.objects.filter(pk__in=pks[start : start + 500]).update(bulletin=bulletin)
    return bulletin
