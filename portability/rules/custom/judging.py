"""What the organisation's own rules say of a workload, beside the shipped ones. Stores nothing but what they read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from portability.engine.custom_rules.evaluation import Compiled, Fault, compile_rule, evaluate
from portability.engine.custom_rules.rule import CustomRule
from portability.engine.custom_rules.trees import read_trees
from portability.engine.errors import InputError
from portability.engine.model import Finding, Target
from portability.rules.custom.trees import Trees, kept_trees
from portability.workloads.models import Revision


class AtFault(Exception):
    """A rule that must be switched off: which, why, and on which workload that was seen."""

    def __init__(self, rule: CustomRule, why: str, workload: str) -> None:
        super().__init__(f"{rule.id}: {why}")
        self.rule = rule
        self.why = why
        self.workload = workload


class CustomJudges:
    """The enabled rules, understood once for many workloads. Not for two threads at once."""

    def __init__(self, rules: Sequence[CustomRule]) -> None:
        self._rules = rules
        self._compiled: list[Compiled] | None = None
        self._last: tuple[int, Trees] = (0, [])  # the pairs of a batch come workload by workload
        self._told_of: Trees | None = None
        self._told: dict[str, tuple[Finding, ...]] = {}  # by rule: of these documents, for any target

    @property
    def any(self) -> bool:
        """Whether there is a rule at all: without one nobody needs the documents."""
        return bool(self._rules)

    def findings(self, revision: Revision, target: Target) -> list[Finding]:
        """What they find in a stored revision. `revision.workload` must be loaded. Raises AtFault."""
        if not self._rules:
            return []
        if self._last[0] != revision.pk:
            self._last = (revision.pk, kept_trees(revision))
        return self._said(self._last[1], target, revision.workload.name)

    def of_files(self, files: Iterable[tuple[str, str]]) -> Unsaved:
        """What they find in files that are not stored yet."""
        return self.of_trees(read_trees(files) if self._rules else [])

    def of_trees(self, trees: Trees) -> Unsaved:
        """What they find in documents."""
        return Unsaved({rule.id: CustomJudges([rule]) for rule in self._rules}, trees)

    def _said(self, trees: Trees, target: Target, workload: str) -> list[Finding]:
        if trees is not self._told_of:
            self._told_of, self._told = trees, {}
        found: list[Finding] = []
        for compiled in self._understood(workload):
            if compiled.rule.applies(target):
                found += self._found(compiled, trees, target, workload)
        return found

    def _found(self, compiled: Compiled, trees: Trees, target: Target, workload: str) -> tuple[Finding, ...]:
        """What one rule finds. One that does not ask about the target says the same for each."""
        told = self._told.get(compiled.rule.id)
        if told is not None:
            return told
        outcome = evaluate(compiled, trees, target)
        if isinstance(outcome, Fault):
            raise AtFault(compiled.rule, outcome.why, workload)
        if "target" not in compiled.condition.names:
            self._told[compiled.rule.id] = outcome.findings
        return outcome.findings

    def _understood(self, workload: str) -> list[Compiled]:
        if self._compiled is None:
            self._compiled = [_compiled(rule, workload) for rule in self._rules]
        return self._compiled


class Unsaved:
    """What the rules find in documents, by target, where nothing is written.

    A rule at fault says nothing more and stands in `faults` with why, by its id: saving would switch it off.
    """

    def __init__(self, judges: Mapping[str, CustomJudges], trees: Trees) -> None:
        self._judges = judges
        self._trees = trees
        self.faults: dict[str, str] = {}

    def __call__(self, target: Target) -> list[Finding]:
        """What they find for a target."""
        found: list[Finding] = []
        for id, judge in self._judges.items():
            if id in self.faults:
                continue
            try:
                found += judge._said(self._trees, target, "")
            except AtFault as fault:
                self.faults[id] = fault.why
        return found


def _compiled(rule: CustomRule, workload: str) -> Compiled:
    """A saved rule was understood once; where it no longer is, it is at fault."""
    try:
        return compile_rule(rule)
    except InputError as error:
        raise AtFault(rule, f"its {error.file} is no longer understood: {error.message}", workload) from None
