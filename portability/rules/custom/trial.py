"""A custom rule tried over the register before it judges anything: what it would hit, and what that would change.

Nothing is written, not even the documents that rules read. The whole trial is bounded in time: it says how far it came.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.db.models.functions import Lower

from portability.accounts.access import may_read_manifests
from portability.accounts.models import Person, Team
from portability.engine.assess import verdict_of
from portability.engine.custom_rules.evaluation import Fault, Outcome, compile_rule, evaluate, told_to_all
from portability.engine.custom_rules.rule import CustomRule as EngineRule
from portability.engine.model import Effect, Finding, Verdict
from portability.register.models import Assessment, Row
from portability.register.queries import current_revisions
from portability.rules.custom.rerun import touched_targets
from portability.rules.custom.trees import Trees, trees_of
from portability.targets.models import Target
from portability.targets.queries import engine_target
from portability.workloads.models import Revision, Workload

SECONDS = 10.0  # of the whole trial
AT_ONCE = 50  # workloads whose documents are loaded together
SHOWN = 50  # workloads listed; more are counted
PLACES = 5  # listed of one workload
SLOW = 0.1  # seconds of a workload on average: slower, and a batch of workloads would keep its worker for minutes


@dataclass(frozen=True, slots=True)
class Place:
    """One place the rule hits. `value` is empty where it is manifest text that the reader may not see."""

    where: str
    value: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A workload the rule would hit: where, and its verdict before and after. "" where it was not judged yet.

    Without a place: one that it hits as it is now, and would hit no more.
    """

    workload: Workload
    places: tuple[Place, ...]
    count: int
    before: str
    after: str

    @property
    def moves(self) -> bool:
        """Whether the verdict becomes another."""
        return self.before != self.after

    @property
    def freed(self) -> bool:
        """Whether it would become movable."""
        return self.moves and self.after == Verdict.MOVABLE

    @property
    def more(self) -> int:
        """How many places are counted and not listed."""
        return self.count - len(self.places)


@dataclass(slots=True)
class Trial:
    """What a rule would do. `target` is None where no active target is one it says anything of."""

    target: Target | None = None
    targets: list[Target] = field(default_factory=list)
    total: int = 0  # workloads
    looked: int = 0
    hits: list[Hit] = field(default_factory=list)
    freed: list[Hit] = field(default_factory=list)  # hit by the rule as it is now, and no more
    unanswered: Counter[str] = field(default_factory=Counter)  # workloads on which it could not be told, by why
    faults: list[tuple[Workload, str]] = field(default_factory=list)
    seconds: float = 0.0  # of evaluating
    slowest: tuple[Workload, float, int] | None = None  # with seconds and steps

    @property
    def moved(self) -> int:
        """How many workloads would get another verdict."""
        return sum(hit.moves for hit in self._all)

    @property
    def movable(self) -> int:
        """How many of them would become movable."""
        return sum(hit.freed for hit in self._all)

    @property
    def slow(self) -> bool:
        """Whether it takes too long on average to be enabled."""
        return bool(self.looked) and self.seconds / self.looked > SLOW

    @property
    def may_enable(self) -> bool:
        """Whether nothing was seen that would switch it off."""
        return not self.faults and not self.slow

    @property
    def shown(self) -> list[Hit]:
        """The first workloads: those that would become movable, those whose verdict moves, the others."""
        return sorted(self._all, key=lambda hit: (not hit.freed, not hit.moves))[:SHOWN]

    @property
    def listed(self) -> int:
        """How many there are to list."""
        return len(self._all)

    @property
    def _all(self) -> list[Hit]:
        return [*self.freed, *self.hits]


def try_rule(who: Person, rule: EngineRule, target_name: str = "", seconds: float = SECONDS) -> Trial:
    """Try a rule on every workload for a target: the named one, else the first it is for. Raises InputError."""
    compiled = compile_rule(rule)
    targets = touched_targets({rule.applies_to})
    trial = Trial(targets=targets)
    trial.target = next((t for t in targets if t.name == target_name), targets[0] if targets else None)
    if trial.target is None:
        return trial
    until = time.monotonic() + seconds
    revisions = _revisions()
    trial.total = len(revisions)
    rows = _Rows(who, trial.target, rule)
    spec = engine_target(trial.target)
    for revision, trees in _documents(revisions, rows):
        if time.monotonic() > until:
            break
        if not trial.looked:
            evaluate(compiled, trees, spec)  # the first of a process loads what evaluates, which is not the rule's time
        started = time.thread_time()
        outcome = evaluate(compiled, trees, spec)
        _note(trial, revision.workload, outcome, time.thread_time() - started)
        if isinstance(outcome, Outcome):
            rows.add(trial, revision.workload, outcome.findings)
        elif len(trial.faults) >= AT_ONCE:
            break  # it is refused anyway
    return trial


