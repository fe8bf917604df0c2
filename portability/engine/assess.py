"""Facts x target x knowledge -> assessment. No I/O, no clock, no randomness."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import groupby

from portability.engine.matrices.knowledge import Asked, Knowledge, Ledger
from portability.engine.model import (
    Assessment,
    Declared,
    Effect,
    Facts,
    Finding,
    ReleaseRef,
    Summary,
    Target,
    Verdict,
)
from portability.engine.remembered import Remembered
from portability.engine.rules.asking import has_platform_source
from portability.engine.rules.base import Check, Context, Rule
from portability.engine.rules.catalogue import rules
from portability.engine.summary import merge_summary
from portability.engine.vendor_rows.rows import VendorRows, shipped

_ORDER = {effect: n for n, effect in enumerate(Effect)}


class Judge:
    """One target on one state of the knowledge. The target's own findings are worked out once and inherited.

    Use one judge for many workloads: it remembers what it said of the same words, and nothing of where they stood.
    """

    def __init__(self, target: Target, knowledge: Knowledge, rows: VendorRows | None = None) -> None:
        self.target = target
        self.knowledge = knowledge
        self.rows = rows or shipped()

    @cached_property
    def _remembered(self) -> Remembered:
        return Remembered(self.target, self.knowledge, self.rows, _workload_rules())

    @cached_property
    def _about_target(self) -> tuple[tuple[Finding, ...], Asked]:
        """The target's own findings, and what is asked whatever the workload holds."""
        ledger = Ledger(self.knowledge)
        known = self._remembered.known
        context = Context(self.target, ledger, self.rows, known, Facts(), Declared(), Summary(), alone=True)
        ran = (f for rule in rules() if rule.scope != "workload" and rule.check for f in rule.check(context))
        found = [f for f in ran if f.about == "target"]
        ledger.repeat(self._remembered.asked_anyway)
        return tuple(_in_order(found)), ledger.asked

    def assess(
        self, facts: Facts, declared: Declared, *, registered: bool = True, besides: Sequence[Finding] = ()
    ) -> Assessment:
        """Judge one workload. `registered` is False for a bare file, which is judged as a fragment by what it holds.

        `besides`: findings of the organisation's own rules on the same workload, which count like any other.
        """
        inherited, anyway = self._about_target
        ledger = Ledger(self.knowledge)
        summary = merge_summary(facts, declared)
        context = Context(self.target, ledger, self.rows, self._remembered.known, facts, declared, summary)
        own = [*self._remembered.of_sites(context), *self._remembered.of_served(context)]
        own += [f for check in _workload_checks() for f in check(context) if f.about == "workload"]
        findings = tuple(_in_order([*own, *besides, *inherited]))
        missing = _missing(facts, declared, registered)
        return Assessment(
            verdict=_verdict(findings, bool(missing)),
            own_verdict=_verdict([f for f in findings if f.about == "workload"], bool(missing)),
            findings=findings,
            missing=missing,
            releases=_in_one_order(anyway.releases | ledger.releases),
            consulted=anyway.consulted | ledger.consulted,
            summary=summary,
            platform_judged=has_platform_source(context),
        )


def assess(
    facts: Facts,
    declared: Declared,
    target: Target,
    knowledge: Knowledge,
    rows: VendorRows | None = None,
    *,
    registered: bool = True,
) -> Assessment:
    """Judge one workload for one target; see `Judge` for many."""
    return Judge(target, knowledge, rows).assess(facts, declared, registered=registered)


@cache
def _workload_rules() -> tuple[Rule, ...]:
    return tuple(rule for rule in rules() if rule.scope != "target")


@cache
def _workload_checks() -> tuple[Check, ...]:
    return tuple(rule.check for rule in _workload_rules() if rule.check)


@lru_cache(maxsize=256)
def _in_one_order(releases: frozenset[ReleaseRef]) -> tuple[ReleaseRef, ...]:
    return tuple(sorted(releases))


def _verdict(findings: Iterable[Finding], incomplete: bool) -> Verdict:
    """Blocks pin whatever else is missing; an incomplete workload is otherwise not assessed."""
    return verdict_of({f.effect for f in findings}, incomplete)


def verdict_of(effects: Collection[Effect], incomplete: bool) -> Verdict:
    """The verdict that findings of these effects make. `incomplete`: something is missing to judge by."""
    if Effect.BLOCKS in effects:
        return Verdict.PINNED
    if incomplete:
        return Verdict.NOT_ASSESSED
    return Verdict.NEEDS_CHANGE if Effect.CHANGE in effects or Effect.CONFIRM in effects else Verdict.MOVABLE


def _missing(facts: Facts, declared: Declared, registered: bool) -> tuple[str, ...]:
    """What keeps a workload from being assessed, in words."""
    missing = [str(problem) for problem in facts.problems]
    known = declared.model or declared.model_kind
    if registered and not missing and not facts.runs_something and not known:
        missing.append(
            "nothing that runs was found (no pod template, no serving custom resource), and neither a model nor a"
            " model kind is declared: add the manifests, or declare the model kind"
        )
    if not registered and not missing and facts.files and not facts.documents:
        missing.append("nothing stands in it, or comments only: see that what wrote it did not fail")
    return tuple(missing)


def _in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Worst first, then by place; the same finding at the same place once.

    Pointers are looked at only where line and rule do not tell findings apart: they are worked out when asked for.
    """
    alike: dict[tuple[str, str, int, str], list[Finding]] = {}
    for f in findings:
        place = f.place
        key = (f.rule, place.file, place.line, f.value) if place else (f.rule, "", 0, f.value)
        alike.setdefault(key, []).append(f)
    kept = [f for same in alike.values() for f in (same if len(same) == 1 else _once(same))]
    kept.sort(key=_roughly)
    return [f for _, run in groupby(kept, _roughly) for f in _run_in_order(list(run))]


def _once(alike: list[Finding]) -> Iterable[Finding]:
    """The worst of those that say the same at the same pointer, or the same of the target."""
    worst: dict[str, Finding] = {}
    for f in alike:
        key = f.place.pointer if f.place else f.reason
        known = worst.get(key)
        if known is None or _ORDER[f.effect] < _ORDER[known.effect]:
            worst[key] = f
    return worst.values()


def _roughly(f: Finding) -> tuple[int, str, int, str]:
    place = f.place
    return (_ORDER[f.effect], place.file, place.line, f.rule) if place else (_ORDER[f.effect], "", 0, f.rule)


def _run_in_order(run: list[Finding]) -> list[Finding]:
    return run if len(run) == 1 else sorted(run, key=lambda f: (f.place.pointer if f.place else "", f.reason))
