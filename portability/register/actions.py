"""Writing the register: what a revision's judgement changes, and starting or ending a run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portability import waking
from portability.accounts.models import Person
from portability.audit.actions import record
from portability.matrices.queries import knowledge
from portability.register import bases, queries
from portability.register.happenings import Kind, note
from portability.register.in_force import is_in_force
from portability.register.interning import interned
from portability.register.judging import NARROW, Judged, Judges, Key, answers
from portability.register.models import Assessment, Batch, ConsultedSet, Row, Run
from portability.register.rows import write_rows
from portability.register.subjects import NOTHING, Subject
from portability.reviews.actions import settle
from portability.rules.custom.switching import without_faulty_rules
from portability.rules.locking import while_nobody_changes_it
from portability.rules.queries import judged_by
from portability.targets.queries import active_targets
from portability.workloads.models import Revision, Workload

BATCH_SIZE = 200
OUTDATED = "what is out of date"
_AT_ONCE = 500  # ids in one statement
DO_BATCH = "portability.register.tasks.do_batch"  # the task
_WAKE_SECONDS = 0.5  # a broker that takes longer for all messages is not waited for any further

Pair = tuple[int, int]  # workload id, target id


def assess_revision(revision: Revision, cause: str) -> list[Assessment]:
    """Judge a revision for all active targets, in the caller's transaction. The register's rows follow."""
    judged = without_faulty_rules(lambda: _judged(revision))
    while_nobody_changes_it()
    if overtaken(judged) or _other_targets(judged):  # by what was published, or changed, meanwhile
        judged = without_faulty_rules(lambda: _judged(revision))
    stored = store(judged, cause)
    if not is_in_force():  # this process is about to be stopped: workers of the version in force judge it again
        about = f"{revision.workload} was judged by another version of the product"
        start_run(cause="rules", about=about, pairs=[(revision.workload_id, j.target.pk) for j in judged], who=None)
    return stored


def overtaken(judged: Sequence[Judged]) -> bool:
    """Whether what was judged is no answer any more: what judges, or a cell that was asked for, is another by now.

    Ask once nobody else changes what judges (`while_nobody_changes_it`). Whoever changes it starts a run only of what
    is stored: an answer by what was in force before, stored later, would stay out of date.
    """
    published, by = knowledge(), judged_by()
    others = {j.asked.digest: j.asked for j in judged if j.published is not published}
    return any(j.columns["catalogue"] != by for j in judged) or any(
        answers(asked.keys, published) != asked.answers for asked in others.values()
    )


def _other_targets(judged: Sequence[Judged]) -> bool:
    """Whether the active targets are others than those that were judged for, or were edited since."""
    return {(t.pk, t.version) for t in active_targets()} != {(j.target.pk, j.target.version) for j in judged}


def _judged(revision: Revision) -> list[Judged]:
    judges = Judges()
    return [judges.judge(revision, target) for target in active_targets()]


def store(judged: Sequence[Judged], cause: str, run: Run | None = None) -> list[Assessment]:
    """Keep what was judged: a new assessment where it says anything new, and one row a workload and target.

    `run`: in which it was judged; what moved is kept with it.

    Facts that were taken anew to judge by are kept too. Must be called in a transaction. What is already stored stays
    untouched, so that doing it twice is harmless.
    """
    from portability.workloads.actions import Retaken, keep_facts  # saving imports this module

    keep_facts(Retaken(j.revision, j.facts, j.judgement.summary) for j in judged if j.retaken)
    now = timezone.now()
    kept = _current_assessments(judged)
    new = [j for j in judged if (found := kept.get(j.key)) is None or not j.may_be(found) or not j.same_as(found)]
    superseded = [kept[j.key].pk for j in new if j.key in kept]
    Assessment.objects.filter(pk__in=superseded).update(current=False)
    sets = _sets(new)
    created = Assessment.objects.bulk_create(
        Assessment(
            revision=j.revision,
            target=j.target,
            consulted_id=sets[j.asked.digest],
            cause=cause,
            assessed_at=now,
            **j.columns,
        )
        for j in new
    )
    kept |= {(a.revision_id, a.target_id): a for a in created}
    write_rows(judged, kept, cause, now, run)
    settle({(j.revision.workload_id, j.target.pk) for j in new}, timezone.localdate())
    return [kept[j.key] for j in judged]


def _current_assessments(judged: Sequence[Judged]) -> dict[Key, Assessment]:
    """Without texts, but for those that may say what was judged: most of what is superseded need not be read."""
    found = Assessment.objects.filter(
        current=True, revision__in={j.revision.pk for j in judged}, target__in={j.target.pk for j in judged}
    ).select_related("consulted")
    current = {(a.revision_id, a.target_id): a for a in found.only("revision", "target", *NARROW, "consulted__digest")}
    alike = [a.pk for j in judged if (a := current.get(j.key)) is not None and j.may_be(a)]
    whole = Assessment.objects.select_related("consulted").in_bulk(alike)
    return current | {(a.revision_id, a.target_id): a for a in whole.values()}


def _sets(judged: Sequence[Judged]) -> dict[str, int]:
    """The ids of the sets of consulted cells, by their digest."""
    sets = {j.asked.digest: j.asked for j in judged}
    return interned(ConsultedSet, {d: ConsultedSet(digest=d, keys=a.keys, answers=a.answers) for d, a in sets.items()})


def start_run(
    *, cause: str, about: str, pairs: Iterable[Pair], who: Person | None, subject: Subject = NOTHING
) -> Run | None:
    """Re-evaluate pairs of workload and target in the background; None where there are none.

    `about`: why, in words; `subject`: what was changed.

    The batches are stored with the act that causes them; the broker is only asked to wake a worker. The caller
    has checked that `who` may do what causes the run.
    """
    wanted = sorted(set(pairs))
    if not wanted:
        return None
    with transaction.atomic():
        kind, key = subject
        run = Run.objects.create(
            cause=cause,
            about=about[:200],
            subject_kind=kind,
            subject_key=key,
            total=len(wanted),
            started_by=who,
        )
        batches = Batch.objects.bulk_create(Batch(run=run, pairs=part) for part in _parts(wanted))
        record(who, "run.started", about, run=run.pk, pairs=len(wanted))
        transaction.on_commit(lambda: wake([b.pk for b in batches]))
    return run


def current_revisions() -> frozenset[int]:
    """The ids of what every workload that is not retired is now.

    For `let_stand`: asked before it is found out what a change touches, so that what is saved meanwhile, which was not
    looked at, is not among them.
    """
    active = Workload.objects.filter(retired_at=None, current__isnull=False)
    return frozenset(active.values_list("current", flat=True))


def let_stand(before: str, after: str, touched: Collection[Pair], looked_at: Collection[int]) -> int:
    """Move assessments of these revisions to another digest of what judges, except those to be judged again.

    For a change of which it is known what it touches: the others would be said again word by word. Must be called in
    the transaction of the change. What is out of date for another reason stays so. How many were moved.
    """
    if before == after:
        return 0
    active = Workload.objects.filter(retired_at=None, current__isnull=False)
    current = Assessment.objects.filter(
        current=True, catalogue=before, target__active=True, revision__in=active.values("current")
    )
    found = current.values_list("pk", "revision", "revision__workload_id", "target_id").order_by("pk")
    standing = [
        pk for pk, revision, workload, target in found if revision in looked_at and (workload, target) not in touched
    ]
    for start in range(0, len(standing), _AT_ONCE):
        moved = standing[start : start + _AT_ONCE]
        Assessment.objects.filter(pk__in=moved).update(catalogue=after)
        bases.renew(Row.objects.filter(assessment__in=moved))
    return len(standing)


def wake(batch_ids: Sequence[int]) -> None:
    """Ask the broker to wake workers. Where it is away, the beat's `take_over` finds the batches in the database.

    Messages never expire: those of a long run wait until the batches before theirs are done.
    """
    asked = [(DO_BATCH, (pk,)) for pk in batch_ids]
    if waking.wake_each(asked, seconds=_WAKE_SECONDS, expires=None) < len(asked):
        note(Batch.objects.values_list("run", flat=True).get(pk=batch_ids[0]), Kind.UNWOKEN)


def reassess_outdated(who: Person | None) -> Run | None:
    """Start a run of every row whose target, knowledge, rules or facts are no longer those it was judged by.

    Asked for twice, it is done once: what runs under way have yet to judge is left to them, and where that is all, the
    newest of them is the answer.
    """
    if who is not None and not may_run(who):
        raise PermissionDenied("Only curators and administrators start a re-evaluation.")
    outdated = set(queries.outdated_pairs())
    started = start_run(cause="rules", about=OUTDATED, pairs=outdated - queries.awaited_pairs(), who=who)
    return started or (queries.running() if outdated else None)


def cancel_run(run_id: int, who: Person) -> Run:
    """Stop a run: batches not yet begun are left undone, and their rows stay marked as out of date."""
    with transaction.atomic():
        run = Run.objects.select_for_update().get(pk=run_id)
        _may_end(run, who)
        if run.state == Run.State.RUNNING:
            run.state, run.finished_at = Run.State.CANCELLED, timezone.now()
            run.save(update_fields=["state", "finished_at"])
            record(who, "run.cancelled", run.about, run=run.pk)
    return run


def retry_run(run_id: int, who: Person) -> Run | None:
    """A new run of what failed in, or was left undone by, an ended one."""
    run = Run.objects.get(pk=run_id)
    _may_end(run, who)
    if run.state == Run.State.RUNNING:
        return run
    about = run.about if run.about.startswith("again: ") else f"again: {run.about}"
    left = queries.unfinished_pairs(run)
    return start_run(cause=run.cause, about=about, pairs=left, who=who, subject=run.subject)


def may_run(person: Person) -> bool:
    """Whether the person starts, cancels and repeats any run."""
    return person.curator or person.administrator


def may_end(run: Run, person: Person) -> bool:
    """Whether the person cancels or repeats this run."""
    return may_run(person) or run.started_by_id == person.pk


def _may_end(run: Run, who: Person) -> None:
    if not may_end(run, who):
        raise PermissionDenied("Only who started a run, curators and administrators cancel or repeat it.")


def _parts(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    rest = iter(pairs)
    while part := list(islice(rest, BATCH_SIZE)):
        yield part
