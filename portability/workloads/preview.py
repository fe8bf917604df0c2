"""What a workload would be, before anything is saved. Reads and judges; writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from portability.engine.assess import Judge
from portability.engine.manifests.secrets import Redaction
from portability.engine.model import Assessment, Effect, Fact, Summary
from portability.engine.output.json import finding_to_json
from portability.matrices.queries import knowledge
from portability.targets.models import Target
from portability.targets.queries import active_targets, engine_target
from portability.workloads.contents import Content
from portability.workloads.findings import Address, Groups, Texts, grouped
from portability.workloads.uploads import Files

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
    link: str = ""

    @property
    def where(self) -> str:
        """`serving.yaml:38`; "" for what stands in no manifest."""
        return f"{self.file}:{self.line}" if self.line else ""


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
    features: list[tuple[ShownFact, bool]]  # and whether the workload cannot do without it
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
    texts = Texts(dict(content.files), _in_form(content.files))
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
            groups = grouped(found, texts, published)
    return Preview(
        facts=facts_in_words(content.summary, texts.address),
        features=features_in_words(content.summary, texts.address),
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
    return next((t for t in targets if t.name == name), targets[0] if targets else None)


def counts_in_words(judged: Assessment) -> str:
    """`2 to change, 1 to confirm`."""
    words = {Effect.BLOCKS: "without a way", Effect.CHANGE: "to change", Effect.CONFIRM: "to confirm"}
    counted = {effect: sum(f.effect is effect for f in judged.findings) for effect in words}
    return ", ".join(f"{n} {words[effect]}" for effect, n in counted.items() if n)


def _in_form(files: Files) -> Address:
    """The text area that holds a file."""
    positions = {name: n for n, (name, _) in enumerate(files, start=1)}
    return lambda name, _line: f"#file-{positions[name]}" if name in positions else ""


def facts_in_words(summary: Summary, address: Address) -> list[ShownFact]:
    """The judged facts, those that are not known included."""
    named = (
        ("Engine", summary.engine),
        ("Engine version", summary.engine_version),
        ("Model", summary.model),
        ("Model kind", summary.model_kind),
    )
    facts = [_fact(label, fact, address) for label, fact in named]
    for label, number in (("GPUs per replica", summary.gpus_per_replica), ("Replicas", summary.replicas)):
        facts.append(ShownFact(label, "" if number is None else str(number), ""))
    return facts


def features_in_words(summary: Summary, address: Address) -> list[tuple[ShownFact, bool]]:
    """Every feature in use, each once."""
    return [(_fact("", Fact(f.name, f.origin, f.place), address), f.required) for f in summary.features]


def _fact(label: str, fact: Fact | None, address: Address) -> ShownFact:
    if fact is None:
        return ShownFact(label, "", "")
    file, line = (fact.place.file, fact.place.line) if fact.place else ("", 0)
    origin = ORIGINS.get(fact.origin, fact.origin)
    return ShownFact(label, fact.value, origin, file, line, fact.note, address(file, line) if line else "")
