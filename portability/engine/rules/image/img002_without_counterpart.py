"""IMG002: an image or engine with no path on the target's vendor."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.foreign import because, foreign, foreign_sites, kind_key, literal, owner, target_vendor
from portability.engine.rules.image.references import row_of
from portability.engine.vendor_rows.rows import Table


def check(ctx: Context) -> Iterable[Finding]:
    """Images first; an engine by its name only where no literal says it already."""
    said = False
    for site in ctx.sites(SiteKind.IMAGE):
        row = row_of(ctx, site.value)
        if row is None or not row.foreign_to(ctx.target.vendor):
            continue
        if row.effect is Effect.BLOCKS:
            said = True
            yield literal(RULE, site, row, f"The image {site.value} has no counterpart", _remedy(ctx))
        elif "counterpart-unknown" in row.traits:
            reason = f"Whether the image {site.value} has a counterpart is not known"
            remedy = f"Find out what in it is {owner(row)}'s own, and whether {target_vendor(ctx)} has the like."
            yield literal(RULE, site, row, reason, remedy, Effect.CONFIRM)
    engine = ctx.summary.engine
    if engine is None or said or _said_elsewhere(ctx):
        return
    row = foreign(ctx, Table.ENGINES, engine.value)
    if row is not None and row.effect is Effect.BLOCKS:
        reason = because(f"The engine {engine.value} has no counterpart", row)
        yield RULE.finding(
            Effect.BLOCKS, reason, _remedy(ctx), place=engine.place, value=engine.value, evidence=[row.evidence()]
        )


def _remedy(ctx: Context) -> str:
    return (
        f"Stay where it is, or serve the model with an engine that runs on {target_vendor(ctx)} (vLLM, SGLang), from"
        " its original weights."
    )


def _said_elsewhere(ctx: Context) -> bool:
    """Whether a command, script or kind already blocks for such an engine."""
    tools = foreign_sites(ctx, Table.TOOLS, ctx.sites(SiteKind.COMMAND, SiteKind.SCRIPT))
    kinds = foreign_sites(ctx, Table.KINDS, ctx.sites(SiteKind.KIND), kind_key)
    return any(row.effect is Effect.BLOCKS for _, row in chain(tools, kinds))


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - {name: main, image: "%s", resources: {limits: {nvidia.com/gpu: 1}}}
"""

RULE = Rule(
    id="IMG002",
    name="image-without-counterpart",
    class_="IMAGE",
    why="Some engines exist for one vendor only: no edit of the manifest moves them.",
    fix="Serve the model with another engine, from its original weights, or leave the workload where it is.",
    references=("https://nvidia.github.io/TensorRT-LLM/", "https://docs.nvidia.com/nim/"),
    reads=("images", "the engine, declared or detected"),
    examples=(
        Example("hit", "a TensorRT-LLM image", _POD % "registry.example/ml/tensorrt-llm:1.1.0", effect=Effect.BLOCKS),
        Example("hit", "a NIM", _POD % "nvcr.io/nim/meta/llama-3.1-8b-instruct:1.8", effect=Effect.BLOCKS),
        Example("hit", "an engine that is only declared", workload={"engine": "tensorrt-llm"}, effect=Effect.BLOCKS),
        Example("miss", "an engine with builds for both", _POD % "vllm/vllm-openai:v0.23.0"),
        Example(
            "miss",
            "the engine's own vendor",
            _POD % "nvcr.io/nim/meta/llama-3.1-8b-instruct:1.8",
            target={"vendor": "nvidia", "part": "h100"},
        ),
        Example(
            "unknown",
            "a vendor's product that no row tells more of",
            _POD % "nvcr.io/nvidia/some-product:1.0",
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
)