def _revisions() -> list[Revision]:
    active = Workload.objects.filter(retired_at=None, current__isnull=False).values_list("pk", flat=True)
    found: QuerySet[Revision] = current_revisions(active).select_related("workload__team")
    return list(found.defer("facts", "declared", "redactions").order_by(Lower("workload__name"), "pk"))


def _documents(revisions: Sequence[Revision], rows: _Rows) -> Iterator[tuple[Revision, Trees]]:
    for start in range(0, len(revisions), AT_ONCE):
        part = revisions[start : start + AT_ONCE]
        trees = trees_of(revision.pk for revision in part)
        rows.load(revision.workload_id for revision in part)
        for revision in part:
            yield revision, trees[revision.pk]


def _note(trial: Trial, workload: Workload, outcome: Outcome | Fault, seconds: float) -> None:
    """What is counted of every workload."""
    trial.looked += 1
    trial.seconds += seconds
    if isinstance(outcome, Fault):
        trial.faults.append((workload, outcome.why))
        return
    trial.unanswered.update(outcome.unanswered.keys())
    if trial.slowest is None or outcome.steps > trial.slowest[2]:
        trial.slowest = (workload, seconds, outcome.steps)


class _Rows:
    """The register's rows for the target: verdicts as they are, and as they would be."""

    def __init__(self, who: Person, target: Target, rule: EngineRule) -> None:
        self._who = who
        self._target = target
        self._rule = rule
        self._rows: dict[int, Row] = {}
        # by workload that the rule hits as it is now: the effects of all else, and whether something is missing
        self._without: dict[int, tuple[set[Effect], bool]] = {}
        self._readable: dict[int, bool] = {}  # by team

    def load(self, workloads: Iterable[int]) -> None:
        """Read the rows of the next workloads, and the findings of those that the rule hits as it is now."""
        rows = Row.objects.filter(target=self._target, workload__in=list(workloads))
        narrow = ("workload", "assessment", "verdict", "blocks", "changes", "confirms", "rules")
        self._rows = {row.workload_id: row for row in rows.only(*narrow)}
        hit = {row.assessment_id: pk for pk, row in self._rows.items() if f"|{self._rule.id}|" in row.rules}
        stored = Assessment.objects.filter(pk__in=hit).values_list("pk", "findings", "missing")
        self._without = {
            hit[pk]: ({Effect(f["effect"]) for f in findings if f["rule"] != self._rule.id}, bool(missing))
            for pk, findings, missing in stored
        }

    def add(self, trial: Trial, workload: Workload, findings: Sequence[Finding]) -> None:
        """Note a workload where the rule finds something, or found something as it is now."""
        if not findings and workload.pk not in self._without:
            return
        row = self._rows.get(workload.pk)
        readable = self._may_read(workload.team)
        places = tuple(_place(f, readable) for f in findings[:PLACES])
        before = row.verdict if row else ""
        hit = Hit(workload, places, len(findings), before, self._after(row, findings) if row else "")
        (trial.hits if findings else trial.freed).append(hit)

    def _after(self, row: Row, findings: Sequence[Finding]) -> str:
        """The verdict with what the rule finds, in place of what it found before."""
        counted = {Effect.BLOCKS: row.blocks, Effect.CHANGE: row.changes, Effect.CONFIRM: row.confirms}
        now = {effect for effect, count in counted.items() if count}, row.verdict == Verdict.NOT_ASSESSED
        others, incomplete = self._without.get(row.workload_id, now)
        verdict: Verdict = verdict_of(others | {f.effect for f in findings}, incomplete)
        return verdict.value

    def _may_read(self, team: Team) -> bool:
        if team.pk not in self._readable:
            self._readable[team.pk] = may_read_manifests(self._who, team)
        return self._readable[team.pk]


def _place(finding: Finding, readable: bool) -> Place:
    assert finding.place is not None
    value = finding.value if readable or told_to_all(finding.place.pointer, finding.value) else ""
    return Place(f"{finding.place.file}:{finding.place.line}", value)
