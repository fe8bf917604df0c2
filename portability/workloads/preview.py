"""What a workload would be, before anything is saved. Reads and judges; writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from portability.engine.assess import Judge
from portability.engine.manifests.secrets import Redaction
from portability.engine.model import Assessment, Effect, Fact, Place, Summary
from portability.engine.output.json import finding_to_json
from portability.matrices.queries import knowledge
from portability.targets.models import Target
from portability.targets.queries import active_targets, engine_target
from portability.workloads.contents import Content
from portability.workloads.findings import Groups, Texts, grouped

ORIGINS = {
    "detected": "from the manifests",
    "inferred": "from the model's name",
    "declared": "declared by the team",
    "assumed": "assumed",
}


@dataclass(frozen=True, slots=True)
class ShownFact:
    """One fact in words, with where it comes from."""

    label: str
    value: str
    origin: str
    file: str = ""
    line: int = 0
    note: str = ""

    @property
    def where(self) -> str:
        """`serving.yaml:38`; "" for what stands in no manifest."""
        return f"{self.file}:{self.line}" if self.line else ""


@dataclass(frozen=True, slots=True)
class ShownFeature:
    """A feature in use, and whether the workload cannot do without it."""

    name: str
    required: bool
    origin: str
    where: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict for one target, with how many findings of each effect."""

    target: str
    verdict: str
    own_verdict: str
    counts: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """All that the page shows of it."""

    facts: list[ShownFact]
    features: list[ShownFeature]
    contradictions: Sequence[str]
    missing: Sequence[str]
    answers: list[Answer]
    chosen: Answer | None
    platform_judged: bool
    groups: Groups
    redactions: list[Redaction]
    harmless: list[tuple[str, str]]


def preview(content: Content, name: str, target: str = "") -> Preview:
    """Judge a content for every active target; findings are shown for the chosen one, else the default."""
    published = knowledge()
    targets = active_targets()
    chosen = _chosen(targets, target)
    answers: list[Answer] = []
    groups, judged_platform = Groups(), True
    missing: Sequence[str] = ()
    shown: Answer | None = None
    for each in targets:
        judged = Judge(engine_target(each), published).assess(content.manifests.facts, content.declared)
        answer = Answer(each.name, judged.verdict, judged.own_verdict, counts_in_words(judged), each == chosen)
        answers.append(answer)
        if each == chosen:
            shown, missing, judged_platform = answer, judged.missing, judged.platform_judged
            found: list[dict[str, Any]] = [finding_to_json(f, name, each.name) for f in judged.findings]
            groups = grouped(found, Texts(dict(content.files)), published)
    return Preview(
        facts=facts_in_words(content.summary),
        features=features_in_words(content.summary),
        contradictions=content.summary.contradictions,
        missing=missing,
        answers=answers,
        chosen=shown,
        platform_judged=judged_platform,
        groups=groups,
        redactions=content.manifests.redactions,
        harmless=content.manifests.harmless,
    )


def _chosen(targets: Sequence[Target], name: str) -> Target | None:
    by_name = next((t for t in targets if t.name == name), None)
    return by_name or next((t for t in targets if t.default), targets[0] if targets else None)


def counts_in_words(judged: Assessment) -> str:
    """`2 to change, 1 to confirm`."""
    words = {Effect.BLOCKS: "without a way", Effect.CHANGE: "to change", Effect.CONFIRM: "to confirm"}
    counted = {effect: sum(f.effect is effect for f in judged.findings) for effect in words}
    return ", ".join(f"{n} {words[effect]}" for effect, n in counted.items() if n)


def facts_in_words(summary: Summary) -> list[ShownFact]:
    """The judged facts, those that are not known included."""
    named = (
        ("Engine", summary.engine),
        ("Engine version", summary.engine_version),
        ("Model", summary.model),
        ("Model kind", summary.model_kind),
    )
    facts = [_fact(label, fact) for label, fact in named]
    for label, number in (("GPUs per replica", summary.gpus_per_replica), ("Replicas", summary.replicas)):
        facts.append(ShownFact(label, "" if number is None else str(number), ""))
    return facts


def _fact(label: str, fact: Fact | None) -> ShownFact:
    if fact is None:
        return ShownFact(label, "", "")
    file, line = (fact.place.file, fact.place.line) if fact.place else ("", 0)
    return ShownFact(label, fact.value, ORIGINS.get(fact.origin, fact.origin), file, line, fact.note)


def features_in_words(summary: Summary) -> list[ShownFeature]:
    """Every feature in use, each once."""
    return [
        ShownFeature(f.name, f.required, ORIGINS.get(f.origin, f.origin), _where(f.place)) for f in summary.features
    ]


def _where(place: Place | None) -> str:
    return f"{place.file}:{place.line}" if place else ""
