"""A register of workloads as varied as a cluster's: facts taken from generated manifests, some with declared facts."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from typing import Any

from portability.engine.facts_json import EXTRACTOR_VERSION, facts_to_json
from portability.engine.manifests import read_facts
from tests.bench.manifests import workload_files

_TEAMS = 20
_AT_ONCE = 500
# What teams declare beside their manifests: two in three nothing.
_DECLARED: tuple[dict[str, Any], ...] = (
    {"model_kind": "decoder-only"},
    {"model_kind": "pooling"},
    {"model_kind": "multimodal"},
    {"model_kind": "encoder-decoder"},
    {"engine": "vllm", "engine_version": "0.23.0"},
    {"engine": "triton", "model_kind": "decoder-only"},
    {"features": ["lora"]},
    {"features": ["prefix-caching", "chunked-prefill"]},
    {"features": [{"name": "speculative-decoding", "required": True}]},
    {"features": [{"name": "best-of", "required": True}, "beam-search"]},
)


def facts_taken(texts: Sequence[str]) -> list[dict[str, Any]]:
    """The facts of each text as they are stored, taken by as many processes as there are processors."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(_facts, texts, chunksize=100))


def _facts(text: str) -> dict[str, Any]:
    return facts_to_json(read_facts([("serving.yaml", text)]))


def fill(count: int, seed: int = 1) -> None:
    """Register `count` workloads of twenty teams. Nothing is judged by this."""
    from portability.accounts.models import Team
    from portability.workloads.models import Criticality, ManifestFile, Revision, Workload

    rng = random.Random(seed)
    texts = workload_files(count, seed)
    teams = [Team.objects.create(name=f"Team {n}", slug=f"team-{n}") for n in range(_TEAMS)]
    numbered = iter(enumerate(zip(texts, facts_taken(texts), strict=True)))
    while some := list(islice(numbered, _AT_ONCE)):
        workloads = Workload.objects.bulk_create(
            Workload(team=teams[n % _TEAMS], name=f"workload-{n:05}", criticality=Criticality.values[n % 4])
            for n, _ in some
        )
        revisions = Revision.objects.bulk_create(
            Revision(
                workload=workload,
                number=1,
                digest=f"{n:064}",
                declared=rng.choice(_DECLARED) if rng.random() < 1 / 3 else {},
                facts=facts,
                extractor=EXTRACTOR_VERSION,
            )
            for workload, (n, (_, facts)) in zip(workloads, some, strict=True)
        )
        ManifestFile.objects.bulk_create(
            ManifestFile(revision=revision, position=0, name="serving.yaml", text=text)
            for revision, (_, (text, _)) in zip(revisions, some, strict=True)
        )
        for workload, revision in zip(workloads, revisions, strict=True):
            workload.current = revision
        Workload.objects.bulk_update(workloads, ["current"])


def mix() -> Iterator[str]:
    """What the register holds, in lines: asked of what was judged."""
    from portability.register.models import Assessment, ConsultedSet, Row
    from portability.workloads.models import Revision

    images: Counter[str] = Counter()
    facts = set()
    for stored in Revision.objects.values_list("facts", flat=True).iterator():
        images.update(container["image"] for container in stored["containers"] if container["image"])
        facts.add(tuple((kind, value, key) for kind, _, value, key, *_ in stored["sites"]))
    engines: Counter[str] = Counter()
    features: Counter[str] = Counter()
    findings = 0
    for summary, found in Assessment.objects.filter(current=True).values_list("summary", "findings").iterator():
        engines[summary["engine"] or "none known"] += 1
        features.update(summary["features"])
        findings += len(found)
    rows = Row.objects.count()
    verdicts = Counter(Row.objects.values_list("verdict", flat=True))
    yield f"{len(facts):,} different lists of what they say, {len(images):,} images, {len(features)} features"
    yield "engines: " + ", ".join(f"{name} {n / rows:.0%}" for name, n in engines.most_common())
    yield "verdicts: " + ", ".join(f"{name} {n / rows:.0%}" for name, n in verdicts.most_common())
    yield f"{findings / rows:.1f} findings an assessment, {ConsultedSet.objects.count():,} sets of consulted cells"
