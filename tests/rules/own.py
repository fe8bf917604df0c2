"""What the tests of the organisation's own rows share: a small register, and rows as people enter them."""

from __future__ import annotations

from portability.accounts.models import Person
from portability.register import batches
from portability.register.models import Batch, Row, Run
from portability.rules.actions import RowValues, add_rows
from portability.rules.models import VendorRow

PRIVATE = "registry.example:5000/ml/scorer:4.2"  # an image of which no shipped row tells anything
FIELDS = {
    "version": "1",
    "table": "images",
    "pattern": "ml/scorer",
    "vendor": "nvidia",
    "counterpart": "ml/scorer-rocm",
    "effect": "change",
    "note": "built on the CUDA base image",
    "link": "https://wiki.example/scorer",
}
CLAIMS = f"""\
apiVersion: v1
kind: Pod
metadata: {{name: scorer}}
spec:
  resourceClaims: [{{name: gpu, resourceClaimTemplateName: one}}]
  containers:
    - name: main
      image: {PRIVATE}
      args: ["--model=Qwen/Qwen3-8B"]
      resources: {{claims: [{{name: gpu}}]}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: one}}
spec: {{spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: large-accelerator}}}}]}}}}}}
"""  # whose device it claims cannot be told either, which is a note


def values(pattern: str = "ml/scorer", vendor: str = "nvidia", **more: str) -> RowValues:
    """A row of images, unless another table is given."""
    return RowValues(**{"table": "images", "pattern": pattern, "vendor": vendor, "effect": "change", **more})


def enter(who: Person, pattern: str = "ml/scorer", vendor: str = "nvidia", **more: str) -> VendorRow:
    """One row, entered."""
    return add_rows(who, [values(pattern, vendor, **more)]).rows[0]


def work() -> None:
    """Do what is waiting, as a worker would."""
    for batch in Batch.objects.filter(state=Batch.State.WAITING, run__state=Run.State.RUNNING):
        assert batches.do_batch(batch.pk)


def effects_of(name: str, rule: str) -> list[str]:
    """The effects of a rule's findings in what is stored of a workload now."""
    row = Row.objects.select_related("assessment").get(workload__name=name)
    return [f["effect"] for f in row.assessment.findings if f["rule"] == rule]


def verdict(name: str) -> str:
    """The verdict of a workload's own findings, as stored."""
    return Row.objects.get(workload__name=name).own_verdict
