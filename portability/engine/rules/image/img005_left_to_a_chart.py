"""IMG005: a chart's values, which leave to the chart what it would run."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, Site, SiteKind
from portability.engine.rules.base import Context, Example, Rule

_DEVICES = (SiteKind.RESOURCE, SiteKind.DEVICE_CLASS, SiteKind.QUOTA)


def check(ctx: Context) -> Iterable[Finding]:
    """Once for each document of values, with what it does not say."""
    for site in ctx.sites(SiteKind.KIND):
        if site.role != "values":
            continue
        unsaid = _unsaid(ctx, site)
        told = f" They do not say {_and(unsaid)}: the chart decides." if unsaid else ""
        yield RULE.finding(
            Effect.NOTE,
            f"These are a chart's values, judged as they stand; what its templates add to them is not known.{told}",
            "Render the chart with these values (`helm template`), and assess the result too.",
            site=site,
        )


def _unsaid(ctx: Context, values: Site) -> list[str]:
    here = _document(values)
    facts = ctx.facts
    image = any(_document(site) == here for site in ctx.sites(SiteKind.IMAGE))
    devices = any(_document(site) == here for site in ctx.sites(*_DEVICES)) or any(c.gpus for c in facts.containers)
    engine = facts.engine or any(c.engine for c in facts.containers)
    model = facts.model or any(c.model for c in facts.containers)
    said = {"the image": image, "which GPUs it asks for": devices, "the engine": engine, "the model": model}
    return [name for name, known in said.items() if not known]


def _document(site: Site) -> tuple[str, str]:
    return site.place.file, site.place.pointer.partition(":")[0]


def _and(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


_VALUES = """\
replicaCount: 2
image: {%s}
resources: {limits: {amd.com/gpu: 1}}
"""

RULE = Rule(
    id="IMG005",
    name="left-to-a-chart",
    class_="HYGIENE",
    why="A chart's defaults and templates add what its values do not say: an answer from values alone is half of one.",
    fix="Render the chart with its values, and assess what comes out.",
    references=("https://helm.sh/docs/chart_template_guide/values_files/",),
    reads=("documents that are a chart's values",),
    examples=(
        Example("hit", "values without an image", _VALUES % 'tag: "0.23.0"', effect=Effect.NOTE),
        Example("unknown", "values that name their image", _VALUES % "repository: a/b, tag: v1", effect=Effect.NOTE),
        Example(
            "miss",
            "an object, which says all it is",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: one}\nspec: {containers: [{name: main, image: 'a/b:1'}]}\n",
        ),
    ),
    check=check,
)
