"""PLT006: the operating system is not one that the operator's matrix names."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import OPERATOR
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import has_platform_source, operator, operator_unread, os_of, shown_os
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.versions import matches


def check(ctx: Context) -> Iterator[Finding]:
    """To confirm and no more: a system outside the operator's matrix may still be in ROCm's."""
    system = ctx.target.os
    if not has_platform_source(ctx) or system is None:
        return
    named = shown_os(system.family, system.version)
    if operator(ctx) is None:
        said, evidence = operator_unread(ctx)
        reason = f"Whether the GPU Operator supports {named} is not known: {said}."
        remedy = "State the operator's version, and read its platform matrix if nobody has."
        yield RULE.finding(Effect.CONFIRM, reason, remedy, value=named, evidence=evidence)
        return
    rows = dict.fromkeys(os_of(cell) for cell in ctx.ledger.cells(OPERATOR, "platform/", ctx.target.operator))
    if any(f == system.family and (v == "any" or matches(system.version, v)) for f, v in rows):
        return
    known = ", ".join(shown_os(f, "" if v == "any" else v) for f, v in rows)
    key = f"platform/{system.family}/{system.version}"
    yield RULE.finding(
        Effect.CONFIRM,
        f"{named} is not in the platform matrix of GPU Operator {ctx.target.operator}, which names {known}.",
        "Confirm that the operator works there, or run the device plugin and the exporter without it.",
        value=named,
        evidence=[ctx.ledger.evidence(OPERATOR, key, ctx.target.operator)],
    )


RULE = Rule(
    id="PLT006",
    name="os-outside-envelope",
    class_="PLATFORM",
    why="The operator is validated on fewer operating systems than ROCm itself.",
    fix="Use an operating system of the operator's matrix, or confirm on one node that its parts run.",
    references=("https://instinct.docs.amd.com/projects/gpu-operator/en/latest/",),
    reads=("the target's operating system and operator version",),
    examples=(
        Example(
            "hit",
            "RHEL is in ROCm's matrix and not in the operator's",
            target={"os": {"family": "rhel", "version": "9.6", "kernel": "5.14.0-570"}},
            effect=Effect.CONFIRM,
        ),
        Example("miss", "24.04.4 is the operator's Ubuntu 24.04"),
        Example("unknown", "the operator's version is not known", target={"operator": None}, effect=Effect.CONFIRM),
    ),
    check=check,
    scope="target",
)
