"""From stored facts to what the register stores: the engine called with what the database knows. Writes nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from portability.engine.assess import Judge
from portability.engine.facts_json import facts_from_json, is_current
from portability.engine.matrices.knowledge import NEAREST, STATUS, Knowledge
from portability.engine.model import Assessment as Judgement
from portability.engine.model import Consulted, Declared, Facts
from portability.engine.output.json import facts_to_summary_json, finding_to_json, releases_to_json
from portability.matrices.queries import knowledge
from portability.register.models import Assessment
from portability.rules.custom.judging import CustomJudges
from portability.rules.queries import judging
from portability.targets.models import Target
from portability.targets.queries import engine_target
from portability.workloads.contents import declared_of, facts_json_of
from portability.workloads.models import Revision


@dataclass(frozen=True, slots=True)
class Judged:
    """One revision judged for one target: the engine's answer, and the columns to store of it.

    `facts`: what it was judged by, as stored, or as it is to be stored where it was taken anew.
    """

    revision: Revision
    facts: dict[str, Any]
    target: Target
    judgement: Judgement
    keys: list[list[str]]
    answers: str
    columns: dict[str, Any]

    @property
    def retaken(self) -> bool:
        """Whether the facts are not those stored: another version of the extractor had taken them."""
        return not is_current(self.revision.extractor)

    @property
    def set_digest(self) -> str:
        """The name of the set of consulted cells."""
        return _digest([self.keys, self.answers])

    def same_as(self, stored: Assessment) -> bool:
        """Whether a stored assessment already says all this. `stored.consulted` must be loaded."""
        known = {name: getattr(stored, name) for name in self.columns}
        return stored.consulted.digest == self.set_digest and known == self.columns


@dataclass(frozen=True, slots=True)
class _Said:
    """What a revision says, ready to be judged for any target."""

    revision: int
    stored: dict[str, Any]
    facts: Facts
    declared: Declared


class Judges:
    """The judges of some targets on the knowledge of this moment. Make one for a batch, not one for each pair."""

    def __init__(self) -> None:
        self._knowledge = knowledge()
        self._judging = judging()
        self._custom = CustomJudges(self._judging.custom)
        self._judges: dict[int, Judge] = {}
        self._last: _Said | None = None  # the pairs of a batch come workload by workload

    def judge(self, revision: Revision, target: Target) -> Judged:
        """Judge a revision by its stored facts, or by its texts where another version of the extractor took those.

        `revision.workload` must be loaded.
        Raises AtFault where a custom rule must be switched off first (`without_faulty_rules`).
        """
        judge = self._judges.get(target.pk)
        if judge is None:
            judge = self._judges[target.pk] = Judge(engine_target(target), self._knowledge, self._judging.rows)
        name = revision.workload.name
        said = self._said(revision)
        besides = self._custom.findings(revision, judge.target)
        judgement = judge.assess(said.facts, said.declared, besides=besides)
        keys = sorted([c.source, c.version, c.key] for c in judgement.consulted)
        return Judged(
            revision=revision,
            facts=said.stored,
            target=target,
            judgement=judgement,
            keys=keys,
            answers=answers(keys, self._knowledge),
            columns={
                "target_version": target.version,
                "verdict": judgement.verdict.value,
                "own_verdict": judgement.own_verdict.value,
                "findings": [finding_to_json(f, name, target.name) for f in judgement.findings],
                "missing": list(judgement.missing),
                "summary": facts_to_summary_json(judgement.summary),
                "releases": releases_to_json(judgement.releases),
                "platform_judged": judgement.platform_judged,
                "extractor": said.stored["extractor"],
                "catalogue": self._judging.digest,
            },
        )

    def _said(self, revision: Revision) -> _Said:
        last = self._last
        if last is None or last.revision != revision.pk:
            stored = facts_json_of(revision)
            declared = declared_of(revision, revision.workload.name)
            last = self._last = _Said(revision.pk, stored, facts_from_json(stored), declared)
        return last


def answers(keys: Iterable[Iterable[str]], published: Knowledge) -> str:
    """A digest of what the knowledge says to these keys, missing ones included."""
    return _digest([_answer(Consulted(*key), published) for key in keys])


def _answer(asked: Consulted, published: Knowledge) -> list[Any]:
    """The version that answers, and the cells it answers with; the day it was read again is no other answer."""
    if asked.key == NEAREST:
        return [published.nearest(asked.source, asked.version)]
    if asked.key == STATUS:
        page = published.sources.get(asked.source)
        return [page.status, page.status_note] if page else []
    release = published.release(asked.source, asked.version)
    if release is None:
        return []
    if asked.key == "*release":
        return [release.version]
    if asked.key.endswith("*"):
        cells = [cell for key, cell in release.cells.items() if key.startswith(asked.key[:-1])]
    else:
        cells = [release.cells[asked.key]] if asked.key in release.cells else []
    return [release.version, [[cell.key, cell.value, cell.note] for cell in cells]]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()
