"""What a change of the organisation's own rows does to the register: found out before it is made. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast, Lower

from portability.engine.assess import Judge
from portability.engine.declared import parse_declared
from portability.engine.facts_json import facts_from_json
from portability.engine.matrices.knowledge import Knowledge
from portability.engine.model import Assessment, Effect, Verdict
from portability.engine.vendor_rows.rows import Row, VendorRows
from portability.matrices.queries import knowledge
from portability.rules.own_rows import literals
from portability.rules.queries import with_own
from portability.targets.models import Target
from portability.targets.queries import active_targets, engine_target, known
from portability.workloads.findings import counts_in_words
from portability.workloads.models import Revision, Workload

LOOKED_AT = 500  # workloads that are judged by the old rows and the new, some seconds; more are taken as touched

Pair = tuple[int, int]  # workload id, target id


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of a workload for a target before and after, and what counts for it, in words."""

    target: Target
    before: Verdict
    after: Verdict
    counted_before: str
    counted_after: str

    @property
    def moves(self) -> bool:
        """Whether the verdict becomes another."""
        return self.before is not self.after


@dataclass(frozen=True, slots=True)
class Touched:
    """A workload of which something else is said, and for which targets."""

    workload: Workload
    answers: tuple[Answer, ...]

    @property
    def first(self) -> Answer:
        """For the target that the register opens with, where that is among them."""
        return self.answers[0]

    @property
    def others(self) -> tuple[Answer, ...]:
        """For the other targets, where the verdict becomes another."""
        return tuple(answer for answer in self.answers[1:] if answer.moves)


@dataclass(frozen=True, slots=True)
class Effects:
    """What a change does. `pairs`: all that is to be judged again; where not every workload was looked at that may
    be touched, all those are taken."""

    may: int = 0  # workloads whose manifests hold what a changed row spells out
    looked_at: int = 0
    touched: tuple[Touched, ...] = ()
    pairs: tuple[Pair, ...] = ()

    @property
    def moved(self) -> int:
        """How many workloads get another verdict, for any target."""
        return sum(any(answer.moves for answer in touched.answers) for touched in self.touched)


def effects(before: Sequence[Row], after: Sequence[Row]) -> Effects:
    """Compare what is said of every workload by the one own rows and by the other, for every active target."""
    changed = set(before) ^ set(after)
    if not changed:
        return Effects()
    old, new = with_own(tuple(before)), with_own(tuple(after))
    published, targets = knowledge(), active_targets()
    found = _holding(changed)
    may = found.count()
    touched, pairs = _compare(found, targets, published, old, new)
    if may > LOOKED_AT:
        pairs |= {(workload, t.pk) for workload in found.values_list("workload_id", flat=True) for t in targets}
    for target in targets:
        spec = engine_target(target)
        if known(spec, published, old) != known(spec, published, new):
            pairs |= {(workload, target.pk) for workload in _current().values_list("workload_id", flat=True)}
    return Effects(may, min(may, LOOKED_AT), tuple(touched), tuple(sorted(pairs)))


def _compare(
    found: QuerySet[Revision], targets: Sequence[Target], published: Knowledge, old: VendorRows, new: VendorRows
) -> tuple[list[Touched], set[Pair]]:
    specs = [engine_target(target) for target in targets]
    judges = [(Judge(spec, published, old), Judge(spec, published, new)) for spec in specs]
    touched: list[Touched] = []
    pairs: set[Pair] = set()
    for revision in found.order_by(Lower("workload__name"), "pk")[:LOOKED_AT].iterator(chunk_size=100):
        facts = facts_from_json(revision.facts)
        declared = parse_declared(revision.declared, revision.workload.name)
        answers = []
        for target, (by_old, by_new) in zip(targets, judges, strict=True):
            was, would_be = by_old.assess(facts, declared), by_new.assess(facts, declared)
            if was != would_be:
                answers.append(Answer(target, was.verdict, would_be.verdict, _counts(was), _counts(would_be)))
        if answers:
            touched.append(Touched(revision.workload, tuple(answers)))
            pairs |= {(revision.workload_id, answer.target.pk) for answer in answers}
    return touched, pairs


def _current() -> QuerySet[Revision]:
    """What every workload that is not retired is now."""
    active = Workload.objects.filter(retired_at=None, current__isnull=False)
    return Revision.objects.filter(pk__in=active.values("current")).select_related("workload", "workload__team")


def _holding(rows: Iterable[Row]) -> QuerySet[Revision]:
    """The revisions whose stored facts hold, anywhere, all that a pattern of one of the rows spells out."""
    alternatives = [_holds(literals(row.pattern)) for row in rows]
    return _current().annotate(text=Cast("facts", TextField())).filter(reduce(or_, alternatives))


def _holds(words: Sequence[str]) -> Q:
    return reduce(and_, (Q(text__icontains=word) for word in words))


def _counts(judged: Assessment) -> str:
    counting = [effect for effect in Effect if effect is not Effect.NOTE]
    found = [(effect, sum(f.effect is effect for f in judged.findings)) for effect in counting]
    return counts_in_words(found) or "nothing to change"
