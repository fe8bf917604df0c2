"""A register that is ready to be reviewed, made in the way people make one."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from portability.accounts.models import Person, Team
from portability.organisation.dates import Quarter
from portability.organisation.models import DefaultTarget
from portability.register.models import Row
from portability.reviews.actions import Seen, decide, waive
from portability.reviews.findings import mark
from portability.reviews.given import Given
from portability.reviews.models import Decision, Entry, Review, Waiver
from portability.reviews.standing import Line, entries, lines
from portability.targets.models import Target
from portability.workloads.actions import Entry as Described
from portability.workloads.actions import save_workload
from portability.workloads.contents import content
from portability.workloads.models import Workload

TODAY = date(2026, 11, 30)
Q4 = Quarter(2026, 4)
SERVING = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: serving}
spec:
  replicas: 2
  selector: {matchLabels: {app: serving}}
  template:
    metadata: {labels: {app: serving}}
    spec:
      containers:
        - name: vllm
          image: vllm/vllm-openai:v0.23.0
          args: ["--model=Qwen/Qwen3-8B"]
          resources:
            limits: {nvidia.com/gpu: "1"}
"""
PLAIN = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
        - {name: web, image: "nginx:1.27"}
"""
PINNED = {"model_kind": "encoder-decoder"}  # declared, with SERVING
NOTHING = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {}\n"


def target() -> Target:
    """The default target of what runs on NVIDIA."""
    return Target.objects.get(name="mi300x-single")


def choose_target(vendor: str = "nvidia", name: str = "mi300x-single") -> Target:
    """Make a target the default one of a vendor."""
    found = Target.objects.get(name=name)
    DefaultTarget.objects.update_or_create(vendor=vendor, defaults={"target": found})
    return found


def register(
    who: Person, team: Team, name: str, text: str = SERVING, *, criticality: str = "high", **declared: object
) -> Workload:
    """A workload, registered by a member of its team; unless declared otherwise, it runs on NVIDIA."""
    said = {"vendor": "nvidia"} | declared
    described = Described(content([("serving.yaml", text)], said), criticality=criticality)
    return save_workload(who, described, team=team, name=name).workload


def revise(who: Person, workload: Workload, text: str, file: str = "serving.yaml", **declared: object) -> Workload:
    """Save another manifest of a workload."""
    described = Described(content([(file, text)], {"vendor": "nvidia"} | declared), criticality="high")
    return save_workload(who, described, workload=workload.pk).workload


def entry_of(review: Review, workload: Workload) -> Entry:
    """The entry of a workload as it is now."""
    return Entry.objects.select_related("decision", "review", "workload__team").get(review=review, workload=workload)


def seen(entry: Entry, today: date = TODAY) -> Seen:
    """The entry as a page shows it now."""
    line = standing(entry, today)
    return Seen(line.entry.version, line.assessment)


def finding(entry: Entry, rule: str) -> str:
    """The mark of the entry's first finding of a rule, as things stand now."""
    assessment = Row.objects.get(workload=entry.workload_id, target=entry.target_id).assessment
    return next(mark(f) for f in assessment.findings if f["rule"] == rule)


def waived(who: Person, entry: Entry, rule: str, *, ends: date = date(2027, 3, 31), today: date = TODAY) -> Waiver:
    """Waive the entry's first finding of a rule."""
    told = {"reason": "Accepted for the year.", "link": "https://risk.example/7"}
    assert entry.target_id is not None
    return waive(who, entry.workload_id, entry.target_id, finding(entry, rule), **told, ends=ends, today=today)


def standing(entry: Entry, today: date = TODAY) -> Line:
    """How the entry stands in the queue."""
    return lines(entries(entry.review, today).filter(pk=entry.pk))[0]


def decided(who: Person, entry: Entry, today: date = TODAY, /, **given: Any) -> Decision:
    """Decide an entry as it is now; to agree, unless something else is given."""
    return decide(who, entry.pk, Given(**({"kind": "agree"} | given)), seen(entry, today), today)


def body(answer: HttpResponseBase) -> bytes:
    """What was sent, at once or piece by piece."""
    if isinstance(answer, StreamingHttpResponse):
        return answer.getvalue()
    assert isinstance(answer, HttpResponse)
    return answer.content
