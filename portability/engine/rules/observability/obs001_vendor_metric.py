"""OBS001: an expression, selector or trigger on the metrics of another vendor's exporter."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.code.sources import carried
from portability.engine.rules.command.lines import runs
from portability.engine.rules.foreign import foreign, foreign_sites, literal, owner
from portability.engine.vendor_rows.rows import Table


def check(ctx: Context) -> Iterable[Finding]:
    """One finding a line; an exporter's own list of metrics, carried as a text, included.

    A service beside pods selects them by their own label, which moves with them.
    """
    sites = chain(ctx.sites(SiteKind.METRIC), carried(ctx))
    for site, row in foreign_sites(ctx, Table.METRICS, sites, lambda site: runs(site.value)):
        if site.kind is SiteKind.SCRIPT and foreign(ctx, Table.TOOLS, runs(site.value)):
            continue  # the line calls a tool: APP003's
        remedy = f"Read {row.counterpart or 'a neutral metric'} in its place, so that either exporter can feed it."
        effect = Effect.NOTE if site.role == "service" and ctx.facts.containers else None
        yield literal(RULE, site, row, f"It reads metrics of {owner(row)}'s exporter", remedy, effect)


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
    check=check,
)
