"""PLT001: the operating system is not one that the matrix lists for the exact part."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import OPERATOR, ROCM
from portability.engine.matrices.knowledge import NEWEST, Cell
from portability.engine.model import Effect, Evidence, Finding, OperatingSystem
from portability.engine.rules.asking import (
    has_platform_source,
    os_of,
    os_row,
    os_rows,
    runtime,
    runtime_unread,
    runtime_version,
    shown_os,
    shown_part,
)
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.versions import components, less_precise


def check(ctx: Context) -> Iterator[Finding]:
    """One finding at most: the answer for the target's part and operating system."""
    if not has_platform_source(ctx):
        return
    system, part = ctx.target.os, shown_part(ctx.target)
    if runtime(ctx) is None:
        said, evidence = runtime_unread(ctx)
        named = shown_os(system.family, system.version) if system else "the operating system"
        reason = f"Whether {named} is supported for {part} is not known: {said}."
        yield _confirm(ctx, reason, "Read the matrix of this ROCm version and register it as a release.", evidence)
    elif system is None:
        reason = f"The target names no operating system, so nothing can be said of it for {part}."
        evidence = (ctx.ledger.evidence(ROCM, f"os/{ctx.target.part}/*", ctx.target.rocm, "not asked"),)
        yield _confirm(
            ctx, reason, "Add the operating system's family, exact version and kernel to the target.", evidence
        )
    else:
        rows = os_rows(ctx)
        if not rows:
            evidence = (ctx.ledger.evidence(ROCM, f"os/{ctx.target.part}/*", ctx.target.rocm, "no rows"),)
            reason = (
                f"The ROCm {runtime_version(ctx)} matrix holds no operating system rows for {part}: unknown, not no."
            )
            remedy = "Look at the published page with this part selected, and add its rows before relying on the part."
            yield _confirm(ctx, reason, remedy, evidence)
        elif os_row(ctx, system) is None:
            yield _not_listed(ctx, system, rows)


def _not_listed(ctx: Context, system: OperatingSystem, rows: list[Cell]) -> Finding:
    part, named, rocm = shown_part(ctx.target), shown_os(system.family, system.version), runtime_version(ctx)
    same = [cell for cell in rows if os_of(cell)[0] == system.family]
    agreeing = [c for c in same if not system.version or less_precise(system.version, os_of(c)[1])]
    key = f"os/{ctx.target.part}/{system.family}/{system.version}"
    missing = ctx.ledger.evidence(ROCM, key, ctx.target.rocm)
    if agreeing:
        wanted = " or ".join(os_of(cell)[1] for cell in agreeing)
        reason = f"{named} is less precise than the ROCm {rocm} matrix, which lists {wanted} for {part}."
        evidence = tuple(ctx.ledger.evidence(ROCM, cell, ctx.target.rocm) for cell in agreeing)
        return _confirm(ctx, reason, f"Look up the nodes' exact version and state it; listed is {wanted}.", evidence)
    if not same and (elsewhere := _only_in_the_operators_matrix(ctx, system.family)):
        reason = (
            f"The ROCm {rocm} matrix lists {shown_os(system.family)} for no part, while the GPU Operator's matrix"
            f" lists it, so whether {named} is supported for {part} follows from neither alone."
        )
        remedy = "Confirm with AMD or Red Hat that this version is supported for the part, or rehearse on one node."
        return _confirm(ctx, reason, remedy, (missing, elsewhere))
    reason = f"{named} is not listed for {part} in the ROCm {rocm} matrix."
    nearest = _nearest(system.version, same)
    if nearest:
        shown = shown_os(*os_of(nearest))
        remedy = f"Move the nodes to {shown}, the nearest version listed for {part} (kernel {nearest.value})."
    else:
        shown = ", ".join(shown_os(*os_of(cell)) for cell in rows)
        remedy = f"Move the nodes to an operating system listed for {part}: {shown}."
    shown_rows = [nearest] if nearest else rows[:3]
    listed = tuple(ctx.ledger.evidence(ROCM, cell, ctx.target.rocm) for cell in shown_rows)
    return RULE.finding(Effect.CHANGE, reason, remedy, value=named, evidence=(missing, *listed))


def _only_in_the_operators_matrix(ctx: Context, name: str) -> Evidence | None:
    if any(os_of(cell)[0] == name for cell in ctx.ledger.cells(ROCM, "os/", ctx.target.rocm)):
        return None
    version = ctx.target.operator or NEWEST
    listed = ctx.ledger.cells(OPERATOR, f"platform/{name}/", version)
    return ctx.ledger.evidence(OPERATOR, listed[0], version) if listed else None


def _nearest(version: str, rows: list[Cell]) -> Cell | None:
    wanted = components(version)

    def distance(cell: Cell) -> tuple[int, ...]:
        given = components(os_of(cell)[1])
        size = max(len(given), len(wanted))
        pad = [(n[i] if i < len(n) else 0) for n in (given, wanted) for i in range(size)]
        return tuple(abs(a - b) for a, b in zip(pad[:size], pad[size:], strict=True))

    return min(rows, key=distance, default=None)


def _confirm(ctx: Context, reason: str, remedy: str, evidence: tuple[Evidence, ...]) -> Finding:
    system = ctx.target.os
    value = shown_os(system.family, system.version) if system else ""
    return RULE.finding(Effect.CONFIRM, reason, remedy, value=value, evidence=evidence)


RULE = Rule(
    id="PLT001",
    name="os-not-listed-for-part",
    class_="PLATFORM",
    why=(
        "AMD states support for an exact part and an exact operating system version, not for a series: of the"
        " same series MI355X is listed on Ubuntu 22.04.5 and MI350P is not."
    ),
    fix="Move the nodes to a version listed for the part, or choose a part that is listed on the version you run.",
    references=("https://rocm.docs.amd.com/en/latest/compatibility/compatibility-matrix.html",),
    reads=("the target's part, operating system and ROCm version",),
    examples=(
        Example(
            "hit",
            "MI350P is not listed on Ubuntu 22.04.5, whatever holds for its series",
            target={"part": "mi350p", "os": {"family": "ubuntu", "version": "22.04.5", "kernel": "5.15"}},
            effect=Effect.CHANGE,
        ),
        Example(
            "miss",
            "MI355X is listed on Ubuntu 22.04.5",
            target={"part": "mi355x", "os": {"family": "ubuntu", "version": "22.04.5", "kernel": "5.15"}},
        ),
        Example(
            "unknown",
            "nobody read the matrix of ROCm 8.8.0: to be confirmed, naming the nearest one read",
            target={"rocm": "8.8.0"},
            effect=Effect.CONFIRM,
        ),
        Example(
            "unknown",
            "ROCm 7.14.0 was read without operating system rows for Radeon parts: unknown, not no",
            target={"part": "rx-7900-xtx"},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
    scope="target",
)
