"""Doing the batches of a run. The database says what is to do; whoever claims a batch first does it."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, prefetch_related_objects
from django.utils import timezone

from portability.engine.facts_json import is_current
from portability.engine.manifests.collector import collector_resting
from portability.register import queries
from portability.register.actions import Pair, overtaken, store
from portability.register.happenings import Kind, note
from portability.register.in_force import is_in_force
from portability.register.judging import Judged, Judges
from portability.register.models import Batch, Run
from portability.register.movements import TELL
from portability.rules.custom.judging import AtFault
from portability.rules.custom.switching import without_faulty_rules
from portability.rules.locking import while_nobody_changes_it
from portability.targets.models import Target
from portability.waiting import AWAY_OR_BUSY, passes
from portability.waking import wake
from portability.workloads.models import Revision, Workload

ATTEMPTS = 3  # then a pair is set aside with its reason
SILENT_AFTER: timedelta = settings.SILENT_AFTER  # a claimed batch whose worker says nothing for so long is taken over
UNWOKEN_AFTER = timedelta(seconds=10)  # a waiting batch nobody was woken for
_SAYS_SO = SILENT_AFTER.total_seconds() / 5  # how often a worker says that it is at work
_PAUSES = (0.5, 1, 2, 4, 8, 15)  # seconds in which a database that is restarted comes back
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Failure:
    """A pair that could not be judged, and why in a few words."""

    pair: Pair
    reason: str

    def to_json(self) -> dict[str, Any]:
        """As stored with the batch."""
        return {"workload": self.pair[0], "target": self.pair[1], "reason": self.reason}


def do_batch(batch_id: int) -> bool:
    """Claim a batch and do it. False where another worker has it, it is done, or its run has ended.

    A database that goes away meanwhile is waited for, and the batch is done again. One that stays away is an error, and
    so is at once what waiting does not mend; then the batch is taken over like that of a worker that fell silent.
    """
    mine: Batch | None = None
    for pause in (*_PAUSES, None):
        try:
            if mine is not None and not _give_back(mine, Kind.LOST_DATABASE):
                return False
            mine = _claim(batch_id)
            if mine is None or _do(mine):
                return mine is not None
            mine = None  # given back, for what judges became another: again, by what is in force now
        except AWAY_OR_BUSY as error:
            if pause is None or connection.in_atomic_block or not passes(error):
                raise
            _log.warning("the database is away, a batch waits for it", exc_info=True, extra={"batch": batch_id})
            connection.close()
            time.sleep(pause)
    return False


def _do(batch: Batch) -> bool:
    """Judge it and write its outcome. What is kept until it is written holds no circles to be searched for."""
    with collector_resting():
        judged, failures = without_faulty_rules(lambda: _judge(batch))
        return _finish(batch, judged, failures)


def take_over(seconds: float = 60) -> int:
    """Do the batches nobody was woken for and those whose worker fell silent, for about so long. How many were done."""
    if not is_in_force():
        return 0
    _note_standstill()
    _release_silent()
    until, done = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        batch_id = _unwoken().order_by("attempts", "pk").values_list("pk", flat=True).first()
        if batch_id is None:
            break
        done += do_batch(batch_id)
    return done


def _unwoken() -> QuerySet[Batch]:
    """Batches that wait in runs which began long enough ago for their messages to have come."""
    return Batch.objects.filter(
        state=Batch.State.WAITING, run__state=Run.State.RUNNING, run__started_at__lt=timezone.now() - UNWOKEN_AFTER
    )


def _note_standstill() -> None:
    """Of runs with batches that wait while no worker has claimed one lately."""
    at_work = Batch.objects.filter(run=OuterRef("run"), claimed_at__gte=timezone.now() - UNWOKEN_AFTER)
    for run_id in _unwoken().exclude(Exists(at_work)).order_by().values_list("run", flat=True).distinct():
        note(run_id, Kind.STOOD_STILL)


def _claim(batch_id: int) -> Batch | None:
    """Compare and swap: `attempts` counts the claims and tells a later claim from an earlier one."""
    if not is_in_force():
        run_id = Batch.objects.filter(pk=batch_id, run__state=Run.State.RUNNING).values_list("run", flat=True).first()
        if run_id is not None:
            note(run_id, Kind.FORMER)
        _log.error("this worker is not of the version that was prepared last: it leaves batches alone; stop it")
        return None
    found = Batch.objects.filter(pk=batch_id, run__state=Run.State.RUNNING)
    won = found.filter(state=Batch.State.WAITING).update(
        state=Batch.State.CLAIMED, claimed_at=timezone.now(), attempts=F("attempts") + 1
    )
    if won:
        return Batch.objects.select_related("run").get(pk=batch_id)
    elsewhere = Batch.objects.filter(pk=batch_id).exclude(state=Batch.State.WAITING)
    if run_id := elsewhere.values_list("run", flat=True).first():
        note(run_id, Kind.TWICE)
    return None


def _held(batch: Batch) -> QuerySet[Batch]:
    """The batch, as long as nobody took it over from this worker."""
    return Batch.objects.filter(pk=batch.pk, state=Batch.State.CLAIMED, attempts=batch.attempts)


def _give_back(batch: Batch, why: Kind) -> bool:
    """Let others have the batch. False where it was taken over, or is done, already."""
    with transaction.atomic():
        if not _held(batch).update(state=Batch.State.WAITING):
            return False
        note(batch.run_id, why)
    return True


def _judge(batch: Batch) -> tuple[list[Judged], list[Failure]]:
    """Judge every pair there still is something to judge of. No pair stops the others; a faulty rule does: AtFault."""
    pairs: list[Pair] = [(workload, target) for workload, target in batch.pairs]
    revisions = {r.workload_id: r for r in queries.current_revisions({workload for workload, _ in pairs})}
    prefetch_related_objects([r for r in revisions.values() if not is_current(r.extractor)], "files")
    targets = Target.objects.filter(active=True).in_bulk({target for _, target in pairs})
    judges = Judges()
    judged: list[Judged] = []
    failures: list[Failure] = []
    said = time.monotonic()
    for workload, target in pairs:
        if time.monotonic() - said > _SAYS_SO:
            _held(batch).update(claimed_at=timezone.now())
            said = time.monotonic()
        if workload not in revisions or target not in targets:
            continue  # retired or deactivated since
        try:
            judged.append(judges.judge(revisions[workload], targets[target]))
        except AtFault:
            raise
        except Exception as error:  # a fault in one pair is reported, and must not keep the others from an answer
            if passes(error):
                raise
            _log.exception("a pair could not be judged", extra={"workload": workload, "target": target})
            failures.append(Failure((workload, target), f"{type(error).__name__}: {error}"[:300]))
    return judged, failures


def _finish(batch: Batch, judged: Sequence[Judged], failures: Sequence[Failure]) -> bool:
    """Write a batch's outcome in one transaction, unless it was taken over meanwhile.

    Where what judges became another while it was judged (`overtaken`), it is left to be done again. So it is where a
    value was erased meanwhile: what was judged still holds it.
    """
    final = batch.attempts >= ATTEMPTS
    with transaction.atomic():
        revisions = _lock_workloads(judged)  # so that whoever saves or erases has ended
        while_nobody_changes_it()
        if not is_in_force():
            _give_back(batch, Kind.FORMER)
            return False
        if overtaken(judged) or _erased_from(judged):
            _give_back(batch, Kind.OVERTAKEN)
            return False
        if not _held(batch).update(
            state=Batch.State.FAILED if final and failures else Batch.State.DONE,
            failures=[f.to_json() for f in failures] if final else [],
        ):
            return False
        store(_still_current(judged, revisions), batch.run.cause, batch.run)
        if failures and not final:  # tried again in a batch of their own, so that progress shows what is done
            Batch.objects.create(run=batch.run, pairs=[f.pair for f in failures], attempts=batch.attempts)
            note(batch.run_id, Kind.AGAIN)
        _progress(batch.run_id, done=len(batch.pairs) - len(failures), failed=len(failures) if final else 0)
    return True


def _erased_from(judged: Sequence[Judged]) -> bool:
    """Whether a revision is no longer known by the content that was judged; nothing else changes a stored one's."""
    then = {j.revision.pk: j.revision.digest for j in judged}
    return dict(Revision.objects.filter(pk__in=then).values_list("pk", "digest")) != then


