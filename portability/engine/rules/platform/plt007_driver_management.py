"""PLT007: the operator is to manage the driver on an operating system where it cannot."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import OPERATOR
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import has_platform_source, operator, operator_unread, os_of, shown_os
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.versions import matches


def check(ctx: Context) -> Iterator[Finding]:
    """Asked only where the target says that the operator manages the driver."""
    system = ctx.target.os
    if not has_platform_source(ctx) or not ctx.target.driver_managed:
        return
    named = shown_os(system.family, system.version) if system else "an operating system that is not known"
    if operator(ctx) is None:
        said, evidence = operator_unread(ctx)
        reason = f"Whether the operator can manage the driver on {named} is not known: {said}."
        yield RULE.finding(Effect.CONFIRM, reason, "State the operator's version.", value=named, evidence=evidence)
        return
    cells = [
        cell
        for cell in ctx.ledger.cells(OPERATOR, "platform/", ctx.target.operator)
        if cell.key.endswith("/driver-management") and system and os_of(cell)[0] == system.family
    ]
    cell = next((c for c in cells if os_of(c)[1] == "any" or (system and matches(system.version, os_of(c)[1]))), None)
    if cell is None or cell.value not in ("supported", "unsupported"):
        key = f"platform/{system.family}/{system.version}/driver-management" if system else "platform/*"
        yield RULE.finding(
            Effect.CONFIRM,
            f"The matrix of GPU Operator {ctx.target.operator} does not say whether it manages the driver on {named}.",
            "Install the driver on the nodes yourself, or try the managed one on a single node.",
            value=named,
            evidence=[ctx.ledger.evidence(OPERATOR, cell or key, ctx.target.operator)],
        )
    elif cell.value == "unsupported":
        yield RULE.finding(
            Effect.CHANGE,
            f"GPU Operator {ctx.target.operator} does not support managing the driver on {named}.",
            "Install the driver on the nodes (a reboot in a maintenance window) and set spec.driver.enable to false.",
            value=named,
            evidence=[ctx.ledger.evidence(OPERATOR, cell, ctx.target.operator)],
        )


RULE = Rule(
    id="PLT007",
    name="driver-management-unsupported",
    class_="PLATFORM",
    why="On some systems the operator runs everything except the driver, which then has to be on the node already.",
    fix="Install the driver on the nodes and let the operator use it, or choose a system where it is managed.",
    references=("https://instinct.docs.amd.com/projects/gpu-operator/en/latest/",),
    reads=("the target's operating system, operator version and driver_managed",),
    examples=(
        Example(
            "hit",
            "on Debian 12 the operator does not manage the driver",
            target={"os": {"family": "debian", "version": "12", "kernel": "6.1.0"}, "driver_managed": True},
            effect=Effect.CHANGE,
        ),
        Example("miss", "on Ubuntu 24.04 it does", target={"driver_managed": True}),
        Example(
            "unknown",
            "the matrix does not name SLES",
            target={"os": {"family": "sles", "version": "15.7"}, "driver_managed": True},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
    scope="target",
)
