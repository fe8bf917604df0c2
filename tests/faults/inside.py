"""What the tests of faults do and ask inside the product, as a process with the product's settings of its own.

`python -m tests.faults.inside ACT [ARGUMENT ...]` prints one line of JSON. IMPORTED_FIRST names a module that makes the
process one of another version.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any

import django

ROCM, FEATURES = "rocm-compatibility-matrix", "vllm-features"
TARGET = "mi300x-single"
IMAGES = (
    "vllm/vllm-openai:v0.23.0",
    "vllm/vllm-openai-rocm:v0.23.0",
    "vllm/vllm-openai:v0.9.1",
    "lmsysorg/sglang:v0.5.3",
)
RESOURCES = ("nvidia.com/gpu", "amd.com/gpu")
FLAGS = ("", ', "--enable-prefix-caching"', ', "--kv-cache-dtype=fp8"')


def fill(count: str) -> dict[str, str]:
    """Register workloads with real facts, judge all for one target, and sign a curator in: the cookie is the answer."""
    from django.conf import settings
    from django.test import Client

    from portability.accounts.models import Person, Team
    from portability.engine.facts_json import EXTRACTOR_VERSION, facts_to_json
    from portability.engine.manifests import read_facts
    from portability.register import queries
    from portability.register.actions import start_run
    from portability.register.batches import do_batch
    from portability.targets.models import Target
    from portability.workloads.models import Revision, Workload
    from tests.register.registering import SERVING

    Target.objects.exclude(name=TARGET).update(active=False)
    kinds = [
        facts_to_json(read_facts([("serving.yaml", _with(flag, SERVING.format(image=image, resource=resource)))]))
        for image in IMAGES
        for resource in RESOURCES
        for flag in FLAGS
    ]
    team = Team.objects.create(name="Search", slug="search")
    made = Workload.objects.bulk_create(Workload(team=team, name=f"workload-{n:05}") for n in range(int(count)))
    revisions = Revision.objects.bulk_create(
        Revision(workload=w, number=1, digest=f"{w.pk:064}", facts=kinds[n % len(kinds)], extractor=EXTRACTOR_VERSION)
        for n, w in enumerate(made)
    )
    for workload, revision in zip(made, revisions, strict=True):
        workload.current = revision
    Workload.objects.bulk_update(made, ["current"], batch_size=500)
    run = start_run(
        cause="registered", about="all", pairs=queries.pairs_of_target(Target.objects.get(name=TARGET)), who=None
    )
    assert run is not None
    for batch in run.batches.order_by("pk"):
        assert do_batch(batch.pk)
    curator = Person.objects.create(username="curator", curator=True)
    client = Client()
    client.force_login(curator, backend="django.contrib.auth.backends.ModelBackend")
    return {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}


def _with(flag: str, text: str) -> str:
    return text.replace('"--model=Qwen/Qwen3-8B"', f'"--model=Qwen/Qwen3-8B"{flag}')


def draft(source: str, change: str, value: str) -> dict[str, Any]:
    """A draft in which the cells whose key starts so have another value; what its button sends is the answer."""
    from portability.matrices.drafts import cells_digest
    from portability.matrices.models import Cell, Release, Source
    from portability.matrices.queries import published_reading

    version = "7.14.0" if source == ROCM else ""
    present = published_reading(Source.objects.get(pk=source), version)
    assert present is not None
    release = Release.objects.create(
        source_id=source, version=version, read=present.read + timedelta(days=1), read_by="curator", digest=""
    )
    cells = list(present.cells.all())
    changed = [cell for cell in cells if cell.key.startswith(change)]
    assert changed, f"no cell of {source} starts with {change}"
    for cell in changed:
        cell.value = value
    for cell in cells:
        cell.pk, cell.release = None, release
    Cell.objects.bulk_create(cells)
    release.digest = cells_digest(release.cells.all())
    release.save()
    return {"pk": release.pk, "digest": release.digest, "instead_of": present.pk, "gone_through": "on"}


def truth() -> dict[str, Any]:
    """Everything that is stored, held against a judgement of every pair made just now."""
    from django.db.models import F

    from portability.register import queries
    from portability.register.judging import Judges
    from portability.register.models import Assessment, Batch, Movement, Row, Run
    from portability.targets.models import Target

    judges, wrong = Judges(), []
    rows = {(r.workload_id, r.target_id): r for r in Row.objects.select_related("assessment__consulted")}
    pairs = [pair for target in Target.objects.filter(active=True) for pair in queries.pairs_of_target(target)]
    revisions = {r.workload_id: r for r in queries.current_revisions(workload for workload, _ in pairs)}
    targets = Target.objects.in_bulk()
    for workload, target in pairs:
        row, now = rows.get((workload, target)), judges.judge(revisions[workload], targets[target])
        verdict, revision = now.judgement.verdict.value, revisions[workload].pk
        stored = row.assessment if row else None
        said = (row.verdict, stored.revision_id, stored.current) if row and stored else None
        if said != (verdict, revision, True) or not (stored and now.same_as(stored)):
            wrong.append([workload, target])
    current = Counter(Assessment.objects.filter(current=True).values_list("revision", "target"))
    moved = Movement.objects.exclude(assessment_after__verdict=F("after")).count()
    return {
        "pairs": len(pairs),
        "wrong": len(wrong),
        "for example": wrong[:3],
        "out of date": len(queries.outdated_pairs()),
        "one current each": len(current) == len(pairs) and set(current.values()) == {1},
        "moves that are not so": moved,
        "verdicts": dict(Counter(row.verdict for row in rows.values())),
        "undone": Batch.objects.exclude(state__in=("done", "failed")).count(),
        "runs": list(Run.objects.order_by("pk").values("id", "state", "total", "done", "failed", "about")),
    }


def again() -> int:
    """Send two messages for every batch of the newest run, whether or not there was one before."""
    from portability.register.models import Run
    from portability.register.tasks import do_batch

    ids = list(Run.objects.latest("pk").batches.values_list("pk", flat=True))
    for pk in [*ids, *ids]:
        do_batch.delay(pk)
    return len(ids)


def put_in_force() -> None:
    """Let the version that this process runs be the one that judges."""
    from portability.register import in_force

    in_force.put_in_force()


ACTS: dict[str, Callable[..., Any]] = {act.__name__: act for act in (fill, draft, truth, again, put_in_force)}


def main(act: str, *arguments: str) -> None:
    """Do one act and print what it answers."""
    if first := os.environ.get("IMPORTED_FIRST"):
        import_module(first)
    django.setup()
    print(json.dumps(ACTS[act](*arguments)))


if __name__ == "__main__":
    main(*sys.argv[1:])