def _lock_workloads(judged: Sequence[Judged]) -> dict[int, int | None]:
    """The workloads, locked until the transaction ends, with the id of what each is now."""
    locked = Workload.objects.select_for_update().filter(pk__in={j.revision.workload_id for j in judged}).order_by("pk")
    return dict(locked.values_list("pk", "current_id"))


def _still_current(judged: Sequence[Judged], revisions: Mapping[int, int | None]) -> list[Judged]:
    """Without what was revised or edited while it was judged: that act has judged, or will judge, it itself.

    `revisions`: what each workload is now.
    """
    versions = dict(Target.objects.filter(pk__in={j.target.pk for j in judged}).values_list("pk", "version"))
    return [
        j
        for j in judged
        if revisions.get(j.revision.workload_id) == j.revision.pk and versions.get(j.target.pk) == j.target.version
    ]


def _progress(run_id: int, *, done: int, failed: int) -> None:
    """Move a run's counts, and end it with its last batch. The update locks the run's row first."""
    Run.objects.filter(pk=run_id).update(done=F("done") + done, failed=F("failed") + failed)
    if not Batch.objects.filter(run=run_id, state__in=(Batch.State.WAITING, Batch.State.CLAIMED)).exists():
        Run.objects.filter(pk=run_id, state=Run.State.RUNNING).update(state=Run.State.DONE, finished_at=timezone.now())
        transaction.on_commit(lambda: wake(TELL))


def _release_silent() -> None:
    """Let batches go whose worker fell silent. One that silenced several is split, to find the pair that does."""
    silent = Q(state=Batch.State.CLAIMED, claimed_at__lt=timezone.now() - SILENT_AFTER, run__state=Run.State.RUNNING)
    for batch in Batch.objects.filter(silent):
        if batch.attempts < ATTEMPTS:
            _give_back(batch, Kind.SILENT)
            continue
        with transaction.atomic():
            alone = len(batch.pairs) == 1
            failure = Failure(tuple(batch.pairs[0]), f"the worker fell silent {batch.attempts} times")
            if not _held(batch).update(
                state=Batch.State.FAILED if alone else Batch.State.DONE, failures=[failure.to_json()] if alone else []
            ):
                continue
            if not alone:
                Batch.objects.bulk_create(Batch(run_id=batch.run_id, pairs=[pair]) for pair in batch.pairs)
                note(batch.run_id, Kind.SPLIT)
            _progress(batch.run_id, done=0, failed=1 if alone else 0)
