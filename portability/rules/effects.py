"""What a change of the organisation's own rows does to the register: found out before it is made. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast, Lower

from portability.engine.assess import Judge
from portability.engine.matrices.knowledge import Knowledge
from portability.engine.model import Assessment, Effect, Verdict
from portability.engine.vendor_rows.rows import Row, VendorRows, shipped
from portability.matrices.queries import knowledge
from portability.rules.custom.judging import CustomJudges
from portability.rules.custom.standing import enabled_rules
from portability.rules.custom.trees import Trees, trees_of
from portability.rules.own_rows import literals
from portability.rules.queries import organisation_rows, with_own
from portability.targets.models import Target
from portability.targets.queries import active_targets, engine_target, known
from portability.workloads.contents import declared_of, facts_of
from portability.workloads.findings import counts_in_words
from portability.workloads.models import ApplicationFile, Revision, Workload

LOOKED_AT = 500  # workloads that are judged by the old rows and the new, some seconds; more are taken as touched
_AT_ONCE = 100

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

    @property
    def freed(self) -> bool:
        """Whether the workload becomes movable."""
        return self.moves and self.after is Verdict.MOVABLE


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

    @property
    def freed(self) -> bool:
        """Whether it becomes movable, for any target."""
        return any(answer.freed for answer in self.answers)

    @property
    def moves(self) -> bool:
        """Whether it gets another verdict, for any target."""
        return any(answer.moves for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Effects:
    """What a change does. `pairs`: all that is to be judged again; where not every workload was looked at that may
    be touched, all those are taken."""

    may: int = 0  # workloads that may hold what a changed row spells out
    looked_at: int = 0
    touched: tuple[Touched, ...] = ()
    pairs: tuple[Pair, ...] = ()

    @property
    def moved(self) -> int:
        """How many workloads get another verdict, for any target."""
        return sum(touched.moves for touched in self.touched)

    @property
    def movable(self) -> int:
        """How many of them become movable, for any target: what a wrong row would do most harm to."""
        return sum(touched.freed for touched in self.touched)

    @property
    def shown(self) -> list[Touched]:
        """Those that become movable, those that get another verdict, the others."""
        return sorted(self.touched, key=lambda touched: (not touched.freed, not touched.moves))


def effects(before: Sequence[Row], after: Sequence[Row]) -> Effects:
    """Compare what is said of every workload by the one own rows and by the other, for every active target."""
    changed = set(before) ^ set(after)
    if not changed:
        return Effects()
    old, new = with_own(tuple(before)), with_own(tuple(after))
    published, targets, custom = knowledge(), active_targets(), CustomJudges(enabled_rules())
    found = _holding(changed)
    may = found.count()
    touched, pairs = _compare(found, _Judges(targets, published, custom, old, new))
    if may > LOOKED_AT:
        pairs |= {(workload, t.pk) for workload in found.values_list("workload_id", flat=True) for t in targets}
    for target in targets:
        spec = engine_target(target)
        if known(spec, published, old) != known(spec, published, new):
            pairs |= {(workload, target.pk) for workload in _current().values_list("workload_id", flat=True)}
    return Effects(may, min(may, LOOKED_AT), tuple(touched), tuple(sorted(pairs)))


def without_own_rows(revision: Revision, target: Target, published: Knowledge) -> Answer | None:
    """What shipped rows alone say of a revision, as `before`; None where the own rows count for nothing.

    For whoever relies on a verdict: what is said to be nobody's leaves no finding behind that would tell of it.
    """
    own = organisation_rows()
    if not own:
        return None
    judges = _Judges([target], published, CustomJudges(enabled_rules()), shipped(), with_own(own))
    for answer in judges.answers(revision, judges.trees([revision]).get(revision.pk, [])):
        if answer.moves or answer.counted_before != answer.counted_after:
            return answer
    return None


class _Judges:
    """Every target's judge by the old rows and by the new; custom rules say the same beside both."""

    def __init__(
        self, targets: Sequence[Target], published: Knowledge, custom: CustomJudges, old: VendorRows, new: VendorRows
    ) -> None:
        self._pairs = [
            (target, Judge(spec, published, old), Judge(spec, published, new))
            for target, spec in ((target, engine_target(target)) for target in targets)
        ]
        self._custom = custom

    def answers(self, revision: Revision, trees: Trees) -> tuple[Answer, ...]:
        """For each target for which something else would be said."""
        facts = facts_of(revision)
        declared = declared_of(revision, revision.workload.name)
        said = self._custom.of_trees(trees)
        found = []
        for target, by_old, by_new in self._pairs:
            besides = said(by_old.target)
            was = by_old.assess(facts, declared, besides=besides)
            would_be = by_new.assess(facts, declared, besides=besides)
            if was != would_be:
                found.append(Answer(target, was.verdict, would_be.verdict, _counts(was), _counts(would_be)))
        return tuple(found)

    def trees(self, revisions: Sequence[Revision]) -> dict[int, Trees]:
        """The documents that custom rules read; none where there is no such rule."""
        return trees_of(revision.pk for revision in revisions) if self._custom.any else {}


def _compare(found: QuerySet[Revision], judges: _Judges) -> tuple[list[Touched], set[Pair]]:
    """The first workloads by name, a few at a time: their facts are the large part."""
    touched: list[Touched] = []
    names = found.prefetch_related("material").order_by(Lower("workload__name"), "pk")
    for start in range(0, LOOKED_AT, _AT_ONCE):
        revisions = list(names[start : min(start + _AT_ONCE, LOOKED_AT)])
        trees = judges.trees(revisions)
        for revision in revisions:
            if answers := judges.answers(revision, trees.get(revision.pk, [])):
                touched.append(Touched(revision.workload, answers))
        if len(revisions) < _AT_ONCE:
            break
    return touched, {(each.workload.pk, answer.target.pk) for each in touched for answer in each.answers}


def _current() -> QuerySet[Revision]:
    """What every workload that is not retired is now."""
    active = Workload.objects.filter(retired_at=None, current__isnull=False)
    return Revision.objects.filter(pk__in=active.values("current")).select_related("workload", "workload__team")


def _holding(rows: Iterable[Row]) -> QuerySet[Revision]:
    """The revisions whose stored facts hold, anywhere, all that a pattern of one of the rows spells out.

    And every one with application material: what that says is read off only when it is judged. The texts are gone
    through here: a database makes each anew from its JSON for every word, which takes a minute for many rows.
    """
    spelt_out = {tuple(literals(row.pattern)) for row in rows}
    texts = _current().annotate(text=Lower(Cast("facts", TextField()))).values_list("pk", "text")
    holding = [
        pk
        for pk, text in texts.iterator(chunk_size=_AT_ONCE)
        if any(all(word in text for word in words) for words in spelt_out)
    ]
    with_material = Q(pk__in=ApplicationFile.objects.values("revision"))
    return _current().filter(Q(pk__in=holding) | with_material)


def _counts(judged: Assessment) -> str:
    counting = [effect for effect in Effect if effect is not Effect.NOTE]
    found = [(effect, sum(f.effect is effect for f in judged.findings)) for effect in counting]
    return counts_in_words(found) or "nothing to change"
