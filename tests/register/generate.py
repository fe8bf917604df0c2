"""Registers of any size, written straight into the tables: for counting queries, bytes and memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import cycle, islice

from django.db.models import OuterRef, Subquery

from portability.accounts.models import Team
from portability.engine.facts_json import EXTRACTOR_VERSION, facts_to_json
from portability.engine.matrices.knowledge import Knowledge
from portability.engine.model import Facts, Verdict
from portability.engine.rules.catalogue import digest
from portability.register.bases import interned as interned_bases
from portability.register.bases import key_of
from portability.register.judging import answers
from portability.register.models import Assessment, ConsultedSet, Row
from portability.register.obstacles import interned, text_of
from portability.register.repeated import found_by, repeat
from portability.register.rows import VERDICT_ORDER
from portability.targets.models import Target
from portability.workloads.models import Criticality, Revision, Workload

FIRST = datetime(2026, 8, 7, 9, 0, tzinfo=UTC)
RELEASES = [
    {"source": "rocm-compatibility-matrix", "version": "7.14.0", "read": "2026-08-07"},
    {"source": "vllm-features", "version": "", "read": "2026-08-06"},
]
EVIDENCE = "rocm-compatibility-matrix 7.14.0, read 2026-08-07: os/mi300x/ubuntu = 24.04\n"
AS_OF = "ROCm compatibility matrix 7.14.0, read 7 August 2026"
OBSTACLES = [
    ["IMG001 image vllm/vllm-openai", "RES001 nvidia.com/gpu"],
    ["IMG001 image vllm/vllm-openai", "NOD001 node selection nvidia.com/gpu.product", "RES001 nvidia.com/gpu"],
    ["RES001 nvidia.com/gpu"],
    ["IMG001 image pytorch/pytorch", "PLT003 target: The driver is not among those listed for the part"],
]
WHY = {
    Verdict.MOVABLE: "nothing to change",
    Verdict.NEEDS_CHANGE: "image vllm/vllm-openai:v0.23.0; nvidia.com/gpu (2); host path /dev/nvidia0; 1 to confirm",
    Verdict.PINNED: "encoder-decoder is unsupported on AMD GPUs in vLLM, and this workload cannot do without it",
    Verdict.NOT_ASSESSED: "values.yaml:14: the file is a Helm template. Render it first with helm template",
}


def make_target(name: str = "mi300x-single", *, default: bool = True) -> Target:
    """A target on which nothing is known, so that no reading is needed."""
    spec = {"name": name, "vendor": "amd", "part": "mi300x", "resource_naming": "single"}
    found, _ = Target.objects.get_or_create(name=name, defaults={"vendor": "amd", "spec": spec, "default": default})
    return found


def generate(count: int, target: Target | None = None, *, teams: int = 4, first: int = 0) -> Target:
    """A register of `count` workloads for one target, every verdict and criticality among them."""
    target = target or make_target()
    owners = [Team.objects.get_or_create(slug=f"team-{n}", defaults={"name": f"Team {n}"})[0] for n in range(teams)]
    workloads = Workload.objects.bulk_create(
        Workload(
            team=owners[n % teams],
            name=f"workload-{n:05}",
            criticality=Criticality.values[n % 4],
            owner=f"owner {n % 17}",
            vendor_today="nvidia" if n % 5 else "amd",
            engine=("vllm", "triton", "sglang")[n % 3],
            model="Qwen/Qwen3-8B",
            gpus=n % 9 if n % 10 else None,
        )
        for n in range(first, first + count)
    )
    facts = facts_to_json(Facts())
    revisions = Revision.objects.bulk_create(
        Revision(workload=w, number=1, digest="0" * 64, facts=facts, extractor=EXTRACTOR_VERSION) for w in workloads
    )
    only = Revision.objects.filter(workload=OuterRef("pk")).values("pk")
    Workload.objects.filter(current=None).update(current=Subquery(only))
    _rows(workloads, revisions, target)
    return target


def _rows(workloads: list[Workload], revisions: list[Revision], target: Target) -> None:
    nothing, _ = ConsultedSet.objects.get_or_create(digest="0" * 64, keys=[], answers=answers([], Knowledge([], [])))
    verdicts = list(islice(cycle(WHY), len(workloads)))
    assessments = Assessment.objects.bulk_create(
        Assessment(
            revision=revision,
            target=target,
            target_version=target.version,
            verdict=verdict,
            own_verdict=verdict,
            findings=[],
            summary={},
            releases=RELEASES,
            consulted=nothing,
            extractor=EXTRACTOR_VERSION,
            catalogue=digest(),
            cause="registered",
            assessed_at=FIRST,
        )
        for revision, verdict in zip(revisions, verdicts, strict=True)
    )
    known = interned_bases(key_of(assessment, AS_OF) for assessment in assessments)
    in_the_way = list(interned(text_of(parts) for parts in OBSTACLES).values())
    Row.objects.bulk_create(
        Row(
            workload=workload,
            **repeat(workload),
            target=target,
            assessment=assessment,
            basis_id=known[key_of(assessment, AS_OF)],
            **found_by({"containers": []}, WHY[verdict]),
            verdict=verdict,
            verdict_order=VERDICT_ORDER[verdict],
            own_verdict=verdict,
            changes=2 if verdict is Verdict.NEEDS_CHANGE else 0,
            why=WHY[verdict],
            rules="|IMG001|RES001|" if verdict is Verdict.NEEDS_CHANGE else "",
            obstacles_id=in_the_way[n % len(in_the_way)] if verdict is Verdict.NEEDS_CHANGE else None,
            reasons=f"RES001 serving.yaml:{n}: {WHY[verdict]}\n" * 8,
            what_to_change="RES001: ask for amd.com/gpu instead of nvidia.com/gpu\n" * 8,
            evidence="" if verdict is Verdict.MOVABLE else EVIDENCE * 8,
            as_of=AS_OF,
            assessed_at=FIRST,
            moved_at=FIRST + timedelta(days=n % 90) if n % 3 == 0 else None,
            moved_cause="manifest" if n % 3 == 0 else "",
        )
        for n, (workload, assessment, verdict) in enumerate(zip(workloads, assessments, verdicts, strict=True))
    )
