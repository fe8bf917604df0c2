"""What publishing a draft does to the register: found out before it is done. Writes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.db.models.functions import Lower

from portability.engine.assess import Judge
from portability.engine.matrices.knowledge import NEAREST, Knowledge
from portability.engine.model import Assessment, Consulted, Evidence, Finding, Verdict
from portability.matrices import queries
from portability.matrices.comparison import said
from portability.matrices.models import Release
from portability.register.judging import answers
from portability.register.models import ConsultedSet, Row
from portability.register.queries import Pair, current_revisions, outdated_sets
from portability.rules.custom.judging import CustomJudges
from portability.rules.custom.trees import Trees, trees_of
from portability.rules.queries import judging
from portability.targets.models import Target
from portability.targets.queries import engine_target
from portability.workloads.contents import declared_of, facts_of
from portability.workloads.models import Revision, Workload

LOOKED_AT = 500  # workloads that are judged by what is published and by the draft; the others are only counted
SHOWN = 200  # of those that move, on a page
_AT_ONCE = 100
_CAUSES = 3  # of one verdict; the sheet tells all


@dataclass(frozen=True, slots=True)
class Cause:
    """A cell that a verdict moves for: what is published of it, and what the draft says."""

    key: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A workload that gets another verdict for a target, and the cells that cause it."""

    workload: Workload
    target: Target
    before: Verdict
    after: Verdict
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class Alike:
    """The targets for which a workload moves from the same verdict to the same, by the same cells."""

    workload: Workload
    targets: tuple[Target, ...]
    before: Verdict
    after: Verdict
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class Moves:
    """What publishing does. `stale`: assessments that consulted a cell that differs, and are judged again for it."""

    stale: int = 0
    workloads: int = 0  # that these are of
    looked_at: int = 0  # of those workloads, the first by name
    moved: tuple[Moved, ...] = ()

    @property
    def shown(self) -> tuple[Moved, ...]:
        """As many as a page lists."""
        return self.moved[:SHOWN]

    @property
    def rows(self) -> list[Alike]:
        """Those a page lists, one row for the targets of a workload that move alike."""
        found: dict[tuple[int, Verdict, Verdict, tuple[Cause, ...]], list[Moved]] = {}
        for each in self.shown:
            found.setdefault((each.workload.pk, each.before, each.after, each.causes), []).append(each)
        return [
            Alike(some[0].workload, tuple(each.target for each in some), before, after, causes)
            for (_, before, after, causes), some in found.items()
        ]

    @property
    def kinds(self) -> list[tuple[Verdict, Verdict, int]]:
        """How many move from which verdict to which, the most first."""
        counted = Counter((each.before, each.after) for each in self.moved)
        return [(before, after, n) for (before, after), n in counted.most_common()]


def stale_pairs() -> list[Pair]:
    """Workloads and targets whose assessment consulted cells that the published knowledge now answers otherwise."""
    return sorted(_rows(outdated_sets()).values_list("workload_id", "target_id"))


def would_move(draft: Release) -> Moves:
    """Judge what consulted a cell that would differ by what is published and by the draft, for every active target."""
    before = queries.knowledge()
    after = with_draft(before, draft)
    rows = _rows(_answered_otherwise(draft.source_id, before, after))
    stale = list(rows.values_list("workload_id", "target_id"))
    if not stale:
        return Moves()
    by_workload: dict[int, set[int]] = {}
    for workload, target in stale:
        by_workload.setdefault(workload, set()).add(target)
    named = Workload.objects.filter(pk__in=by_workload).order_by(Lower("name"), "pk")
    looked_at = list(named.values_list("pk", flat=True)[:LOOKED_AT])
    judges = _Judges(Target.objects.in_bulk({target for _, target in stale}), before, after, draft.source_id)
    moved: list[Moved] = []
    for revision, trees in _revisions(looked_at, judges):
        moved += judges.moved(revision, trees, sorted(by_workload[revision.workload_id]))
    return Moves(len(stale), len(by_workload), len(looked_at), tuple(moved))


def with_draft(published: Knowledge, draft: Release) -> Knowledge:
    """The published knowledge as it would be with a draft among it, in the place of the reading of its version."""
    others = [r for r in published.releases() if (r.source, r.version) != (draft.source_id, draft.version)]
    return Knowledge(published.sources.values(), [*others, queries.engine_release(draft)])


def _answered_otherwise(source: str, before: Knowledge, after: Knowledge) -> list[int]:
    """The sets of consulted cells that name the source and are answered otherwise by the one than by the other."""
    found = []
    for pk, keys in ConsultedSet.objects.values_list("pk", "keys").iterator():
        mine = [key for key in keys if key[0] == source]
        if mine and answers(mine, before) != answers(mine, after):
            found.append(pk)
    return found


