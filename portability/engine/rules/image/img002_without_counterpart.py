"""IMG002: an image or engine with no path on the target's vendor."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Context, Example, Ground, Rule, Said
from portability.engine.rules.foreign import because, foreign, kind_key, literal, owner, target_vendor
from portability.engine.rules.image.references import row_of
from portability.engine.vendor_rows.rows import Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """Images that no edit replaces, and those of which it is not known."""
    row = row_of(ground, said.value)
    if row is None or not row.foreign_to(ground.target.vendor):
        return
    if row.effect is Effect.BLOCKS:
        yield literal(RULE, said, row, f"The image {said.value} has no counterpart", _remedy(ground))
    elif "counterpart-unknown" in row.traits:
        reason = f"Whether the image {said.value} has a counterpart is not known"
        remedy = f"Find out what in it is {owner(row)}'s own, and whether {target_vendor(ground)} has the like."
        yield literal(RULE, said, row, reason, remedy, Effect.CONFIRM)


def check(ctx: Context) -> Iterable[Finding]:
    """An engine by its name, only where no literal says it already."""
    engine = ctx.summary.engine
    row = foreign(ctx, Table.ENGINES, engine.value) if engine else None
    if engine is None or row is None or row.effect is not Effect.BLOCKS or _said_elsewhere(ctx):
        return
    reason = because(f"The engine {engine.value} has no counterpart", row)
    yield RULE.finding(
        Effect.BLOCKS, reason, _remedy(ctx), place=engine.place, value=engine.value, evidence=[row.evidence()]
    )


def _remedy(ground: Ground) -> str:
    return (
        f"Stay where it is, or serve the model with an engine that runs on {target_vendor(ground)} (vLLM, SGLang), from"
        " its original weights."
    )


def _said_elsewhere(ctx: Context) -> bool:
    """Whether an image, command, script or kind already blocks for such an engine."""
    images = (row_of(ctx, site.value) for site in ctx.sites(SiteKind.IMAGE))
    tools = (foreign(ctx, Table.TOOLS, site.value) for site in ctx.sites(SiteKind.COMMAND, SiteKind.SCRIPT))
    kinds = (foreign(ctx, Table.KINDS, kind_key(site.key, site.value)) for site in ctx.sites(SiteKind.KIND))
    rows = (row for row in chain(images, tools, kinds) if row is not None)
    return any(row.effect is Effect.BLOCKS and row.foreign_to(ctx.target.vendor) for row in rows)


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
    kinds=(SiteKind.IMAGE,),
    at=at,
    check=check,
)
