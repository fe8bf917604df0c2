"""What a run went through besides its work: kept as it happens, and told on its page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F
from django.utils import timezone

from portability.register.models import Happening, Run

Kind = Happening.Kind
_WORDS = {  # of one, and of several
    Kind.UNWOKEN: (
        "The broker was away when the run began. It waited for the scheduled check.",
        "The broker was away {n} times when workers were to be woken. The run waited for the scheduled check.",
    ),
    Kind.STOOD_STILL: (
        "The run stood still: no worker was at work on what was left. The scheduled check took it up.",
        "The run stood still {n} times: no worker was at work on what was left. The scheduled check took it up.",
    ),
    Kind.SILENT: (
        "A worker fell silent. Its batch was given to another.",
        "Workers fell silent {n} times. Their batches were given to others.",
    ),
    Kind.SPLIT: (
        "A batch silenced every worker that tried it, and was divided to find the workload that does so.",
        "{n} batches silenced every worker that tried them, and were divided to find the workload that does so.",
    ),
    Kind.LOST_DATABASE: (
        "The database went away while a batch was judged. The batch was judged again.",
        "The database went away while {n} batches were judged. They were judged again.",
    ),
    Kind.OVERTAKEN: (
        "What judges became another while a batch was judged. The batch was judged again by what is in force.",
        "What judges became another while {n} batches were judged. They were judged again by what is in force.",
    ),
    Kind.AGAIN: (
        "In one batch there were workloads that could not be judged. They were tried again.",
        "In {n} batches there were workloads that could not be judged. They were tried again.",
    ),
    Kind.TWICE: (
        "One batch was handed out again when it was done or in work. Nothing was done twice.",
        "{n} times a batch was handed out again when it was done or in work. Nothing was done twice.",
    ),
    Kind.FORMER: (
        "A worker of another version of the product than the one in force left a batch to others. Stop that worker.",
        "Workers of another version of the product than the one in force left batches to others {n} times."
        " Stop those workers.",
    ),
}


@dataclass(frozen=True, slots=True)
class Told:
    """One kind of happening, in words, with the first and the last time it happened."""

    words: str
    first_at: datetime
    last_at: datetime


def note(run_id: int, kind: Happening.Kind, times: int = 1) -> None:
    """Count what happened to a run. In the transaction in which it happens, where there is one."""
    now = timezone.now()
    Happening.objects.bulk_create(
        [Happening(run_id=run_id, kind=kind, first_at=now, last_at=now)], ignore_conflicts=True
    )
    Happening.objects.filter(run=run_id, kind=kind).update(times=F("times") + times, last_at=now)


def told(run: Run) -> list[Told]:
    """What happened to a run, the first that happened first."""
    return [
        Told(_WORDS[Kind(h.kind)][h.times > 1].format(n=h.times), h.first_at, h.last_at) for h in run.happenings.all()
    ]
