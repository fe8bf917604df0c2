"""GID001: a container that does not run as root and may not open AMD's device files."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, Vendor
from portability.engine.rules.base import Context, Example, Rule


def check(ctx: Context) -> Iterable[Finding]:
    """/dev/kfd and /dev/dri/renderD* belong to the group render on many systems."""
    if ctx.target.vendor is not Vendor.AMD:
        return
    for container in ctx.facts.containers:
        if not container.non_root or container.supplemental_groups or not container.asks_for_devices:
            continue
        reason = "The container does not run as root and is in no supplemental group"
        if container.gpus:
            reason += ": on many systems only the group render may open /dev/kfd."
        else:
            reason += "; whether the driver of its claim adds the group is not known."
        remedy = "Add the numeric id of the nodes' group render to securityContext.supplementalGroups."
        yield RULE.finding(Effect.NOTE, reason, remedy, place=container.place, value=container.name)


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  securityContext: {runAsNonRoot: true, runAsUser: 1000%s}
  containers:
    - name: main
      image: "rocm/vllm:rocm7.0.0_vllm_0.11.0"
      resources: {%s}
  resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]
"""

RULE = Rule(
    id="GID001",
    name="render-group-missing",
    class_="HYGIENE",
    why="AMD's device files belong to a group: a user outside it finds no GPU, other than with NVIDIA's.",
    fix="Set supplementalGroups to the group's numeric id on the nodes.",
    references=(
        "https://rocm.docs.amd.com/projects/install-on-linux/en/latest/install/prerequisites.html",
        "https://kubernetes.io/docs/tasks/configure-pod-container/security-context/",
    ),
    reads=("security contexts of containers with devices",),
    examples=(
        Example("hit", "a plain user", _POD % ("", "limits: {amd.com/gpu: 1}"), effect=Effect.NOTE),
        Example("miss", "a user in the group", _POD % (", supplementalGroups: [109]", "limits: {amd.com/gpu: 1}")),
        Example("miss", "no device", _POD % ("", "limits: {cpu: 1}")),
        Example("unknown", "devices by a claim", _POD % ("", "claims: [{name: gpu}]"), effect=Effect.NOTE),
    ),
    check=check,
)
