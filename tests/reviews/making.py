"""A register that is ready to be reviewed, made in the way people make one."""

from __future__ import annotations

from datetime import date

from portability.accounts.models import Person, Team
from portability.organisation.dates import Quarter
from portability.organisation.models import DefaultTarget
from portability.reviews.actions import Seen, decide
from portability.reviews.given import Given
from portability.reviews.models import Decision, Entry, Review
from portability.reviews.queue import entries, lines
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
NOTHING = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {}\n"


def target() -> Target:
    """The default target of what runs on NVIDIA."""
    return Target.objects.get(name="mi300x-single")


def choose_target(vendor: str = "nvidia", name: str = "mi300x-single") -> Target:
    """Make a target the default one of a vendor."""
    found = Target.objects.get(name=name)
    DefaultTarget.objects.update_or_create(vendor=vendor, defaults={"target": found})
    return found


def register(who: Person, team: Team, name: str, text: str = SERVING, *, file: str = "serving.yaml") -> Workload:
    """A workload, registered by a member of its team; what its manifest does not tell runs on NVIDIA."""
    described = Described(content([(file, text)], {"vendor": "nvidia"}), criticality="high")
    return save_workload(who, described, team=team, name=name).workload


def revise(who: Person, workload: Workload, *files: tuple[str, str]) -> Workload:
    """Save other manifests of a workload."""
    described = Described(content(list(files), {"vendor": "nvidia"}), criticality="high")
    return save_workload(who, described, workload=workload.pk).workload


def entry_of(review: Review, workload: Workload) -> Entry:
    """The entry of a workload as it is now."""
    return Entry.objects.select_related("decision", "review", "workload__team").get(review=review, workload=workload)


def seen(entry: Entry, today: date = TODAY) -> Seen:
    """The entry as a page shows it now."""
    line = lines(entries(entry.review, today).filter(pk=entry.pk))[0]
    return Seen(line.entry.version, line.assessment)


def decided(who: Person, entry: Entry, today: date = TODAY, **given: object) -> Decision:
    """Decide an entry as it is now; to agree, unless something else is given."""
    return decide(who, entry.pk, Given(**{"kind": "agree"} | given), seen(entry, today), today)  # type: ignore[arg-type]
