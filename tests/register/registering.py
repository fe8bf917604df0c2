"""Workloads with real facts, judged for all active targets as when somebody saves them, and runs over them."""

from __future__ import annotations

from typing import Any

from portability.accounts.models import Team
from portability.engine.facts_json import EXTRACTOR_VERSION, facts_to_json
from portability.engine.manifests import read_facts
from portability.register import queries
from portability.register.actions import assess_revision, start_run
from portability.register.models import Run
from portability.targets.models import Target
from portability.workloads.models import ApplicationFile, Revision, Workload

SERVING = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: serving}}
spec:
  replicas: 2
  selector: {{matchLabels: {{app: serving}}}}
  template:
    metadata: {{labels: {{app: serving}}}}
    spec:
      containers:
        - name: vllm
          image: {image}
          args: ["--model=Qwen/Qwen3-8B"]
          resources:
            limits:
              {resource}: "1"
"""


def register_workload(
    team: Team,
    name: str,
    *,
    image: str = "vllm/vllm-openai:v0.23.0",
    resource: str = "nvidia.com/gpu",
    text: str | None = None,
    declared: dict[str, Any] | None = None,
    cause: str = "registered",
) -> Workload:
    """A workload with this manifest as its newest revision; `source_files` of what is declared are kept as files."""
    said = dict(declared or {})
    source_files = said.pop("source_files", {})
    workload, _ = Workload.objects.get_or_create(team=team, name=name)
    facts = read_facts([("serving.yaml", text or SERVING.format(image=image, resource=resource))])
    revision = Revision.objects.create(
        workload=workload,
        number=workload.revisions.count() + 1,
        digest="0" * 64,
        declared=said,
        facts=facts_to_json(facts),
        extractor=EXTRACTOR_VERSION,
    )
    for position, (file, source) in enumerate(source_files.items(), start=1):
        ApplicationFile.objects.create(revision=revision, position=position, name=file, text=source)
    workload.current = revision
    workload.save()
    assess_revision(revision, cause)
    return workload


def started(target: Target) -> Run:
    """A run over every workload for the target."""
    run = start_run(cause="target", about="a test", pairs=queries.pairs_of_target(target), who=None)
    assert run is not None
    return run
