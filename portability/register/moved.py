"""Reading what moved: which verdicts became others, for which teams, and why. Everyone signed in may read all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, QuerySet
from django.db.models.functions import Lower

from portability.accounts.models import Person
from portability.engine.custom_rules.rule import SOURCE as CUSTOM_RULE
from portability.engine.model import Effect, Verdict
from portability.register.filters import VERDICTS
from portability.register.models import Assessment, Movement
from portability.register.moved_cells import Answer, Asked, completed
from portability.register.movements import RANKS
from portability.register.texts import first_sentence
from portability.workloads.queries import CAUSES

SAID = 3  # findings, and cells, told of one movement; its workload's page has all
MISSING = "missing"
_EFFECTS = [MISSING, Effect.BLOCKS, Effect.CHANGE, Effect.CONFIRM]
_NUMBERS = {rank: kind for kind, rank in RANKS.items()}


@dataclass(frozen=True, slots=True)
class Kind:
    """From which verdict to which. `key` names it in an address."""

    before: str
    after: str

    @property
    def key(self) -> str:
        """`movable-to-pinned`."""
        return f"{self.before}-to-{self.after}"

    @property
    def words(self) -> str:
        """`movable → pinned`."""
        return f"{VERDICTS[Verdict(self.before)]} → {VERDICTS[Verdict(self.after)]}"

    @property
    def plain(self) -> str:
        """`from movable to pinned`."""
        return f"from {VERDICTS[Verdict(self.before)]} to {VERDICTS[Verdict(self.after)]}"

    @property
    def rank(self) -> int:
        """The worst is 0."""
        return RANKS[Verdict(self.before), Verdict(self.after)]


KINDS = {kind.key: kind for kind in (Kind(*_NUMBERS[rank]) for rank in sorted(_NUMBERS))}


@dataclass(frozen=True, slots=True)
class Said:
    """What findings of a rule say alike: what it is for the verdict, and the first sentence of the reason."""

    rule: str
    effect: str  # blocks, change, confirm; or missing, without a rule
    reason: str


@dataclass(frozen=True, slots=True)
class Why:
    """What tells two assessments apart: what is found now and was not, what was found and is not, cells cited."""

    came: tuple[Said, ...]
    went: tuple[Said, ...]
    cells: tuple[Answer, ...]

    @property
    def more(self) -> int:
        """How many findings and cells there are beyond those of `first`."""
        return sum(max(0, len(all_) - SAID) for all_ in (self.came, self.went, self.cells))

    @property
    def first(self) -> Why:
        """As many of each as there is room for beside a workload."""
        return Why(self.came[:SAID], self.went[:SAID], self.cells[:SAID])


@dataclass(frozen=True, slots=True)
class Moved:
    """One movement with why; its workload, team, target and run are loaded."""

    movement: Movement
    why: Why

    @property
    def kind(self) -> Kind:
        """From which verdict to which."""
        return Kind(self.movement.before, self.movement.after)

    @property
    def cause(self) -> str:
        """What caused it, in words: what its run is about, or what was saved."""
        run = self.movement.run
        return run.about if run else CAUSES.get(self.movement.cause, self.movement.cause)


@dataclass(frozen=True, slots=True)
class TeamMoves:
    """How many of a team's verdicts moved in which way, the worst first."""

    name: str
    slug: str
    kinds: tuple[tuple[Kind, int], ...]

    @property
    def all(self) -> int:
        """All of them."""
        return sum(n for _, n in self.kinds)


def movements_for(person: Person) -> QuerySet[Movement]:
    """What moved, before any filter. Whoever is signed in sees every workload's verdict."""
    return Movement.objects.all() if person.is_active else Movement.objects.none()


def worst_first(movements: QuerySet[Movement]) -> QuerySet[Movement]:
    """By team, the worst first."""
    return movements.order_by(Lower("team__name"), "rank", Lower("workload__name"), Lower("target__name"), "pk")


