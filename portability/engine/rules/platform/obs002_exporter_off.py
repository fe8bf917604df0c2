"""OBS002: the metrics exporter is off, or not known to be on."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import OPERATOR
from portability.engine.matrices.knowledge import NEWEST
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import has_platform_source
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.device_configs import device_configs

_KEY = "device-config/metricsExporter.enable/default"


def check(ctx: Context) -> Iterator[Finding]:
    """What the target says counts; where it says nothing, its DeviceConfig; where that says nothing, the default."""
    if not has_platform_source(ctx):
        return
    on = ctx.target.metrics_exporter
    config = next((c for c in device_configs(ctx) if c.about == "target"), None)
    if on is None and config is not None and config.get("metricsExporter.enable") is not None:
        on = config.on("metricsExporter.enable", False)
    if on:
        return
    version = ctx.target.operator or NEWEST
    cell = ctx.ledger.cell(OPERATOR, _KEY, version)
    default = f" (it defaults to {cell.value})" if cell else ""
    reason = (
        "The target does not say whether the metrics exporter is on" if on is None else "The metrics exporter is off"
    )
    yield RULE.finding(
        Effect.CONFIRM,
        f"{reason}{default}, so dashboards, alerts and autoscalers would see no GPU of this target.",
        "Set spec.metricsExporter.enable to true in the DeviceConfig, or confirm that other monitoring is in place.",
        value="not stated" if on is None else "off",
        evidence=[ctx.ledger.evidence(OPERATOR, cell or _KEY, version)],
    )


RULE = Rule(
    id="OBS002",
    name="exporter-off",
    class_="OBSERVABILITY",
    why="A workload that moves must be seen where it arrives; the exporter of the operator is off unless asked for.",
    fix="Switch the metrics exporter on, or say what else measures these GPUs.",
    references=("https://instinct.docs.amd.com/projects/gpu-operator/en/latest/metrics/exporter.html",),
    reads=("the target's metrics_exporter and DeviceConfig",),
    examples=(
        Example("hit", "switched off", target={"metrics_exporter": False}, effect=Effect.CONFIRM),
        Example("miss", "switched on", target={"metrics_exporter": True}),
        Example(
            "unknown",
            "nothing is said, and the default is off",
            target={"metrics_exporter": None},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
    scope="target",
)
