"""Reading the register: its rows, what is out of date, and runs. Everyone signed in may read all of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from portability.accounts.models import Person
from portability.engine.custom_rules.rule import CustomRule
from portability.engine.matrices.knowledge import Knowledge
from portability.matrices.queries import knowledge
from portability.register.bases import outdated_bases
from portability.register.happenings import Told, told
from portability.register.judging import answers
from portability.register.models import Basis, Batch, ConsultedSet, Movement, Row, Run
from portability.register.repeated import FOR_FINDING
from portability.rules.queries import judging
from portability.targets.models import Target
from portability.workloads.models import Revision, Workload

Pair = tuple[int, int]  # workload id, target id

_compared: tuple[Knowledge | None, dict[str, bool]] = (None, {})  # by digest of the set: is it out of date


def rows_for(person: Person, target: Target) -> QuerySet[Row]:
    """The register's rows for a target, before any filter. Whoever is signed in sees every workload's verdict."""
    if not person.is_active:
        return Row.objects.none()
    return (
        Row.objects.filter(target=target)
        .select_related("workload", "workload__team", "assessment")
        .only(
            *(f.attname for f in Row._meta.concrete_fields if f.name not in FOR_FINDING),
            "workload__name",
            "workload__team__name",
            "workload__criticality",
            "workload__owner",
            "workload__vendor_today",
            "workload__engine",
            "workload__model",
            "workload__gpus",
            "workload__replicas",
            "workload__retired_at",
            "assessment__target_version",
            "assessment__catalogue",
            "assessment__consulted_id",
            "assessment__platform_judged",
            "assessment__releases",
        )
    )


def outdated_sets(published: Knowledge | None = None) -> list[int]:
    """The sets of consulted cells to which the published knowledge now answers differently."""
    sets = dict(ConsultedSet.objects.values_list("digest", "pk"))
    return [sets[digest] for digest in answered_otherwise(sets, published or knowledge())]


def answered_otherwise(digests: Iterable[str], published: Knowledge) -> set[str]:
    """Of these sets those to which the knowledge now answers differently.

    Compared once for each set and state of the knowledge, and remembered by what the set says.
    """
    global _compared
    if _compared[0] is not published:
        _compared = (published, {})
    known, digests = _compared[1], set(digests)
    unknown = [digest for digest in digests if digest not in known]
    if unknown:
        found = ConsultedSet.objects.all() if len(unknown) > 500 else ConsultedSet.objects.filter(digest__in=unknown)
        for digest, keys, then in found.values_list("digest", "keys", "answers").iterator():
            known[digest] = answers(keys, published) != then
    return {digest for digest in digests if known.get(digest)}


@dataclass(frozen=True)
class Now:
    """What assessments are measured against: a digest of all that judges, and what the published knowledge answers.

    Without knowledge it is not asked whether cells are answered otherwise.
    """

    judged_by: str
    published: Knowledge | None = None
    custom: tuple[CustomRule, ...] = ()  # the organisation's rules among what judges

    @cached_property
    def sets(self) -> Collection[int]:
        """The sets of consulted cells that are answered otherwise now."""
        return frozenset(outdated_sets(self.published)) if self.published else ()

    def older(self, bases: Iterable[Basis]) -> frozenset[int]:
        """Of what rows were judged by, that which is not what judges now. Their sets and targets must be loaded."""
        by = list(bases)
        sets = answered_otherwise((b.consulted.digest for b in by), self.published) if self.published else set()
        return frozenset(
            b.pk
            for b in by
            if b.target_version != b.target.version or b.catalogue != self.judged_by or b.consulted.digest in sets
        )


def now(published: Knowledge | None = None) -> Now:
    """What judges at this moment. Ask once a page, not once a row."""
    by = judging()
    return Now(by.digest, published or knowledge(), by.custom)


def outdated(than: Now) -> Q:
    """Rows judged by another version of their target, other cells, other rules or other vendor rows."""
    return Q(basis__in=outdated_bases(than.judged_by, than.sets))


def is_outdated(row: Row, target: Target, than: Now) -> bool:
    """The same as `outdated`, of one row that is loaded."""
    a = row.assessment
    return a.target_version != target.version or a.catalogue != than.judged_by or a.consulted_id in than.sets


def outdated_pairs() -> list[Pair]:
    """Every workload and active target whose row is out of date or was never made."""
    targets = Target.objects.filter(active=True)
    wanted = {pair for target in targets for pair in pairs_of_target(target)}
    rows = Row.objects.filter(workload__retired_at=None, target__active=True)
    there = set(rows.values_list("workload_id", "target_id"))
    old = set(rows.filter(outdated(now())).values_list("workload_id", "target_id"))
    return sorted((wanted - there) | (wanted & old))


def awaited_pairs() -> set[Pair]:
    """What the runs under way have yet to judge."""
    undone = Batch.objects.filter(
        state__in=(Batch.State.WAITING, Batch.State.CLAIMED), run__state=Run.State.RUNNING
    ).values_list("pairs", flat=True)
    return {(workload, target) for pairs in undone for workload, target in pairs}


def pairs_of_target(target: Target) -> list[Pair]:
    """Every workload that is judged for a target."""
    active = Workload.objects.filter(retired_at=None, current__isnull=False).order_by("pk")
    return [(workload, target.pk) for workload in active.values_list("pk", flat=True)]


def current_revisions(workload_ids: Iterable[int]) -> QuerySet[Revision]:
    """The current revisions of those workloads that are not retired, with their workloads and application material."""
    active = Workload.objects.filter(pk__in=workload_ids, retired_at=None, current__isnull=False)
    return (
        Revision.objects.filter(pk__in=active.values("current")).select_related("workload").prefetch_related("material")
    )


def never_assessed(rows: int) -> int:
    """How many workloads have no row for a target yet: its first run is under way, or was cancelled.

    `rows`: for that target, but those of retired workloads.
    """
    active = Workload.objects.filter(retired_at=None, current__isnull=False).order_by().count()
    return max(0, active - rows)


def running() -> Run | None:
    """The run that is under way, the newest where there are several."""
    return Run.objects.filter(state=Run.State.RUNNING).order_by("-started_at").first()


def runs() -> QuerySet[Run]:
    """All runs, newest first, each with how many verdicts moved in it."""
    moved = Movement.objects.filter(run=OuterRef("pk")).order_by().values("run").annotate(n=Count("pk")).values("n")
    return Run.objects.select_related("started_by").annotate(moved=Coalesce(Subquery(moved), 0))


@dataclass(frozen=True, slots=True)
class Failed:
    """A pair a run set aside: what it was and why."""

    workload_id: int
    workload: str
    target: str
    reason: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    run: Run
    failed: list[Failed]
    happened: list[Told]  # besides its work

    @property
    def left(self) -> int:
        """Pairs that nobody has done yet."""
        return max(0, self.run.total - self.run.done - self.run.failed)

    @property
    def finished(self) -> int:
        """Pairs that are done or set aside."""
        return self.run.done + self.run.failed

    @property
    def took(self) -> timedelta:
        """How long the run took, or takes until now."""
        return (self.run.finished_at or timezone.now()) - self.run.started_at

    @property
    def a_minute(self) -> int:
        """Pairs a minute."""
        seconds = self.took.total_seconds()
        return round(self.finished * 60 / seconds) if seconds > 1 else 0

    @property
    def minutes_left(self) -> int | None:
        """Whole minutes until the end at this rate; None where the rate is not known yet."""
        return -(-self.left // self.a_minute) if self.a_minute else None


def progress(run: Run) -> Progress:
    """A run with what it set aside, named, and what it went through."""
    stored = Batch.objects.filter(run=run, state=Batch.State.FAILED).order_by("pk").values_list("failures", flat=True)
    failures = [f for batch in stored for f in batch]
    workloads = Workload.objects.in_bulk({f["workload"] for f in failures})
    targets = Target.objects.in_bulk({f["target"] for f in failures})
    return Progress(
        run,
        [
            Failed(
                f["workload"],
                workloads[f["workload"]].name if f["workload"] in workloads else "a workload that is gone",
                targets[f["target"]].name if f["target"] in targets else "a target that is gone",
                f["reason"],
            )
            for f in failures
        ],
        told(run),
    )


def unfinished_pairs(run: Run) -> list[Pair]:
    """What a run set aside or, cancelled, left undone."""
    pairs: list[Pair] = []
    for state, batch, failures in Batch.objects.filter(run=run).values_list("state", "pairs", "failures"):
        if state == Batch.State.FAILED:
            pairs += [(f["workload"], f["target"]) for f in failures]
        elif state != Batch.State.DONE:
            pairs += [(workload, target) for workload, target in batch]
    return pairs