def _rows(sets: Iterable[int]) -> QuerySet[Row]:
    rows = Row.objects.filter(workload__retired_at=None, target__active=True)
    return rows.filter(assessment__consulted__in=list(sets))


def _revisions(workloads: Sequence[int], judges: _Judges) -> Iterator[tuple[Revision, Trees]]:
    """The revisions of workloads in this order with the documents that custom rules read, a few at a time."""
    for start in range(0, len(workloads), _AT_ONCE):
        some = workloads[start : start + _AT_ONCE]
        found = {
            revision.workload_id: revision for revision in current_revisions(some).select_related("workload__team")
        }
        trees = trees_of(r.pk for r in found.values()) if judges.custom.any else {}
        for pk in some:
            if pk in found:
                yield found[pk], trees.get(found[pk].pk, [])


class _Judges:
    """Every target's judge by what is published and by the draft."""

    def __init__(self, targets: dict[int, Target], before: Knowledge, after: Knowledge, source: str) -> None:
        now = judging()
        self.custom = CustomJudges(now.custom)
        self._targets = targets
        self._knowledge = (before, after)
        self._source = source
        specs = {pk: engine_target(target) for pk, target in targets.items()}
        self._judges = {pk: (Judge(s, before, now.rows), Judge(s, after, now.rows)) for pk, s in specs.items()}

    def moved(self, revision: Revision, trees: Trees, targets: Sequence[int]) -> list[Moved]:
        """For each of these targets for which the verdict would be another."""
        facts = facts_of(revision)
        declared = declared_of(revision, revision.workload.name)
        besides = self.custom.of_trees(trees)
        found = []
        for pk in targets:
            by_old, by_new = self._judges[pk]
            own = besides(by_old.target)
            was = by_old.assess(facts, declared, besides=own)
            would_be = by_new.assess(facts, declared, besides=own)
            if was.verdict is not would_be.verdict:
                causes = self._causes(was, would_be)
                found.append(Moved(revision.workload, self._targets[pk], was.verdict, would_be.verdict, causes))
        return found

    def _causes(self, was: Assessment, would_be: Assessment) -> tuple[Cause, ...]:
        """The cells that findings of only one of the two cite, as far as they differ; else all consulted that do."""
        cited = [*_only(was.findings, would_be.findings), *_only(would_be.findings, was.findings)]
        asked = [c for c in sorted(was.consulted | would_be.consulted) if c.source == self._source]
        keys = dict.fromkeys(e.cell for e in cited if e.source == self._source)
        found = [Cause(key, *(self._look_up(key, asked, knowledge) for knowledge in self._knowledge)) for key in keys]
        found = [cause for cause in found if cause.before != cause.after]
        found = found or list(dict.fromkeys(cause for c in asked for cause in self._differing(c)))
        return tuple(found[:_CAUSES])

    def _look_up(self, key: str, asked: Sequence[Consulted], knowledge: Knowledge) -> str:
        releases = [knowledge.release(c.source, c.version) for c in asked]
        known = [release for release in releases if release is not None]
        if not known:
            return "never read"
        cells = [cell for cell in known[0].cells.values() if _answers(cell.key, key)]
        return "; ".join(said(cell) for cell in cells[:_CAUSES]) or "not listed"

    def _differing(self, asked: Consulted) -> Iterator[Cause]:
        one, other = (knowledge.release(asked.source, asked.version) for knowledge in self._knowledge)
        if asked.key == "*release":
            names = [release.version or "read" if release else "never read" for release in (one, other)]
            if names[0] != names[1]:
                yield Cause("release", *names)
            return
        if asked.key == NEAREST:
            near = [knowledge.nearest(asked.source, asked.version) or "none" for knowledge in self._knowledge]
            if near[0] != near[1]:
                yield Cause(f"the version read that is nearest to {asked.version}", *near)
            return
        cells = [release.cells if release else {} for release in (one, other)]
        for key in dict.fromkeys((*cells[0], *cells[1])):
            if _answers(key, asked.key):
                before, after = said(cells[0].get(key)), said(cells[1].get(key))
                if before != after:
                    yield Cause(key, before, after)


def _answers(key: str, asked: str) -> bool:
    """Whether a cell of this key is among what was asked for: one key, or with `*` at its end all below it."""
    return key.startswith(asked[:-1]) if asked.endswith("*") else key == asked


def _only(findings: Iterable[Finding], others: Iterable[Finding]) -> list[Evidence]:
    """The evidence of findings that are not among the others; the day of a reading makes no finding another."""
    known = {_essence(f) for f in others}
    return [e for f in findings if _essence(f) not in known for e in f.evidence]


def _essence(finding: Finding) -> tuple[object, ...]:
    return finding.rule, finding.effect, finding.place, finding.value, finding.reason
