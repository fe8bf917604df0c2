"""What the register knows, and how well: what is due, what is disputed, and what the verdicts rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from django.db.models import Count, Q
from django.urls import reverse

from portability.engine.assess import Judge
from portability.engine.matrices.keys import OPERATOR, ROCM
from portability.engine.matrices.knowledge import NEWEST, Knowledge
from portability.engine.model import Declared, Facts, Finding
from portability.engine.output.json import finding_to_json
from portability.engine.rules.knowledge.kno003_sources_disagree import RULE as DISAGREE
from portability.matrices.models import Look
from portability.matrices.queries import Line, knowledge, lines, reading_pages
from portability.register.models import Row
from portability.register.resting import resting
from portability.rules.queries import judging_rows
from portability.targets.models import Target
from portability.targets.queries import active_targets, engine_target
from portability.workloads.findings import Shown, Texts, grouped

_VLLM = "vllm"  # the engine that a page besides AMD's table lists by part
_SAYING = (Look.Found.CHANGED, Look.Found.MOVED, Look.Found.FAILED)


@dataclass(frozen=True, slots=True)
class Counted:
    """How many workloads of one target, and where the register lists them."""

    target: str
    workloads: int
    address: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """A question that two sources answer differently: what each says, and the workloads that rest on it."""

    finding: Shown
    on: tuple[Counted, ...]


@dataclass(frozen=True, slots=True)
class Resting:
    """A reading that verdicts rest on. `newer`: the day of the reading of the same version in force, where later."""

    title: str
    version: str
    read: date
    days: int
    page: str
    newer: date | None
    assessments: int
    on: tuple[Counted, ...]


@dataclass(frozen=True, slots=True)
class Unread:
    """A target of a version that no reading describes, and the nearest that one does."""

    target: str
    source: str
    title: str
    version: str
    nearest: str


@dataclass(frozen=True, slots=True)
class Overview:
    """All of it, for one day."""

    ages: Sequence[Line]  # what is due first
    disputes: Sequence[Dispute]
    resting: Sequence[Resting]  # read longest ago first
    unread: Sequence[Unread]

    @property
    def overdue(self) -> int:
        """How many readings are past the day they were due."""
        return sum(1 for line in self.ages if line.overdue)

    @property
    def looks(self) -> list[Line]:
        """The sources whose page was found changed or moved, or could not be looked at."""
        return [line for line in self.ages if line.first and line.look and line.look.found in _SAYING]


def overview(today: date) -> Overview:
    """What the pages of this day show, in a fixed number of queries."""
    published, targets = knowledge(), active_targets()
    pages = reading_pages()
    return Overview(
        sorted(lines(today), key=lambda line: (-line.overdue, line.due or date.max, -(line.age or 0))),
        _disputes(published, targets, pages),
        _resting(published, targets, pages, today),
        [each for target in targets for each in _unread(published, target)],
    )


def _unread(published: Knowledge, target: Target) -> list[Unread]:
    spec = engine_target(target)
    found = []
    for source, version in ((ROCM, spec.rocm), (OPERATOR, spec.operator)):
        if version and version != NEWEST and published.release(source, version) is None:
            page = published.sources.get(source)
            title = page.title if page else source
            found.append(Unread(target.name, source, title, version, published.nearest(source, version) or ""))
    return found


def _resting(
    published: Knowledge, targets: Sequence[Target], pages: Mapping[tuple[str, str, date | None], str], today: date
) -> list[Resting]:
    found = []
    for each in resting():
        page, now = published.sources.get(each.source), published.release(each.source, each.version)
        counted = tuple(
            Counted(t.name, n, _register(target=t.name, rests=f"{each.source}:{each.version}"))
            for t in targets
            if (n := each.workloads.get(t.pk))
        )
        found.append(
            Resting(
                title=page.title if page else each.source,
                version=each.version,
                read=each.read,
                days=(today - each.read).days,
                page=pages.get((each.source, each.version, each.read))
                or pages.get((each.source, each.version, None), ""),
                newer=now.read if now and now.read > each.read else None,
                assessments=each.assessments,
                on=counted,
            )
        )
    return sorted(found, key=lambda r: (r.read, r.title, r.version))


def _disputes(
    published: Knowledge, targets: Sequence[Target], pages: Mapping[tuple[str, str, date | None], str]
) -> list[Dispute]:
    """What the rule on sources that disagree finds for each target: by itself, and for the engine that two pages list.

    What it says depends on nothing else, so that no workload has to be looked at; they are only counted.
    """
    rows = Row.objects.filter(workload__retired_at=None, rules__contains=f"|{DISAGREE.id}|").order_by()
    counts = rows.values_list("target").annotate(n=Count("pk"), vllm=Count("pk", filter=Q(workload__engine=_VLLM)))
    by_target = {target: (n, vllm) for target, n, vllm in counts}
    found: dict[tuple[str, ...], tuple[Finding, list[Counted]]] = {}
    own_rows = judging_rows()
    for target in targets:
        judge = Judge(engine_target(target), published, own_rows)
        judged = judge.assess(Facts(), Declared(engine=_VLLM, model_kind="decoder-only"), registered=False)
        every, vllm = by_target.get(target.pk, (0, 0))
        for finding in (f for f in judged.findings if f.rule == DISAGREE.id):
            engine = {} if finding.about == "target" else {"engine": _VLLM}
            address = _register(target=target.name, rule=DISAGREE.id, **engine)
            counted = Counted(target.name, vllm if engine else every, address)
            known = finding.about, finding.reason
            found.setdefault(known, (finding, []))[1].append(counted)
    return [Dispute(_shown(finding, published, pages), tuple(on)) for finding, on in found.values()]


def _shown(finding: Finding, published: Knowledge, pages: Mapping[tuple[str, str, date | None], str]) -> Shown:
    groups = grouped([finding_to_json(finding, "", "")], Texts(), published, pages)
    (group,) = groups.own or groups.target
    return group.findings[0]


def _register(**asked: str) -> str:
    return f"{reverse('register:register')}?{urlencode(asked)}"
