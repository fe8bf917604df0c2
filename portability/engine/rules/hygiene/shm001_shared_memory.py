"""SHM001: several GPUs or processes, and only the 64 MB of shared memory that a container has by default."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Container, Effect, Finding
from portability.engine.rules.base import Context, Example, Rule

_PARALLEL = ("tensor-parallel=", "pipeline-parallel=", "data-parallel=")


def check(ctx: Context) -> Iterable[Finding]:
    """By the devices asked for, or by the parallelism in its flags."""
    for container in ctx.facts.containers:
        if container.memory_shm or not container.asks_for_devices:
            continue
        several = _several(container)
        if several:
            yield RULE.finding(
                Effect.NOTE,
                f"The container has {several} and no memory-backed /dev/shm.",
                "Mount an emptyDir of medium Memory at /dev/shm: RCCL and NCCL exchange data through it.",
                place=container.place,
                value=container.name,
            )


def _several(container: Container) -> str:
    """What is several about it, in words; a number that is not known is said."""
    if container.gpus > 1:
        return f"{container.gpus} GPUs"
    for feature in container.features:
        name, _, amount = feature.name.partition("=")
        if f"{name}=" in _PARALLEL and amount != "1":
            return f"{name} {amount}"
    return "" if container.gpus else "a claim on devices, whose number is not known,"


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: chat}
spec:
  containers:
    - name: main
      image: "vllm/vllm-openai-rocm:v0.23.0"
      args: ["--model=Qwen/Qwen3-8B", "--tensor-parallel-size=%s"]
      resources: {%s}
  resourceClaims: [{name: gpus, resourceClaimTemplateName: some}]
"""

RULE = Rule(
    id="SHM001",
    name="shared-memory-missing",
    class_="HYGIENE",
    why="Processes of one model exchange data through /dev/shm; 64 MB of it make them fail under load.",
    fix="Mount an emptyDir of medium Memory at /dev/shm.",
    references=("https://kubernetes.io/docs/concepts/storage/volumes/#emptydir", "https://docs.vllm.ai/en/latest/"),
    reads=("devices, parallelism and volumes of each container",),
    examples=(
        Example("hit", "two GPUs", _POD % (2, "limits: {amd.com/gpu: 2}"), effect=Effect.NOTE),
        Example("miss", "one GPU", _POD % (1, "limits: {amd.com/gpu: 1}")),
        Example("unknown", "devices by a claim", _POD % (1, "claims: [{name: gpus}]"), effect=Effect.NOTE),
    ),
    check=check,
)
