"""ENV001: a variable whose name or value belongs to another vendor."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Example, Ground, Rule, Said
from portability.engine.rules.foreign import foreign, literal, owner
from portability.engine.vendor_rows.rows import Row, Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """The name (with its value where that decides) first, then words in the value."""
    row = ground.rows.find(Table.ENVIRONMENT, f"{said.key}={said.value}")
    if row is not None and row.foreign_to(ground.target.vendor):
        yield _finding(said, row, f"{said.key} is a setting of {owner(row)}'s software")
    elif (row := foreign(ground, Table.ENVIRONMENT_VALUES, said.value)) is not None:
        yield _finding(said, row, f"The value of {said.key} names something of {owner(row)}'s")


def _finding(said: Said, row: Row, reason: str) -> Finding:
    if row.effect is Effect.NOTE:
        remedy = "It may stay; take it out when the manifest is next edited."
    elif row.counterpart:
        remedy = f"Take it out or change it. On the target: {row.counterpart}."
    else:
        remedy = "Take it out, or set what the target's software reads in its place."
    return literal(RULE, said, row, reason, remedy)


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - name: main
      image: python:3.12
      env: [{name: %s, value: "%s"}]
"""

RULE = Rule(
    id="ENV001",
    name="vendor-environment",
    class_="ENV",
    why="Settings of one vendor's software are ignored on the other, or switch to code that is not there.",
    fix="Set the target's variable, or none; what is inert may stay.",
    references=(
        "https://rocm.docs.amd.com/en/latest/reference/env-variables.html",
        "https://docs.vllm.ai/en/latest/configuration/env_vars/",
    ),
    reads=("names and values of environment variables",),
    examples=(
        Example("hit", "a library of NVIDIA GPUs", _POD % ("NVSHMEM_IB_GID_INDEX", "3"), effect=Effect.CHANGE),
        Example("hit", "transports of CUDA", _POD % ("UCX_TLS", "rc,sm,self,cuda_copy"), effect=Effect.CHANGE),
        Example(
            "hit",
            "a directory of NVIDIA's libraries",
            _POD % ("LD_LIBRARY_PATH", "/usr/local/nvidia/lib64"),
            effect=Effect.CHANGE,
        ),
        Example("miss", "a setting that RCCL reads too", _POD % ("NCCL_DEBUG", "WARN")),
        Example("miss", "a vendor in a model's name", _POD % ("MODEL", "nvidia/Llama-3.1-Nemotron-70B")),
        Example("miss", "the target's own setting", _POD % ("HIP_FORCE_DEV_KERNARG", "1")),
        Example("unknown", "a setting that HIP reads too", _POD % ("CUDA_VISIBLE_DEVICES", "0"), effect=Effect.NOTE),
        Example(
            "unknown",
            "kernels with a fork",
            _POD % ("VLLM_ALL2ALL_BACKEND", "deepep_low_latency"),
            effect=Effect.CONFIRM,
        ),
    ),
    kinds=(SiteKind.ENV,),
    at=at,
)
