"""PLT010: devices by DRA on a Kubernetes that has it not, or only behind a gate that is closed."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import OPERATOR, listed
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import at_least, has_platform_source, operator, operator_unread
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.device_configs import device_configs
from portability.engine.versions import components, matches


def check(ctx: Context) -> Iterator[Finding]:
    """Asked only where the target allocates by DRA."""
    if not has_platform_source(ctx) or not _uses_dra(ctx):
        return
    version, ask = ctx.target.kubernetes, ctx.target.operator
    floor = ctx.ledger.cell(OPERATOR, "dra/kubernetes", ask) if operator(ctx) else None
    gate = ctx.ledger.cell(OPERATOR, "dra/feature-gate/name", ask) if floor else None
    needed = ctx.ledger.cell(OPERATOR, "dra/feature-gate/needed-on", ask) if floor else None
    if floor is None or gate is None or needed is None:
        said, evidence = operator_unread(ctx)
        reason = f"From which Kubernetes on the operator allocates by DRA is not known: {said}."
        yield RULE.finding(Effect.CONFIRM, reason, "State the operator's version.", value=version, evidence=evidence)
        return
    asked = (ctx.ledger.evidence(OPERATOR, floor, ask),)
    if len(components(version)) < 2:
        where = f"OpenShift {ctx.target.openshift} does not say it" if ctx.target.openshift else "it is not stated"
        reason = f"Allocation by DRA needs Kubernetes {floor.value}, and the target's version is not known: {where}."
        remedy = "State the cluster's Kubernetes version (kubectl version) on the target."
        yield RULE.finding(Effect.CONFIRM, reason, remedy, value=version, evidence=asked)
    elif not at_least(version, floor.value):
        reason = f"Allocation by DRA needs Kubernetes {floor.value}; the target runs {version}."
        remedy = "Upgrade the cluster, or allocate by the device plugin."
        yield RULE.finding(Effect.CHANGE, reason, remedy, value=version, evidence=asked)
    elif any(matches(version, each) for each in listed(needed.value)) and not _open(ctx, gate.value):
        reason = f"On Kubernetes {version} allocation by DRA needs the feature gate {gate.value}, which is not enabled."
        last = listed(needed.value)[-1]
        remedy = (
            f"Enable {gate.value} on API server, scheduler, controller manager and kubelets, or upgrade beyond {last}."
        )
        evidence = (ctx.ledger.evidence(OPERATOR, gate, ask), ctx.ledger.evidence(OPERATOR, needed, ask))
        yield RULE.finding(Effect.CHANGE, reason, remedy, value=version, evidence=evidence)


def _uses_dra(ctx: Context) -> bool:
    configs = (c for c in device_configs(ctx) if c.about == "target")
    return ctx.target.allocation == "dra" or any(c.on("draDriver.enable", False) for c in configs)


def _open(ctx: Context, gate: str) -> bool:
    given = [text.partition("=") for text in ctx.target.feature_gates]
    return any(name == gate and value.lower() in ("", "true") for name, _, value in given)


RULE = Rule(
    id="PLT010",
    name="dra-below-floor",
    class_="PLATFORM",
    why="Dynamic resource allocation came to Kubernetes behind a feature gate; older versions do not have it at all.",
    fix="Upgrade the cluster, open the gate, or allocate by the device plugin.",
    references=("https://instinct.docs.amd.com/projects/gpu-operator/en/latest/dra/dra-driver.html",),
    reads=("the target's allocation, Kubernetes version and feature gates",),
    examples=(
        Example(
            "hit", "1.31 lies below the floor", target={"allocation": "dra", "kubernetes": "1.31"}, effect=Effect.CHANGE
        ),
        Example(
            "hit", "1.33 without the gate", target={"allocation": "dra", "kubernetes": "1.33"}, effect=Effect.CHANGE
        ),
        Example("miss", "1.34 needs no gate", target={"allocation": "dra", "kubernetes": "1.34"}),
        Example(
            "miss",
            "1.33 with the gate",
            target={"allocation": "dra", "kubernetes": "1.33", "feature_gates": ["DynamicResourceAllocation"]},
        ),
        Example(
            "unknown",
            "an OpenShift whose Kubernetes version is not stated",
            target={"allocation": "dra", "kubernetes": None, "openshift": "4.20"},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
    scope="target",
)
