"""A custom rule tried over the register before it judges anything: what it would hit, and what that would change.

Nothing is written, not even the documents that rules read. The whole trial is bounded in time: it says how far it came.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Lower

from portability.accounts.access import may_read_manifests
from portability.accounts.models import Person
from portability.engine.assess import verdict_of
from portability.engine.custom_rules.evaluation import Fault, Outcome, compile_rule, evaluate
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
    """A workload the rule would hit: where, and its verdict before and after. "" where it was not judged yet."""

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
        return sum(hit.moves for hit in (*self.hits, *self.freed))

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
        """The first workloads, those whose verdict moves before the others."""
        return sorted(self.hits, key=lambda hit: not hit.moves)[:SHOWN]


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
    rows = _Rows(trial.target, rule)
    spec = engine_target(trial.target)
    for revision, trees in _documents(revisions):
        if time.monotonic() > until:
            break
        started = time.thread_time()
        outcome = evaluate(compiled, trees, spec)
        _note(trial, revision.workload, outcome, time.thread_time() - started)
        if isinstance(outcome, Outcome):
            rows.add(trial, who, revision.workload, outcome.findings)
        elif len(trial.faults) >= AT_ONCE:
            break  # it is refused anyway
    return trial


def _revisions() -> list[Revision]:
    active = Workload.objects.filter(retired_at=None, current__isnull=False).values_list("pk", flat=True)
    found: QuerySet[Revision] = current_revisions(active).select_related("workload__team")
    return list(found.defer("facts", "declared", "redactions").order_by(Lower("workload__name"), "pk"))


def _documents(revisions: Sequence[Revision]) -> Iterator[tuple[Revision, Trees]]:
    for start in range(0, len(revisions), AT_ONCE):
        part = revisions[start : start + AT_ONCE]
        trees = trees_of(revision.pk for revision in part)
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

    def __init__(self, target: Target, rule: EngineRule) -> None:
        self._rule = rule
        rows = Row.objects.filter(target=target).values_list("workload_id", "assessment_id", "verdict", "rules")
        self._rows = {workload: (assessment, verdict, ids) for workload, assessment, verdict, ids in rows}

    def add(self, trial: Trial, who: Person, workload: Workload, findings: Sequence[Finding]) -> None:
        """Note a workload where the rule finds something, or found something as it is now."""
        row = self._rows.get(workload.pk)
        found_before = row is not None and f"|{self._rule.id}|" in row[2]
        if not findings and not found_before:
            return
        before = row[1] if row else ""
        after = self._after(row[0], findings) if row else ""
        readable = may_read_manifests(who, workload.team)
        places = tuple(_place(f, readable) for f in findings[:PLACES])
        hit = Hit(workload, places, len(findings), before, after)
        (trial.hits if findings else trial.freed).append(hit)

    def _after(self, assessment_id: int, findings: Sequence[Finding]) -> str:
        """The verdict with what the rule finds, in place of what it found before."""
        stored, missing = Assessment.objects.values_list("findings", "missing").get(pk=assessment_id)
        others: list[Mapping[str, Any]] = [f for f in stored if f["rule"] != self._rule.id]
        effects = {Effect(f["effect"]) for f in others} | {f.effect for f in findings}
        verdict: Verdict = verdict_of(effects, bool(missing))
        return verdict.value


def _place(finding: Finding, readable: bool) -> Place:
    assert finding.place is not None
    value = finding.value if readable or len(finding.value.split()) == 1 else ""
    return Place(f"{finding.place.file}:{finding.place.line}", value)
