"""SRV005: the runtime's release does not offer the engine for the part."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.features import framework
from portability.engine.matrices.keys import PARTS, ROCM, listed
from portability.engine.matrices.knowledge import Cell
from portability.engine.model import Effect, Evidence, Finding
from portability.engine.rules.asking import (
    has_platform_source,
    runtime,
    runtime_unread,
    runtime_version,
    shown_os,
    shown_part,
)
from portability.engine.rules.base import Example, Ground, Rule
from portability.engine.rules.frameworks import Offer, listed_elsewhere, offer
from portability.engine.rules.image.references import row_of
from portability.engine.rules.subject import Subject


def serving(ground: Ground, served: tuple[Subject, ...]) -> Iterator[Finding]:
    """A finding for each engine that a matrix knows; the image decides for all others."""
    if not has_platform_source(ground):
        return
    for subject in served:
        name = framework(subject.engine_name)
        if name and (finding := _judge(ground, subject, name)):
            yield finding


def _judge(ground: Ground, subject: Subject, name: str) -> Finding | None:
    part, rocm = shown_part(ground.target), runtime_version(ground)
    if runtime(ground) is None:
        said, evidence = runtime_unread(ground)
        return _confirm(subject, f"Whether AMD offers {name} for {part} is not known: {said}.", evidence)
    found = offer(ground, name)
    if not found.rows:
        key = ground.ledger.evidence(ROCM, f"framework/{name}/*", ground.target.rocm, "not named")
        return _not_named(ground, subject, f"The ROCm {rocm} matrix does not name {name} at all", key)
    if found.gfx is None:
        key = ground.ledger.evidence(PARTS, f"part/{ground.target.part}/gfx")
        return _confirm(
            subject, f"The LLVM target of {part} is not known, so no row of {name} can be given to it.", (key,)
        )
    if found.ours:
        return _other_system(ground, subject, found)
    if listed_elsewhere(ground, subject.engine_name, found.gfx):
        return None  # two sources answer differently, which is KNO003's to say
    absent = f"framework/{name}/{found.gfx.value}/*"
    shown = [ground.ledger.evidence(ROCM, absent, ground.target.rocm), *_rows(ground, found.rows[:2])]
    return RULE.finding(
        Effect.BLOCKS,
        f"The ROCm {rocm} matrix offers {name} but not for {found.gfx.value}, the LLVM target of {part}, and no other"
        " source lists it.",
        f"Choose a part that the matrix lists for {name}, or serve the model with an engine offered for {part}.",
        place=subject.at,
        value=subject.engine_name,
        evidence=shown,
    )


def _not_named(ground: Ground, subject: Subject, reason: str, evidence: Evidence) -> Finding:
    """Unknown, not no; but an image built for the target's vendor brings the framework with it."""
    row = row_of(ground, subject.image) if subject.image else None
    if row is None or row.vendor is not ground.target.vendor:
        return _confirm(subject, f"{reason}: unknown, not no.", (evidence,))
    return RULE.finding(
        Effect.NOTE,
        f"{reason}, while the image {subject.image} is a build of it for this vendor: the image decides.",
        "Pin the image, and test it on the target's runtime.",
        place=subject.at,
        value=subject.engine_name,
        evidence=(evidence, row.evidence()),
    )


def _other_system(ground: Ground, subject: Subject, found: Offer) -> Finding | None:
    """The operating system of a row never blocks. One that the table gives to other rows only is to be confirmed."""
    system = ground.target.os
    if system is None or any(system.family in listed(cell.value) for cell in found.ours):
        return None
    if not any(system.family in listed(c.value) for c in ground.ledger.cells(ROCM, "framework/", ground.target.rocm)):
        return None  # a system that the table never speaks of is PLT001's
    reason = (
        f"The ROCm {runtime_version(ground)} matrix offers {found.name} for {shown_part(ground.target)}, though on"
        f" other operating systems than {shown_os(system.family)}."
    )
    return _confirm(subject, reason, tuple(_rows(ground, found.ours[:2])))


def _rows(ground: Ground, cells: tuple[Cell, ...]) -> list[Evidence]:
    return [ground.ledger.evidence(ROCM, cell, ground.target.rocm) for cell in cells]


def _confirm(subject: Subject, reason: str, evidence: tuple[Evidence, ...]) -> Finding:
    remedy = "Look at AMD's page for this release and part, or try the engine on the target and record the rehearsal."
    return RULE.finding(Effect.CONFIRM, reason, remedy, place=subject.at, value=subject.engine_name, evidence=evidence)


RULE = Rule(
    id="SRV005",
    name="engine-not-offered-for-part",
    class_="FEATURE",
    why="AMD offers each framework for some LLVM targets only; elsewhere it has to be built and kept by oneself.",
    fix="Choose a part the engine is offered for, or an engine offered for the part.",
    references=("https://rocm.docs.amd.com/en/latest/compatibility/compatibility-matrix.html",),
    reads=("the engine of each serving container and the declared one, the target's part and ROCm version",),
    examples=(
        Example(
            "hit",
            "MIGraphX is not offered for gfx90a in 7.14.0",
            workload={"engine": "migraphx", "engine_version": "2.16", "gpus_per_replica": 1},
            target={"part": "mi210"},
            effect=Effect.BLOCKS,
        ),
        Example(
            "miss",
            "ONNX Runtime is offered for gfx942",
            workload={"engine": "onnxruntime", "engine_version": "1.23.2", "gpus_per_replica": 1},
        ),
        Example(
            "miss",
            "no matrix covers TGI: its image decides",
            workload={"engine": "tgi", "gpus_per_replica": 1},
        ),
        Example(
            "unknown",
            "7.14.0 does not name TensorFlow at all",
            workload={"engine": "tensorflow", "gpus_per_replica": 1},
            effect=Effect.CONFIRM,
        ),
    ),
    serving=serving,
)
