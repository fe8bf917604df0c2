"""What a workload would be, before anything is saved. Reads and judges; writes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from portability.engine.assess import Judge
from portability.engine.manifests.secrets import Redaction
from portability.engine.model import Assessment, Effect
from portability.engine.output.json import facts_to_summary_json, finding_to_json
from portability.matrices.queries import knowledge, reading_pages
from portability.register.texts import as_of
from portability.rules.custom.judging import CustomJudges
from portability.rules.queries import judging
from portability.targets.models import Target
from portability.targets.queries import active_targets, engine_target
from portability.workloads.contents import Content
from portability.workloads.findings import Address, Groups, Texts, counts_in_words, grouped
from portability.workloads.shown_facts import ShownFact, facts, features


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
    as_of: str  # the reading that the chosen answer rests on
    groups: Groups
    redactions: list[Redaction]
    harmless: list[tuple[str, str]]
    faults: Mapping[str, str]  # custom rules that said nothing, by id, and why: saving would switch them off


def preview(content: Content, name: str, target: str = "") -> Preview:
    """Judge a content for every active target; findings are shown for the chosen one, else the default."""
    published, by = knowledge(), judging()
    custom = CustomJudges(by.custom).of_files(content.files)
    targets = active_targets()
    texts = Texts(content.texts, _in_form(content))
    chosen = _chosen(targets, target)
    answers: list[Answer] = []
    groups, judged_platform = Groups(), True
    missing: Sequence[str] = ()
    shown: Answer | None = None
    rests_on = ""
    for each in targets:
        judge = Judge(engine_target(each), published, by.rows)
        judged = judge.assess(content.manifests.facts, content.declared, besides=custom(judge.target))
        answer = Answer(each.name, judged.verdict, judged.own_verdict, _counts(judged), each == chosen)
        answers.append(answer)
        if each == chosen:
            shown, missing, judged_platform = answer, judged.missing, judged.platform_judged
            rests_on = as_of(judged, published)
            found: list[dict[str, Any]] = [finding_to_json(f, name, each.name) for f in judged.findings]
            groups = grouped(found, texts, published, reading_pages())
    summary = facts_to_summary_json(content.summary)
    shown_features = features(summary, content.declared_json, texts.address)
    return Preview(
        facts=facts(summary, content.declared_json, texts.address),
        features=[(fact, f.required) for fact, f in zip(shown_features, content.summary.features, strict=True)],
        contradictions=content.summary.contradictions,
        missing=missing,
        answers=answers,
        chosen=shown,
        platform_judged=judged_platform,
        as_of=rests_on,
        groups=groups,
        redactions=content.redactions,
        harmless=content.harmless,
        faults=custom.faults,
    )


def _chosen(targets: Sequence[Target], name: str) -> Target | None:
    return next((t for t in targets if t.name == name), targets[0] if targets else None)


def _counts(judged: Assessment) -> str:
    """What counts for the verdict; notes do not."""
    counting = [effect for effect in Effect if effect is not Effect.NOTE]
    return counts_in_words((effect, sum(f.effect is effect for f in judged.findings)) for effect in counting)


def _in_form(content: Content) -> Address:
    """The text area that holds a file."""
    areas = {name: f"#file-{n}" for n, (name, _) in enumerate(content.files, start=1)}
    areas |= {name: f"#source-{n}" for n, (name, _) in enumerate(content.material.files, start=1)}
    return lambda name, _line: areas.get(name, "")
