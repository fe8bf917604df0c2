"""PLT005: the cluster's version lies outside what the operator supports, narrowed by the part."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import OPERATOR
from portability.engine.matrices.knowledge import Cell
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import has_platform_source, in_range, operator, operator_unread, os_of, shown_part
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.versions import matches


def check(ctx: Context) -> Iterator[Finding]:
    """Judges OpenShift where the target is one, else Kubernetes."""
    if not has_platform_source(ctx):
        return
    kind = "openshift" if ctx.target.openshift else "kubernetes"
    version = ctx.target.openshift or ctx.target.kubernetes
    word = "OpenShift" if kind == "openshift" else "Kubernetes"
    if not version:
        reason = "The target names neither a Kubernetes nor an OpenShift version, so the envelope cannot be checked."
        yield RULE.finding(Effect.CONFIRM, reason, "State the cluster's version (kubectl version) on the target.")
        return
    if operator(ctx) is None:
        said, evidence = operator_unread(ctx)
        reason = f"Whether the GPU Operator supports {word} {version} is not known: {said}."
        remedy = "State the operator's version, and read its platform matrix if nobody has."
        yield RULE.finding(Effect.CONFIRM, reason, remedy, value=version, evidence=evidence)
        return
    yield from _held_against(ctx, kind, word, version)


def _held_against(ctx: Context, kind: str, word: str, version: str) -> Iterator[Finding]:
    ask = f"GPU Operator {ctx.target.operator}"
    narrowed = ctx.ledger.cell(OPERATOR, f"narrowed/{ctx.target.part}/{kind}", ctx.target.operator)
    rows = [narrowed] if narrowed else _envelope(ctx, kind)
    answers = [in_range(version, cell.value) if cell.value != "none" else False for cell in rows]
    evidence = [ctx.ledger.evidence(OPERATOR, cell, ctx.target.operator) for cell in rows]
    if not rows:
        evidence = [ctx.ledger.evidence(OPERATOR, f"platform/*/{kind}", ctx.target.operator)]
    if True in answers:
        return
    spans = " or ".join(sorted({cell.value for cell in rows if cell.value != "none"}))
    for_part = f" for {shown_part(ctx.target)}" if narrowed else ""
    if None in answers:
        reason = f"{word} {version} is less precise than what {ask} supports{for_part}, {spans}."
        yield RULE.finding(Effect.CONFIRM, reason, "State the exact version.", value=version, evidence=evidence)
        return
    if spans:
        reason = f"{word} {version} lies outside what {ask} supports{for_part}: {spans}."
        remedy = f"Bring the cluster to {word} {spans}, or use an operator version that supports {version}."
    else:
        reason = f"{ask} supports no {word} version{for_part}."
        remedy = "Use a Kubernetes cluster that the operator supports, or another part."
    yield RULE.finding(Effect.CHANGE, reason, remedy, value=version, evidence=evidence)


def _envelope(ctx: Context, kind: str) -> list[Cell]:
    """The cells of the target's operating system where the matrix has it, else those of every platform."""
    found = [c for c in ctx.ledger.cells(OPERATOR, "platform/", ctx.target.operator) if c.key.endswith(f"/{kind}")]
    system = ctx.target.os
    own = [c for c in found if system and os_of(c)[0] == system.family and _same(system.version, os_of(c)[1])]
    return own or found


def _same(version: str, listed: str) -> bool:
    return listed == "any" or matches(version, listed)


RULE = Rule(
    id="PLT005",
    name="cluster-outside-envelope",
    class_="PLATFORM",
    why="The operator is validated on a range of Kubernetes and OpenShift versions, and single parts narrow it.",
    fix="Bring the cluster into the range, or choose an operator version or a part whose range holds it.",
    references=("https://instinct.docs.amd.com/projects/gpu-operator/en/latest/",),
    reads=("the target's Kubernetes or OpenShift version, operator version and part",),
    examples=(
        Example("hit", "1.28 lies below 1.29", target={"kubernetes": "1.28"}, effect=Effect.CHANGE),
        Example(
            "hit",
            "MI350P narrows OpenShift to 4.21 and 4.22",
            target={
                "part": "mi350p",
                "kubernetes": None,
                "openshift": "4.18",
                "os": {"family": "rhcos", "version": "4.18"},
            },
            effect=Effect.CHANGE,
        ),
        Example("miss", "1.36 is the last one of the range", target={"kubernetes": "1.36"}),
        Example(
            "unknown",
            "nobody read the matrix of this operator version",
            target={"operator": "1.9.0"},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
    scope="target",
)