def with_why(movements: QuerySet[Movement]) -> list[Moved]:
    """Movements with why. For a page of them: the findings of both assessments are read, and what readings say."""
    assessments = [
        f"assessment_{when}__{what}" for when in ("before", "after") for what in ("findings", "missing", "releases")
    ]
    loaded = movements.select_related(
        "workload", "team", "target", "run", "assessment_before", "assessment_after"
    ).only(
        *(f.attname for f in Movement._meta.concrete_fields),
        "workload__name",
        "workload__retired_at",
        "team__name",
        "team__slug",
        "target__name",
        "run__about",
        "run__subject_kind",
        "run__subject_key",
        *assessments,
    )
    found = list(loaded)
    told = [why(m.assessment_before, m.assessment_after) for m in found]
    asked = [Asked(m.assessment_before, m.assessment_after, w.cells) for m, w in zip(found, told, strict=True)]
    cells = completed(asked)
    return [Moved(m, replace(w, cells=c)) for m, w, c in zip(found, told, cells, strict=True)]


def by_team(movements: QuerySet[Movement]) -> list[TeamMoves]:
    """Counts by team and kind of move, in one query."""
    found = (
        movements.order_by()
        .values("team__name", "team__slug", "before", "after")
        .annotate(n=Count("pk"))
        .order_by(Lower("team__name"), "rank")
        .values_list("team__name", "team__slug", "before", "after", "n")
    )
    teams: dict[tuple[str, str], list[tuple[Kind, int]]] = {}
    for name, slug, before, after, n in found:
        teams.setdefault((name, slug), []).append((Kind(before, after), n))
    return [TeamMoves(name, slug, tuple(kinds)) for (name, slug), kinds in teams.items()]


def kinds_of(teams: Iterable[TeamMoves]) -> list[tuple[Kind, int]]:
    """How many moved in which way, all teams together, the worst first."""
    counted: Counter[Kind] = Counter()
    for team in teams:
        counted.update(dict(team.kinds))
    return sorted(counted.items(), key=lambda each: each[0].rank)


def why(before: Assessment, after: Assessment) -> Why:
    """What tells an assessment from the one before it, by what their findings say and the cells that these cite."""
    was, now = _said(before), _said(after)
    came = [said for said in now if said not in was]
    went = [said for said in was if said not in now]
    differing = [*(now[s] for s in came), *(was[s] for s in went)]
    return Why(tuple(came), tuple(went), tuple(_answers(before, after, differing)))


def _said(assessment: Assessment) -> dict[Said, list[Mapping[str, Any]]]:
    """What counts for the verdict, the gravest first, each once with the evidence of its findings."""
    found: dict[Said, list[Mapping[str, Any]]] = {Said("", MISSING, text): [] for text in assessment.missing}
    for finding in assessment.findings:
        if finding["effect"] != Effect.NOTE:
            said = Said(finding["rule"], finding["effect"], first_sentence(finding["reason"]))
            found.setdefault(said, []).extend(finding["evidence"])
    return dict(sorted(found.items(), key=lambda each: grave(each[0])))


def grave(said: Said) -> int:
    """How grave it is; the gravest is 0."""
    return _EFFECTS.index(said.effect)


def _answers(
    before: Assessment, after: Assessment, differing: Sequence[Sequence[Mapping[str, Any]]]
) -> Iterable[Answer]:
    """The cells that differing findings cite, as far as both assessments do not cite them with the same value."""
    was, now = _cited(before), _cited(after)
    for source, key in dict.fromkeys((e["source"], e["cell"]) for evidence in differing for e in evidence):
        then, since = was.get((source, key), ""), now.get((source, key), "")
        if then != since:
            yield Answer(source, key, then, since)


def _cited(assessment: Assessment) -> dict[tuple[str, str], str]:
    """What an assessment's findings rest on, but for the words of own rules: these are named as findings already."""
    evidence = (e for finding in assessment.findings for e in finding["evidence"])
    return {(e["source"], e["cell"]): e["value"] for e in evidence if e["source"] != CUSTOM_RULE}
