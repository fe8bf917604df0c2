"""The form of a rule, and what a rule sees.

A rule's file defines a module constant `RULE`. It reads published knowledge only through `Ground.ledger` and vendor
knowledge only through `Ground.rows`, so that news is a row and no code. What it is given decides how often it runs:

- `at(ground, said)` judges the words of one site by themselves. The judge asks once for the same words and remembers
  the answer, so it is not given where they stand. `weigh(ctx, site, finding)` then sees the whole workload, only
  where something was found, and may keep, change or drop it.
- `serving(ground, subjects)` judges what is served: engines, models and features. It is remembered in the same way.
- `check(ctx)` looks at the whole workload, for each anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import chain
from typing import Any, Concatenate, NamedTuple, TypeVar

from portability.engine.matrices.knowledge import Asked, Ledger
from portability.engine.model import (
    Container,
    Declared,
    Effect,
    Evidence,
    Facts,
    Finding,
    Place,
    Site,
    SiteKind,
    Summary,
    Target,
)
from portability.engine.rules.subject import Subject
from portability.engine.vendor_rows.rows import VendorRows

T = TypeVar("T")


@dataclass
class Ground:
    """What every workload is judged by: the target, the published knowledge, the vendor rows.

    `known`: what functions made of it, and what they asked for that. It may be shared by all grounds of one target, one
    state of the knowledge and one set of rows.
    """

    target: Target
    ledger: Ledger
    rows: VendorRows
    known: dict[tuple[Any, ...], tuple[Any, Asked]]

    def once(self, work: Callable[Concatenate[Ground, ...], T], *about: str) -> T:
        """What a function makes of this ground (and of what it is asked about), worked out where first asked for.

        What it asks of the knowledge is recorded wherever the answer is used. `about` comes from a short list.
        """
        known = self.known.get((work, *about))
        if known is None:
            ground = Ground(self.target, Ledger(self.ledger.knowledge), self.rows, self.known)
            known = self.known[(work, *about)] = work(ground, *about), ground.ledger.asked
        self.ledger.repeat(known[1])
        found: T = known[0]
        return found


@dataclass
class Context(Ground):
    """Everything a rule may look at: the ground, and one workload. A new one for every assessment.

    `alone`: there is no workload, and the target is judged by itself.
    """

    facts: Facts
    declared: Declared
    summary: Summary
    alone: bool = False
    _here: dict[Callable[..., Any], Any] = field(default_factory=dict)

    def here(self, work: Callable[[Context], T]) -> T:
        """What a function makes of this workload, worked out where first asked for."""
        if work not in self._here:
            self._here[work] = work(self)
        found: T = self._here[work]
        return found

    @cached_property
    def sites_by_kind(self) -> Mapping[SiteKind, list[Site]]:
        """The candidate sites, grouped once."""
        grouped: defaultdict[SiteKind, list[Site]] = defaultdict(list)
        for site in self.facts.sites:
            grouped[site.kind].append(site)
        return grouped

    def sites(self, *kinds: SiteKind) -> Iterator[Site]:
        """Sites of these kinds in the order of the manifests."""
        return chain.from_iterable([self.sites_by_kind[kind] for kind in kinds])

    def container(self, site: Site) -> Container | None:
        """The container a site belongs to."""
        return None if site.container is None else self.facts.containers[site.container]


class Said(NamedTuple):
    """What a site says, wherever it stands; kind, value, key and role as `Site` has them."""

    kind: SiteKind
    value: str
    key: str
    role: str

    @classmethod
    def of(cls, site: Site) -> Said:
        """What this site says."""
        return cls(site.kind, site.value, site.key, site.role)


At = Callable[[Ground, Said], Iterable[Finding]]
Weigh = Callable[[Context, Site, Finding], Finding | None]
Serving = Callable[[Ground, tuple[Subject, ...]], Iterable[Finding]]
Check = Callable[[Context], Iterable[Finding]]
_ACRONYMS = frozenset({"os", "dra"})


@dataclass(frozen=True, slots=True)
class Example:
    """One example of a rule: `outcome` is hit, miss or unknown.

    `manifest`: YAML text; `workload` and `target`: keys laid over the defaults of the rule test (the target
    is mi300x-single, or h100 where `target` says vendor nvidia). A hit yields a finding of the rule with
    `effect` (`finding_effect` where given), a miss none, an unknown one with confirm or note. `by` names the rule
    that answers an unknown one where this rule leaves it to another. `as_of`: the day a shown rule is asked for.
    """

    outcome: str
    says: str
    manifest: str = ""
    workload: Mapping[str, Any] = field(default_factory=dict)
    target: Mapping[str, Any] = field(default_factory=dict)
    effect: Effect | None = None
    by: str = ""
    as_of: date | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One check with a stable id. `scope` is workload, target or both: a target rule runs once per target.

    A rule of both runs once for the target, with nothing of a workload, and once for each workload; each run keeps
    what it is about, so the rule says so with every finding. A rule of scope shown is never run by the judge: what
    it finds depends on the day, and is added when an assessment is shown.

    It has at least one of `at` (with the kinds of sites it reads), `serving` and `check`. `asks` puts those questions
    about the target that the rule asks whatever the workload holds, so that every assessment rests on them.
    """

    id: str
    name: str
    class_: str
    why: str
    fix: str
    references: tuple[str, ...]
    reads: tuple[str, ...]  # what it looks at, in words or site kinds
    examples: tuple[Example, ...]
    kinds: tuple[SiteKind, ...] = ()
    at: At | None = None
    weigh: Weigh | None = None
    serving: Serving | None = None
    check: Check | None = None
    asks: Callable[[Ground], object] | None = None
    scope: str = "workload"

    @property
    def title(self) -> str:
        """The name in words: `os-not-listed-for-part` reads "OS not listed for part"."""
        words = " ".join(word.upper() if word in _ACRONYMS else word for word in self.name.split("-"))
        return words[:1].upper() + words[1:]

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What its findings do to a verdict, worst first, as its own examples show."""
        shown = {example.effect for example in self.examples if example.by in ("", self.id)}
        return tuple(effect for effect in Effect if effect in shown)

    def finding(
        self,
        effect: Effect,
        reason: str,
        remedy: str,
        *,
        site: Site | None = None,
        place: Place | None = None,
        value: str = "",
        evidence: Iterable[Evidence] = (),
        about: str = "",
    ) -> Finding:
        """A finding of this rule, at a site or a place. The judge places what `at` finds."""
        return Finding(
            rule=self.id,
            class_=self.class_,
            effect=effect,
            reason=reason,
            remedy=remedy,
            place=site.place if site else place,
            value=value or (site.value if site else ""),
            evidence=tuple(evidence),
            about=about or ("target" if self.scope == "target" else "workload"),
        )
