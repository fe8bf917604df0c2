"""PLT002: the kernel is not the one listed with the operating system version."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import ROCM
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import has_platform_source, os_row, runtime, runtime_version, shown_os, shown_part
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.versions import matches


def check(ctx: Context) -> Iterator[Finding]:
    """Asked only where PLT001 found the operating system listed: the kernel is a part of that row."""
    system = ctx.target.os
    if not has_platform_source(ctx) or system is None or runtime(ctx) is None:
        return
    row = os_row(ctx, system)
    if row is None or matches(system.kernel, row.value):
        return
    named = shown_os(system.family, system.version)
    part = shown_part(ctx.target)
    listed = f"the ROCm {runtime_version(ctx)} matrix lists {named} for {part} with kernel {row.value}"
    evidence = [ctx.ledger.evidence(ROCM, row, ctx.target.rocm)]
    if system.kernel:
        reason = f"The target runs kernel {system.kernel}, while {listed}."
        remedy = f"Boot kernel {row.value} on the nodes, or confirm by a rehearsal that the driver works with this one."
    else:
        reason = f"The target's kernel is not known; {listed}."
        remedy = f"Look it up on a node (uname -r) and state it; expected is {row.value}."
    yield RULE.finding(Effect.CONFIRM, reason, remedy, value=system.kernel, evidence=evidence)


RULE = Rule(
    id="PLT002",
    name="kernel-differs",
    class_="PLATFORM",
    why="The driver is built against the kernel that the matrix names with an operating system version.",
    fix="Run the listed kernel, or try the other one before relying on it.",
    references=("https://rocm.docs.amd.com/en/latest/compatibility/compatibility-matrix.html",),
    reads=("the target's part, operating system, kernel and ROCm version",),
    examples=(
        Example(
            "hit",
            "6.14 is not the 6.8 listed with Ubuntu 24.04.4",
            target={"os": {"family": "ubuntu", "version": "24.04.4", "kernel": "6.14"}},
            effect=Effect.CONFIRM,
        ),
        Example(
            "miss",
            "a node's 6.8.0-45-generic is the listed 6.8",
            target={"os": {"family": "ubuntu", "version": "24.04.4", "kernel": "6.8.0-45-generic"}},
        ),
        Example(
            "unknown",
            "the target states no kernel",
            target={"os": {"family": "ubuntu", "version": "24.04.4"}},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
    scope="target",
)
