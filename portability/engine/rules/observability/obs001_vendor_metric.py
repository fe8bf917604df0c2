"""OBS001: an expression, selector or trigger on the metrics of another vendor's exporter."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, Site, SiteKind
from portability.engine.rules.base import Context, Example, Ground, Rule, Said
from portability.engine.rules.code.sources import PACKAGES, is_prose
from portability.engine.rules.command.lines import runs
from portability.engine.rules.foreign import foreign, literal, owner
from portability.engine.vendor_rows.rows import Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """One finding a line; an exporter's own list of metrics, carried as a text, included."""
    text = runs(said.value)
    row = None if said.role == PACKAGES else foreign(ground, Table.METRICS, text)
    if row is None or (said.kind is SiteKind.SCRIPT and foreign(ground, Table.TOOLS, text)):
        return  # a line that calls a tool is APP003's
    remedy = f"Read {row.counterpart or 'a neutral metric'} in its place, so that either exporter can feed it."
    yield literal(RULE, said, row, f"It reads metrics of {owner(row)}'s exporter", remedy)


def weigh(ctx: Context, site: Site, finding: Finding) -> Finding | None:
    """A service beside pods selects them by their own label, which moves with them. Documentation reads nothing."""
    if site.kind is SiteKind.SCRIPT and is_prose(site):
        return None
    return finding._replace(effect=Effect.NOTE) if site.role == "service" and ctx.facts.containers else finding


_RULE = """\
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {name: gpus}
spec:
  groups:
    - name: gpus
      rules: [{record: "gpu:utilization", expr: %s}]
"""

RULE = Rule(
    id="OBS001",
    name="vendor-metric",
    class_="METRIC",
    why="Dashboards, alerts and autoscalers on one vendor's metric names go blank on the other, and scale on nothing.",
    fix="Feed a recording rule of a neutral name from whichever exporter is there, and read that.",
    references=(
        "https://github.com/NVIDIA/dcgm-exporter",
        "https://github.com/ROCm/device-metrics-exporter",
    ),
    reads=("expressions, selectors and triggers, line by line",),
    examples=(
        Example("hit", "DCGM's utilization", _RULE % "avg(DCGM_FI_DEV_GPU_UTIL)", effect=Effect.CHANGE),
        Example(
            "hit",
            "AMD's utilization on an NVIDIA target",
            _RULE % "avg(gpu_gfx_activity)",
            target={"vendor": "nvidia", "part": "h100"},
            effect=Effect.CHANGE,
        ),
        Example("miss", "the engine's own metric", _RULE % "'sum(vllm:num_requests_waiting)'"),
        Example("miss", "the target's own exporter", _RULE % "avg(gpu_gfx_activity)"),
        Example(
            "unknown",
            "metrics that depend on the platform",
            _RULE % "avg(container_accelerator_duty_cycle)",
            effect=Effect.CONFIRM,
        ),
        Example(
            "unknown",
            "a name of the organisation's own, derived from DCGM's: what feeds it changes",
            _RULE % "avg(DCGM_FI_DEV_GPU_UTIL_relabelled)",
            effect=Effect.NOTE,
        ),
    ),
    kinds=(SiteKind.METRIC, SiteKind.SCRIPT),
    at=at,
    weigh=weigh,
)
