"""What the tests of custom rules share: a small register with manifests, and rules as people write them."""

from __future__ import annotations

from typing import Any

from portability.accounts.models import Person, Team
from portability.register import batches
from portability.register.models import Batch, Row, Run
from portability.rules.custom import actions
from portability.rules.models import CustomRule
from portability.workloads.actions import Entry, save_workload
from portability.workloads.contents import content
from portability.workloads.models import Workload

MOVABLE = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
  replicas: {replicas}
  template:
    spec:
      containers:
        - name: main
          image: python:3.12
"""
VALUES: dict[str, str] = {
    "name": "Few replicas",
    "path": "$.spec.replicas",
    "condition": "value > 2",
    "effect": "change",
    "reason": "The second site has two nodes.",
    "remedy": "Run two.",
    "link": "https://wiki.example/two",
    "applies_to": "any",
}
NINE = "[1,2,3,4,5,6,7,8,9]"
BOMB = f"{NINE}.all(a, {NINE}.all(b, {NINE}.all(c, {NINE}.all(d, {NINE}.all(e, true)))))"  # holds, if it ever ends


def workload(team: Team, name: str, replicas: int = 2, text: str | None = None) -> Workload:
    """A workload that no shipped rule finds anything to change in, saved as people save one."""
    files = [("serving.yaml", text or MOVABLE.format(name=name, replicas=replicas))]
    return save_workload(None, Entry(content(files, {})), team=team, name=name).workload


def values(**more: str) -> actions.RuleValues:
    """A rule that hits workloads with more than two replicas."""
    return actions.RuleValues(**{**VALUES, **more})


def enable(who: Person, **more: str) -> CustomRule:
    """One rule, enabled."""
    return actions.add_rule(who, values(**more), enable=True).rule


def work() -> None:
    """Do what is waiting, as a worker would, until nothing is."""
    while waiting := Batch.objects.filter(state=Batch.State.WAITING, run__state=Run.State.RUNNING).first():
        batches.do_batch(waiting.pk)


def row(name: str, target: str = "mi300x-single") -> Row:
    """The register's row of a workload."""
    return Row.objects.select_related("assessment").get(workload__name=name, target__name=target)


def found(name: str, rule: str = "ORG001", target: str = "mi300x-single") -> list[dict[str, Any]]:
    """What a rule found in what is stored of a workload now."""
    return [f for f in row(name, target).assessment.findings if f["rule"] == rule]
