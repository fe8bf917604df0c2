"""What the rules say of the words of a site, and of what serves: asked once, remembered for as long as the judge lives.

Registers hold much of the same: the same variable, image or engine stands in many places. What is remembered holds no
place and rests on nothing but the words, the target, the knowledge and the rows, since the rules were given nothing
else. What an answer asked of the knowledge is recorded again wherever the answer is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple, TypeVar

from portability.engine.matrices.knowledge import Asked, Knowledge, Ledger
from portability.engine.model import Fact, Feature, Finding, Place, SiteKind, Target
from portability.engine.rules.base import At, Context, Ground, Rule, Said, Serving, Weigh
from portability.engine.rules.subject import Subject
from portability.engine.rules.subjects import subjects
from portability.engine.vendor_rows.rows import VendorRows

_ON_WORDS, _ON_SERVED = 32_768, 4_096  # answers kept, for some thousand workloads; one on what serves is longer
_LONGEST, _LONGEST_SERVED = 300, 3_000  # characters of what is kept, so that memory is bounded


class Answer(NamedTuple):
    """Findings without places, each with what weighs it. `asked`: what they rest on, None for nothing."""

    findings: tuple[tuple[Weigh | None, Finding], ...] = ()
    asked: Asked | None = None


_NOTHING = Answer()
_Key = TypeVar("_Key", bound=tuple[object, ...])


class Remembered:
    """The answers for one target on one state of the knowledge. Threads may share it: an answer never changes."""

    def __init__(self, target: Target, knowledge: Knowledge, rows: VendorRows, rules: Iterable[Rule]) -> None:
        self._target, self._knowledge, self._rows = target, knowledge, rows
        self._on_sites: dict[SiteKind, list[tuple[At, Weigh | None]]] = {}
        self._on_served: list[Serving] = []
        self.known: dict[tuple[Any, ...], tuple[Any, Asked]] = {}
        anyway = self._ground()
        for rule in rules:
            if rule.at:
                for kind in rule.kinds:
                    self._on_sites.setdefault(kind, []).append((rule.at, rule.weigh))
            if rule.serving:
                self._on_served.append(rule.serving)
            if rule.asks:
                rule.asks(anyway)
        self.asked_anyway = anyway.ledger.asked
        self._said: dict[tuple[str, str, str, str], Answer] = {}
        self._served: dict[tuple[tuple[object, ...], ...], Answer] = {}

    def of_sites(self, ctx: Context) -> Iterator[Finding]:
        """What the rules on sites find in a workload."""
        said = self._said
        for site in ctx.facts.sites:
            kind, place, value, key, role, _ = site
            words = (kind, value, key, role)
            answer = said.get(words)
            if answer is None:
                answer = self._ask_at(Said(*words))
            if answer is _NOTHING:
                continue
            if answer.asked:
                ctx.ledger.repeat(answer.asked)
            for weigh, finding in answer.findings:
                placed = finding.put(place)
                weighed = weigh(ctx, site, placed) if weigh else placed
                if weighed is not None:
                    yield weighed

    def of_served(self, ctx: Context) -> Iterator[Finding]:
        """What the rules on engines, models and features find in a workload."""
        served = subjects(ctx)
        if not served:
            return
        answer = self._served.get(tuple([_words(s) for s in served])) or self._ask_serving(served)
        if answer.asked:
            ctx.ledger.repeat(answer.asked)
        places = [place for s in served for place in _places(s)]
        for _, finding in answer.findings:
            yield finding if finding.place is None else finding.put(places[finding.place.line])

    def _ground(self) -> Ground:
        return Ground(self._target, Ledger(self._knowledge), self._rows, self.known)

    def _ask_at(self, said: Said) -> Answer:
        ground = self._ground()
        found = [(weigh, f) for at, weigh in self._on_sites.get(said.kind, ()) for f in at(ground, said)]
        answer = self._answer(found, ground)
        if len(said.value) + len(said.key) <= _LONGEST:
            _keep(self._said, said, answer, _ON_WORDS)
        return answer

    def _ask_serving(self, served: tuple[Subject, ...]) -> Answer:
        ground = self._ground()
        numbers = count()
        stand_ins = tuple(_numbered(s, numbers) for s in served)
        answer = self._answer([(None, f) for serving in self._on_served for f in serving(ground, stand_ins)], ground)
        if sum(map(_length, served)) <= _LONGEST_SERVED:
            _keep(self._served, tuple([_words(s) for s in served]), answer, _ON_SERVED)
        return answer

    def _answer(self, found: list[tuple[Weigh | None, Finding]], ground: Ground) -> Answer:
        asked = None if ground.ledger.consulted <= self.asked_anyway.consulted else ground.ledger.asked
        return Answer(tuple(found), asked) if found or asked else _NOTHING


def _keep(answers: dict[_Key, Answer], key: _Key, answer: Answer, most: int) -> None:
    """Add an answer; all are forgotten at once where they are many."""
    if len(answers) >= most:
        answers.clear()
    answers[key] = answer


def _length(subject: Subject) -> int:
    """Characters of a subject, roughly."""
    facts = (subject.engine, subject.version, subject.model, subject.kind)
    texts = [fact.value + fact.note for fact in facts if fact] + [f.name for f in subject.features]
    return len(subject.image) + sum(map(len, texts))


def _places(subject: Subject) -> list[Place | None]:
    """Every place of a subject, in one order."""
    facts = (subject.engine, subject.version, subject.model, subject.kind)
    return [*[fact and fact.place for fact in facts], subject.place, *[f.place for f in subject.features]]


def _words(subject: Subject) -> tuple[object, ...]:
    """All that a subject says but its places; of those only whether there are any."""
    engine, version, model, kind = subject.engine, subject.version, subject.model, subject.kind
    return (
        engine and (engine.value, engine.origin, engine.note, engine.place is None),
        version and (version.value, version.origin, version.note, version.place is None),
        model and (model.value, model.origin, model.note, model.place is None),
        kind and (kind.value, kind.origin, kind.note, kind.place is None),
        tuple([(f.name, f.required, f.origin, f.place is None) for f in subject.features]),
        subject.gpus,
        subject.kind_told,
        subject.place is None,
        subject.image,
    )


@lru_cache
def _stand_in(number: int) -> Place:
    return Place("", number, "", "")


def _numbered(subject: Subject, numbers: Iterator[int]) -> Subject:
    """The subject with the number of each place in its stead (in the line), so that no rule can tell by the place."""
    stand_ins = [place and _stand_in(n) for place, n in zip(_places(subject), numbers, strict=False)]
    engine, version, model, kind, own, *of_features = stand_ins
    return Subject(
        _placed(subject.engine, engine),
        _placed(subject.version, version),
        _placed(subject.model, model),
        _placed(subject.kind, kind),
        tuple([Feature(f.name, f.required, f.origin, p) for f, p in zip(subject.features, of_features, strict=True)]),
        subject.gpus,
        subject.kind_told,
        own,
        subject.image,
    )


def _placed(fact: Fact | None, place: Place | None) -> Fact | None:
    return fact and Fact(fact.value, fact.origin, place, fact.note)
