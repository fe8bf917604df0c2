"""The form of a rule, and what a rule sees.

A rule's file defines a module constant `RULE`. Its check yields findings; it reads published knowledge only
through `Context.ledger` and vendor knowledge only through `Context.rows`, so that news is a row and no code.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from portability.engine.matrices.knowledge import Ledger
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
from portability.engine.vendor_rows.rows import VendorRows

T = TypeVar("T")


@dataclass
class Context:
    """Everything a rule may look at: one workload, one target, the knowledge. A new one for every assessment.

    `alone`: there is no workload, and the target is judged by itself.
    """

    facts: Facts
    declared: Declared
    summary: Summary
    target: Target
    ledger: Ledger
    rows: VendorRows
    alone: bool = False
    _known: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def once(self, work: Callable[..., T], *about: str) -> T:
        """What a function makes of this context (and of what it is asked about), worked out where first asked for."""
        key = (work, *about)
        if key not in self._known:
            self._known[key] = work(self, *about)
        found: T = self._known[key]
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
    """

    id: str
    name: str
    class_: str
    why: str
    fix: str
    references: tuple[str, ...]
    reads: tuple[str, ...]  # what it looks at, in words or site kinds
    examples: tuple[Example, ...]
    check: Check
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
        """A finding of this rule, at a site or a place, or about the target where neither is given."""
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
