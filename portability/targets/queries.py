"""Reading the targets room: targets as rows, as the engine's values, and with what is known about them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count

from portability.engine.assess import assess
from portability.engine.matrices.knowledge import Knowledge
from portability.engine.model import Assessment, Declared, Effect, Facts, Finding, Verdict
from portability.engine.model import Target as EngineTarget
from portability.engine.output.json import finding_to_json
from portability.engine.targets import parse_target
from portability.engine.vendor_rows.rows import VendorRows
from portability.matrices.models import Release
from portability.matrices.queries import due_on, knowledge, reading_pages
from portability.register.models import Row
from portability.rules.queries import judging_rows
from portability.targets import words
from portability.targets.models import Target
from portability.workloads.findings import Group, Texts, grouped

VERDICTS = (Verdict.MOVABLE, Verdict.NEEDS_CHANGE, Verdict.PINNED, Verdict.NOT_ASSESSED)


@dataclass(frozen=True, slots=True)
class Known:
    """What the rules say of a target by itself, and the readings that rests on."""

    assessment: Assessment

    @property
    def findings(self) -> list[Finding]:
        """The findings about the target, worst first."""
        return [f for f in self.assessment.findings if f.about == "target"]

    @property
    def effects(self) -> list[tuple[Effect, int]]:
        """How many findings of each effect, worst first, without the effects there are none of."""
        counted = Counter(f.effect for f in self.findings)
        return [(effect, counted[effect]) for effect in Effect if counted[effect]]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the list: a target, its verdict counts and what is found about it."""

    target: Target
    spec: EngineTarget
    verdicts: list[tuple[Verdict, int]]
    known: Known

    @property
    def counted(self) -> list[tuple[Verdict, int]]:
        """The verdicts that any workload has."""
        return [(verdict, count) for verdict, count in self.verdicts if count]

    @property
    def part(self) -> str:
        """`AMD MI300X`."""
        return words.part_in_words(self.spec)

    @property
    def os(self) -> str:
        """`Ubuntu 24.04.4`."""
        return words.os_in_words(self.spec, kernel=False)

    @property
    def runtime(self) -> str:
        """`ROCm 7.14.0, amdgpu 31.40.1`."""
        return words.runtime_in_words(self.spec)


def active_targets() -> list[Target]:
    """The targets that workloads are assessed for: the one the register opens with, then the others by name."""
    return list(Target.objects.filter(active=True).order_by("-default", "name"))


def engine_target(target: Target) -> EngineTarget:
    """A stored target as the engine's value."""
    return parse_target(target.spec, target.name)


def known(spec: EngineTarget, published: Knowledge, rows: VendorRows | None = None) -> Known:
    """What the rules say of a target without any workload, by the rows that judge now or by those given."""
    return Known(assess(Facts(), Declared(), spec, published, rows or judging_rows(), registered=False))


@dataclass(frozen=True, slots=True)
class Reading:
    """A stored reading, and by how many days it is overdue."""

    release: Release
    overdue: int


def readings(known_of: Known, today: date) -> list[Reading]:
    """The stored readings that what is known of a target rests on, and how late they are on that day."""
    refs = known_of.assessment.releases
    stored = Release.objects.filter(state=Release.State.PUBLISHED, source__in={ref.source for ref in refs})
    wanted = {(ref.source, ref.version) for ref in refs}
    found = [r for r in stored.select_related("source") if (r.source_id, r.version) in wanted]
    return [Reading(r, due_on(r.source, r, today)[1]) for r in found]


def groups(target: Target, known_of: Known, published: Knowledge) -> tuple[Group, ...]:
    """The findings about a target as pages show them, by effect."""
    return grouped(as_stored(target, known_of), Texts(), published, reading_pages()).target


def as_stored(target: Target, known_of: Known) -> list[dict[str, Any]]:
    """The findings about a target in the form in which assessments store them, which inherit them."""
    return [finding_to_json(f, "", target.name) for f in known_of.findings]


def stands_against(target: Target) -> list[dict[str, Any]]:
    """The same of a target as it is known now."""
    return as_stored(target, known(engine_target(target), knowledge()))


def lines() -> list[Line]:
    """Every target, the default first and inactive ones last."""
    counts: dict[int, Counter[str]] = {}
    judged = Row.objects.filter(workload__retired_at__isnull=True).values_list("target", "verdict").order_by()
    for target_id, verdict, n in judged.annotate(n=Count("id")):
        counts.setdefault(target_id, Counter())[verdict] = n
    published, rows = knowledge(), judging_rows()
    found = []
    for target in Target.objects.order_by("-active", "-default", "name"):
        spec = engine_target(target)
        found.append(Line(target, spec, in_words(counts.get(target.pk, Counter())), known(spec, published, rows)))
    return found


def in_words(counted: Counter[str]) -> list[tuple[Verdict, int]]:
    """Counts by verdict in the order pages tell them, those of none too."""
    return [(verdict, counted[verdict.value]) for verdict in VERDICTS]
