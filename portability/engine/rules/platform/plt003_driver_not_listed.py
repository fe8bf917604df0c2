"""PLT003: the driver is not in the list that the runtime's release enumerates."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import OPERATOR, ROCM, listed
from portability.engine.matrices.knowledge import Cell
from portability.engine.model import Effect, Evidence, Finding
from portability.engine.rules.asking import (
    driver_state,
    has_platform_source,
    operator,
    runtime_unread,
    runtime_version,
    shown_part,
)
from portability.engine.rules.base import Context, Example, Rule

_CHANGE_CLASS = (
    "changing the driver means a reboot of each node in a maintenance window, changing the runtime another container"
    " image"
)


def check(ctx: Context) -> Iterator[Finding]:
    """One finding at most: what the list says of the target's driver."""
    if not has_platform_source(ctx):
        return
    state, cell = driver_state(ctx)
    if state == "listed":
        return
    driver, part, rocm = ctx.target.amdgpu, shown_part(ctx.target), runtime_version(ctx)
    evidence: tuple[Evidence, ...] = (ctx.ledger.evidence(ROCM, cell or f"driver/{ctx.target.part}", ctx.target.rocm),)
    if state == "not-listed" and cell:
        newest = listed(cell.value)[0]
        yield RULE.finding(
            Effect.CHANGE,
            f"amdgpu {driver} is not among the drivers that the ROCm {rocm} matrix lists for {part}: {cell.value}.",
            f"Install a listed driver, {newest} or another one, or use a ROCm release that lists {driver}:"
            f" {_CHANGE_CLASS}.",
            value=driver,
            evidence=evidence,
        )
        return
    if state == "imprecise" and cell:
        reason = f"amdgpu {driver} is less precise than the drivers that the ROCm {rocm} matrix lists for {part}."
        remedy = f"Look up the exact driver on a node and state it; listed are {cell.value}."
    elif state == "no-list":
        reason = f"The ROCm {rocm} matrix as read holds no driver list for {part}, so amdgpu {driver} cannot be judged."
        remedy = f"Look at the published page for the list before moving the driver or the runtime: {_CHANGE_CLASS}."
    elif state == "unread":
        said, evidence = runtime_unread(ctx)
        reason = f"Whether amdgpu {driver} is supported for {part} is not known: {said}."
        remedy = f"Read the matrix of this ROCm version first: {_CHANGE_CLASS}."
    else:
        reason = f"The target's amdgpu driver is not known, so it cannot be held against the list for {part}."
        remedy = "Look it up on a node (modinfo amdgpu, or amd-smi version) and state it on the target."
    if floor := _operators_floor(ctx):
        reason = f"{reason[:-1]}; GPU Operator {ctx.target.operator} asks for {floor.value} with this part."
        evidence = (*evidence, ctx.ledger.evidence(OPERATOR, floor, ctx.target.operator))
    yield RULE.finding(Effect.CONFIRM, reason, remedy, value=driver, evidence=evidence)


def _operators_floor(ctx: Context) -> Cell | None:
    """What the operator asks of the driver for this part; said where the list itself leaves the driver open."""
    if operator(ctx) is None:
        return None
    return ctx.ledger.cell(OPERATOR, f"narrowed/{ctx.target.part}/amdgpu", ctx.target.operator)


RULE = Rule(
    id="PLT003",
    name="driver-not-listed",
    class_="PLATFORM",
    why=(
        "The driver is released apart from ROCm, and each ROCm release enumerates the driver versions it supports;"
        " a version between two listed ones is not one of them."
    ),
    fix="Install a driver of the list (a reboot in a maintenance window) or move the runtime (a container image).",
    references=(
        "https://rocm.docs.amd.com/en/latest/compatibility/compatibility-matrix.html",
        "https://instinct.docs.amd.com/projects/amdgpu-docs/en/latest/",
    ),
    reads=("the target's part, amdgpu and ROCm versions",),
    examples=(
        Example("hit", "30.10.9 is not enumerated", target={"amdgpu": "30.10.9"}, effect=Effect.CHANGE),
        Example("miss", "30.10.0 is the oldest one enumerated for ROCm 7.14.0", target={"amdgpu": "30.10.0"}),
        Example(
            "unknown",
            "ROCm 10.0.0 was read without its driver row: unknown, not unsupported",
            target={"rocm": "10.0.0"},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
    scope="target",
)
