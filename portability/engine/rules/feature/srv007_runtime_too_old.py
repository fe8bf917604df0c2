"""SRV007: the target's runtime is older than what the engine needs on the part."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import VLLM_INSTALLATION
from portability.engine.matrices.knowledge import NEWEST
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import at_least, gfx, has_platform_source, runtime_version, shown_part
from portability.engine.rules.base import Example, Ground, Rule
from portability.engine.rules.subject import Subject, of_vllm


def serving(ground: Ground, served: tuple[Subject, ...]) -> Iterator[Finding]:
    """The target's runtime counts, not the one inside the image: the driver belongs to it."""
    if not has_platform_source(ground):
        return
    judged = of_vllm(served)
    target = gfx(ground) if judged else None
    floor = ground.ledger.cell(VLLM_INSTALLATION, f"target/{target.value}") if target else None
    if target is None or floor is None:
        return
    rocm, part = runtime_version(ground), shown_part(ground.target)
    if rocm and rocm != NEWEST and at_least(rocm, floor.value):
        return
    for subject in judged:
        if rocm:
            effect = Effect.CHANGE
            reason = f"vLLM needs ROCm {floor.value} on {part} ({target.value}), and the target runs ROCm {rocm}."
            remedy = f"Move the target to ROCm {floor.value}: container images for it, and a driver that it lists."
        else:
            effect = Effect.CONFIRM
            reason = f"vLLM needs ROCm {floor.value} on {part} ({target.value}), and the target's ROCm is not known."
            remedy = "State the target's ROCm version."
        evidence = [ground.ledger.evidence(VLLM_INSTALLATION, floor)]
        yield RULE.finding(effect, reason, remedy, place=subject.at, value=subject.engine_name, evidence=evidence)


_VLLM = {"engine": "vllm", "model_kind": "decoder-only", "gpus_per_replica": 1}
RULE = Rule(
    id="SRV007",
    name="runtime-too-old-for-part",
    class_="PLATFORM",
    why="vLLM states from which ROCm on it runs on each LLVM target; newer parts came with newer runtimes.",
    fix="Move the target to a runtime that the engine supports on the part.",
    references=("https://docs.vllm.ai/en/stable/getting_started/installation/gpu/",),
    reads=("the engine, the target's part and ROCm version",),
    examples=(
        Example(
            "hit", "MI350X needs 7.0", workload=_VLLM, target={"part": "mi350x", "rocm": "6.4.0"}, effect=Effect.CHANGE
        ),
        Example("miss", "MI300X runs from 6.3 on", workload=_VLLM),
        Example("unknown", "the runtime is not known", workload=_VLLM, target={"rocm": None}, effect=Effect.CONFIRM),
    ),
    serving=serving,
)
