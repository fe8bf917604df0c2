"""SRV006: the engine's version is not one that the vendor's table names for the runtime."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.features import framework
from portability.engine.matrices.keys import ROCM
from portability.engine.matrices.knowledge import Release
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import has_platform_source, runtime, runtime_version
from portability.engine.rules.base import Example, Ground, Rule
from portability.engine.rules.frameworks import offer
from portability.engine.rules.subject import Subject
from portability.engine.versions import components, matches


def serving(ground: Ground, served: tuple[Subject, ...]) -> Iterator[Finding]:
    """A note that names the version to pin against, where the engine is offered at all."""
    if _runtime(ground) is None:
        return
    judged = [(name, s) for s in served if (name := framework(s.engine_name))]
    told = {name for name, s in judged if s.version}
    seen: set[tuple[str, str]] = set()
    for name, subject in judged:
        version = subject.version.value if subject.version else ""
        if (name, version) in seen or (name in told and not version):
            continue  # said already, or said better by another part of the workload
        seen.add((name, version))
        if finding := _judge(ground, subject, name):
            yield finding


def _runtime(ground: Ground) -> Release | None:
    return runtime(ground) if has_platform_source(ground) else None


def _judge(ground: Ground, subject: Subject, name: str) -> Finding | None:
    found = offer(ground, name)
    versions = found.versions
    given = subject.version.value if subject.version else ""
    if not versions or any(matches(given, each) for each in versions):
        return None
    named = ", ".join(versions)
    rocm = runtime_version(ground)
    if components(given):
        reason = f"{name} {given} is in use, and AMD's table for ROCm {rocm} names {named}."
    else:
        reason = f"The version of {name} cannot be told; AMD's table for ROCm {rocm} names {named}."
    return RULE.finding(
        Effect.NOTE,
        reason,
        f"Pin against {name} {versions[0]} when testing on this target, and test what changed in between.",
        place=(subject.version.place if subject.version else None) or subject.at,
        value=given,
        evidence=[ground.ledger.evidence(ROCM, cell, ground.target.rocm) for cell in found.ours[:3]],
    )


_VLLM = {"engine": "vllm", "model_kind": "decoder-only", "gpus_per_replica": 1}
RULE = Rule(
    id="SRV006",
    name="engine-version-not-listed",
    class_="HYGIENE",
    why="AMD tests its stack with named versions of each framework; another one may work and was not tried by them.",
    fix="Pin the engine to the version that the table names for the target's runtime.",
    references=("https://rocm.docs.amd.com/en/latest/compatibility/compatibility-matrix.html",),
    reads=("engine and version of each serving container and the declared ones, the target's ROCm version",),
    examples=(
        Example("hit", "0.11.0 is not 0.23", workload={**_VLLM, "engine_version": "0.11.0"}, effect=Effect.NOTE),
        Example("miss", "0.23.0 is the table's 0.23", workload={**_VLLM, "engine_version": "0.23.0"}),
        Example("unknown", "no version is known", workload={**_VLLM, "engine_version": None}, effect=Effect.NOTE),
    ),
    serving=serving,
    asks=_runtime,
)
