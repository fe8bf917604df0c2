"""From stored facts to what the register stores: the engine called with what the database knows. Writes nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from portability.engine.assess import Judge
from portability.engine.facts_json import facts_from_json, is_current
from portability.engine.matrices.knowledge import NEAREST, STATUS, Knowledge
from portability.engine.model import Assessment as Judgement
from portability.engine.model import Consulted, Declared, Facts
from portability.engine.output.json import facts_to_summary_json, finding_to_json, releases_to_json
from portability.engine.targets import parse_target
from portability.engine.vendor_rows.rows import VendorRows
from portability.matrices.queries import knowledge
from portability.register.models import Assessment
from portability.rules.custom.judging import CustomJudges
from portability.rules.queries import judging
from portability.targets.models import Target
from portability.workloads.contents import declared_of, facts_json_of
from portability.workloads.models import Revision

Key = tuple[int, int]  # revision id, target id

_KEPT = 16  # judges, each with what it remembers: of more targets than most registers have
NARROW = ("target_version", "verdict", "own_verdict", "platform_judged", "extractor", "catalogue")  # of `columns`
_SETS = 4_096  # of consulted cells: as many as some ten thousand workloads have


@dataclass(frozen=True, slots=True)
class Asked:
    """A set of consulted cells as it is stored, and what the knowledge says to them, as a digest."""

    keys: list[list[str]]
    answers: str
    digest: str  # of both: the name of the set


@dataclass(frozen=True, slots=True)
class Judged:
    """One revision judged for one target: the engine's answer, and the columns to store of it.

    `facts`: what it was judged by, as stored, or as it is to be stored where it was taken anew. `published`: the
    knowledge it was judged on.
    """

    revision: Revision
    facts: dict[str, Any]
    target: Target
    judgement: Judgement
    asked: Asked
    published: Knowledge
    columns: dict[str, Any]

    @property
    def key(self) -> Key:
        """The ids of revision and target."""
        return self.revision.pk, self.target.pk

    @property
    def retaken(self) -> bool:
        """Whether the facts are not those stored: another version of the extractor had taken them."""
        return not is_current(self.revision.extractor)

    def may_be(self, stored: Assessment) -> bool:
        """Whether a stored assessment agrees in all that is narrow. `stored.consulted` must be loaded.

        Most that do not say the same differ in one of these: the texts of those need not be read.
        """
        known = {name: getattr(stored, name) for name in NARROW}
        return stored.consulted.digest == self.asked.digest and known == {name: self.columns[name] for name in NARROW}

    def same_as(self, stored: Assessment) -> bool:
        """Whether a stored assessment already says all this. `stored.consulted` must be loaded."""
        known = {name: getattr(stored, name) for name in self.columns}
        return stored.consulted.digest == self.asked.digest and known == self.columns


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
        self._judges: dict[int, Judge] = {}  # by target, whose stored form is looked at once
        self._last: _Said | None = None  # the pairs of a batch come workload by workload

    def judge(self, revision: Revision, target: Target) -> Judged:
        """Judge a revision by its stored facts, or by its texts where another version of the extractor took those.

        `revision.workload` must be loaded.
        Raises AtFault where a custom rule must be switched off first (`without_faulty_rules`).
        """
        judge = self._judges.get(target.pk)
        if judge is None:
            stored = json.dumps(target.spec, sort_keys=True)
            judge = self._judges[target.pk] = _judge(target.name, stored, self._knowledge, self._judging.rows)
        name = revision.workload.name
        said = self._said(revision)
        besides = self._custom.findings(revision, judge.target)
        judgement = judge.assess(said.facts, said.declared, besides=besides)
        return Judged(
            revision=revision,
            facts=said.stored,
            target=target,
            judgement=judgement,
            asked=_asked(judgement.consulted, self._knowledge),
            published=self._knowledge,
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


@lru_cache(maxsize=_KEPT)
def _judge(name: str, spec: str, published: Knowledge, rows: VendorRows) -> Judge:
    """The judge of a target. Kept with what it remembers, from one batch to the next: it is the same for the same."""
    return Judge(parse_target(json.loads(spec), name), published, rows)


@lru_cache(maxsize=_SETS)
def _asked(consulted: frozenset[Consulted], published: Knowledge) -> Asked:
    """As stored. Kept, for few distinct sets exist."""
    keys = sorted([c.source, c.version, c.key] for c in consulted)
    said = answers(keys, published)
    return Asked(keys, said, _digest([keys, said]))


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
