"""PLT012: the part is not in the operator's list of hardware."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import OPERATOR
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import has_platform_source, operator, operator_unread, shown_part
from portability.engine.rules.base import Context, Example, Rule


def check(ctx: Context) -> Iterator[Finding]:
    """To confirm and no more: the list names what was validated."""
    if not has_platform_source(ctx):
        return
    part, key, version = shown_part(ctx.target), f"gpu/{ctx.target.part}", ctx.target.operator
    if operator(ctx) is None:
        said, evidence = operator_unread(ctx)
        reason = f"Whether the GPU Operator supports {part} is not known: {said}."
        remedy = "State the operator's version, and read its hardware list if nobody has."
        yield RULE.finding(Effect.CONFIRM, reason, remedy, value=ctx.target.part, evidence=evidence)
        return
    cell = ctx.ledger.cell(OPERATOR, key, version)
    if cell is None or cell.value != "supported":
        yield RULE.finding(
            Effect.CONFIRM,
            f"{part} is not in the hardware list of GPU Operator {version}.",
            "Confirm with AMD that the operator handles the part, or try its device plugin alone on one node.",
            value=ctx.target.part,
            evidence=[ctx.ledger.evidence(OPERATOR, cell or key, version)],
        )


RULE = Rule(
    id="PLT012",
    name="part-not-in-operator-list",
    class_="PLATFORM",
    why="The operator names the parts it was validated with; ROCm supports more of them.",
    fix="Choose a part of the list, or confirm that the operator handles this one.",
    references=("https://instinct.docs.amd.com/projects/gpu-operator/en/latest/",),
    reads=("the target's part and operator version",),
    examples=(
        Example("hit", "MI300A is not in the list", target={"part": "mi300a"}, effect=Effect.CONFIRM),
        Example("miss", "MI300X is"),
        Example("unknown", "nobody read this operator version", target={"operator": "1.9.0"}, effect=Effect.CONFIRM),
    ),
    check=check,
    scope="target",
)
