"""What the tests of keeping matrices share: small readings, drafts of them, and their publication."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.matrices import actions
from portability.matrices.drafts import Given, cells_digest
from portability.matrices.models import Cell, Release
from portability.matrices.queries import published_reading
from portability.register import batches
from portability.register.models import Batch, Row, Run
from portability.targets.models import Target
from tests.engine.matrices.importers.samples import as_html, frameworks, systems

ROCM = "rocm-compatibility-matrix"
DAY = date(2026, 11, 20)
PAGE = as_html(systems(), frameworks()).encode()  # ROCm 9.9.0
MIGRAPHX = {"engine": "migraphx", "engine_version": "2.16", "model_kind": "classic", "gpus_per_replica": 1}
LINUX = "ubuntu, rhel, sles"
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: classifier}
spec:
  containers:
    - name: main
      image: registry.example/ml/classifier:1
      resources: {limits: {amd.com/gpu: 1}}
"""


def given(content: bytes = PAGE, *, name: str = "page.html", source: str = ROCM, **more: Any) -> Given:
    """One document to be read."""
    return Given(**{"source": source, "version": "", "read": DAY, "documents": [(name, content)], **more})


def draft(
    version: str, cells: Mapping[str, str], *, source: str = ROCM, read: date = DAY, by: str = "curator"
) -> Release:
    """A draft with these cells."""
    release = Release.objects.create(source_id=source, version=version, read=read, read_by=by, digest="")
    Cell.objects.bulk_create(
        Cell(release=release, key=key, value=value, position=position)
        for position, (key, value) in enumerate(cells.items())
    )
    release.digest = cells_digest(release.cells.all())
    release.save()
    return release


def redraft(
    published: Release, changes: Mapping[str, str] | None = None, *, read: date = DAY, without: str = ""
) -> Release:
    """A draft with the cells of a published reading, some with another value (by key), one left out."""
    release = draft(published.version, {}, source=published.source_id, read=read)
    cells = list(published.cells.exclude(key=without))
    for cell in cells:
        cell.value = (changes or {}).get(cell.key, cell.value)
        cell.pk, cell.release = None, release
    Cell.objects.bulk_create(cells)
    release.digest = cells_digest(release.cells.all())
    release.save()
    return release


def publish(who: Person, release: Release, *, gone_through: bool = False) -> actions.Published:
    """Publish a draft as someone who has just looked at it."""
    present = published_reading(release.source, release.version)
    instead_of = present.pk if present else None
    return actions.publish(who, release.pk, digest=release.digest, instead_of=instead_of, gone_through=gone_through)


def post(client: Client, release: Release, act: str = "publish", **fields: object) -> Any:
    """Press a button of a draft's page, with what the page carries."""
    present = published_reading(release.source, release.version)
    seen = {"digest": release.digest, "instead_of": present.pk if present else ""}
    return client.post(reverse(f"matrices:{act}", args=[release.pk]), seen | fields, follow=True)


def work() -> None:
    """Do what is waiting, as a worker would."""
    for batch in Batch.objects.filter(state=Batch.State.WAITING, run__state=Run.State.RUNNING):
        assert batches.do_batch(batch.pk)


def target(name: str, part: str, rocm: str) -> Target:
    """A target of which only part, system and ROCm version are said."""
    system = {"family": "ubuntu", "version": "24.04.4"}
    spec = {"name": name, "vendor": "amd", "part": part, "rocm": rocm, "amdgpu": "31.40.1", "os": system}
    return Target.objects.create(name=name, vendor="amd", spec=spec)


def verdict(of: Target, workload: str) -> tuple[str, list[str]]:
    """The verdict of a workload's own findings for a target, and which effects findings of SRV005 have."""
    row = Row.objects.select_related("assessment").get(target=of, workload__name=workload)
    return row.own_verdict, sorted({f["effect"] for f in row.assessment.findings if f["rule"] == "SRV005"})
