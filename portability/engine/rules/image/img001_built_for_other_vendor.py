"""IMG001: an image built for another vendor's accelerators, which has a counterpart or can be built anew."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, Site, SiteKind
from portability.engine.rules.base import Context, Example, Ground, Rule, Said
from portability.engine.rules.foreign import because, foreign, literal, owner, target_vendor
from portability.engine.rules.image.references import asks_for_the_targets, row_of
from portability.engine.vendor_rows.rows import Row, Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """Rows that block are IMG002's."""
    row = row_of(ground, said.value)
    if row is None or not row.foreign_to(ground.target.vendor) or row.effect is Effect.BLOCKS:
        return
    yield literal(RULE, said, row, f"The image {said.value} is built for {owner(row)}", _remedy(ground, row))


def check(ctx: Context) -> Iterable[Finding]:
    """A build by its engine's name, only where no image says it already."""
    engine = ctx.summary.engine
    row = foreign(ctx, Table.ENGINES, engine.value) if engine else None
    if engine is None or row is None or row.effect is Effect.BLOCKS:
        return
    images = (row_of(ctx, site.value) for site in ctx.sites(SiteKind.IMAGE))
    if any(known is not None and known.foreign_to(ctx.target.vendor) for known in images):
        return
    reason = because(f"The engine {engine.value} is built for {owner(row)}", row)
    evidence = [row.evidence()]
    yield RULE.finding(row.effect, reason, _remedy(ctx, row), place=engine.place, value=engine.value, evidence=evidence)


def _remedy(ground: Ground, row: Row) -> str:
    if row.counterpart:
        return f"Use {row.counterpart} in its place, pinned to a version."
    return f"Use the project's build for {target_vendor(ground)}, or build the image on that vendor's base."


def weigh(ctx: Context, site: Site, finding: Finding) -> Finding:
    """Some images matter only where the container asks for a GPU, and some not where it asks for the target's."""
    container = ctx.container(site)
    row = row_of(ctx, site.value)
    if row is not None and "vendor-guessed" in row.traits:
        own = container is not None and asks_for_the_targets(ctx, container)
        return finding._replace(effect=Effect.NOTE) if own else finding
    if row is None or "only-with-gpu" not in row.traits or (container is not None and container.asks_for_devices):
        return finding
    return finding._replace(effect=Effect.NOTE)


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - name: main
      image: %s
      resources: {limits: {%s}}
"""

RULE = Rule(
    id="IMG001",
    name="image-built-for-other-vendor",
    class_="IMAGE",
    why="An image carries its vendor's runtime and kernels: on the other vendor's GPUs it does not start.",
    fix="Use the counterpart that the project publishes for the target's vendor.",
    references=(
        "https://docs.vllm.ai/en/latest/getting_started/installation/gpu/",
        "https://hub.docker.com/u/rocm",
    ),
    reads=("images, also split over keys or given by kustomize", "the engine's name, where no image tells"),
    examples=(
        Example(
            "hit",
            "a mirrored CUDA build with a digest",
            _POD % (f'"registry.example:5000/mirror/vllm/vllm-openai:v0.23.0@sha256:{"0" * 64}"', "nvidia.com/gpu: 1"),
            effect=Effect.CHANGE,
        ),
        Example("hit", "a placeholder that names a vendor", _POD % ("$(cuda-image)", ""), effect=Effect.CHANGE),
        Example(
            "hit",
            "a ROCm build on an NVIDIA target",
            _POD % ('"rocm/vllm:v1"', "amd.com/gpu: 1"),
            target={"vendor": "nvidia", "part": "h100"},
            effect=Effect.CHANGE,
        ),
        Example(
            "hit",
            "another vendor's build of an engine, declared",
            workload={"engine": "vllm-ascend", "model_kind": "decoder-only"},
            effect=Effect.CHANGE,
        ),
        Example("miss", "the build for the target", _POD % ('"vllm/vllm-openai-rocm:v0.23.0"', "amd.com/gpu: 1")),
        Example("miss", "a plain base image", _POD % ('"ubuntu:24.04"', "")),
        Example(
            "unknown",
            "a tag for GPUs that names no vendor",
            _POD % ('"org/database:v2-gpu"', ""),
            effect=Effect.CONFIRM,
        ),
        Example(
            "unknown",
            "both kinds of runners, no GPU asked for",
            _POD % ('"ollama/ollama:0.9.0"', ""),
            effect=Effect.NOTE,
        ),
    ),
    kinds=(SiteKind.IMAGE,),
    at=at,
    weigh=weigh,
    check=check,
)
