"""IMG003: a container asks for a GPU, and for whose its image is built cannot be told."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, Site, SiteKind
from portability.engine.rules.base import Context, Example, Ground, Rule, Said
from portability.engine.rules.foreign import target_vendor
from portability.engine.rules.image.references import asks_for_the_targets, row_of


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """An image of which no row tells anything."""
    if row_of(ground, said.value) is None:
        yield RULE.finding(
            Effect.CONFIRM,
            f"For which vendor {said.value} is built cannot be told from its name.",
            f"Confirm with whoever builds it that a build for {target_vendor(ground)} exists. A name or tag that says"
            " for which vendor it is built (-rocm, -cuda) is judged by that.",
            value=said.value,
        )


def weigh(ctx: Context, site: Site, finding: Finding) -> Finding | None:
    """Only where its container asks for a GPU; a note where that is the target's already."""
    container = ctx.container(site)
    if container is None or not container.asks_for_devices:
        return None
    if not asks_for_the_targets(ctx, container):
        return finding
    reason = f"{finding.reason} Its container already asks for {target_vendor(ctx)} GPUs."
    return finding._replace(effect=Effect.NOTE, reason=reason)


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - {name: main, image: "%s", resources: {limits: {%s}}}
"""

RULE = Rule(
    id="IMG003",
    name="image-build-unknown",
    class_="IMAGE",
    why="A private image may hold either vendor's runtime: moving it blind is found out at the first start.",
    fix="Find out what it is built on, and let its name or tag say so.",
    references=("https://kubernetes.io/docs/concepts/containers/images/",),
    reads=("images of containers that ask for a GPU",),
    examples=(
        Example(
            "hit",
            "a private image that asks for the other vendor's GPU",
            _POD % ("registry.example/ml/scorer:4.2", "nvidia.com/gpu: 1"),
            effect=Effect.CONFIRM,
        ),
        Example("miss", "a plain base image", _POD % ("ubuntu:24.04", "nvidia.com/gpu: 1")),
        Example("miss", "no GPU is asked for", _POD % ("registry.example/ml/scorer:4.2", "cpu: 1")),
        Example(
            "unknown",
            "a private image that already asks for the target's GPU",
            _POD % ("registry.example/ml/scorer:4.2", "amd.com/gpu: 1"),
            effect=Effect.NOTE,
        ),
    ),
    kinds=(SiteKind.IMAGE,),
    at=at,
    weigh=weigh,
)
