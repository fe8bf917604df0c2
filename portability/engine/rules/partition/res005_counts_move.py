"""RES005: counts stated in whole GPUs mean fewer of them where one GPU shows as several devices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from portability.engine.model import Effect, Evidence, Finding, Place, Resource, Site, SiteKind
from portability.engine.rules.asking import has_platform_source, shown_part
from portability.engine.rules.base import Context, Example, Ground, Rule
from portability.engine.rules.partitions import Known, devices_of, documented_names, partitioned
from portability.engine.vendor_rows.rows import Table

_AUTOSCALERS = ("HorizontalPodAutoscaler", "ScaledObject", "ScaledJob", "PodAutoscaler")
_MOST_DIGITS = 10  # what is longer is no count of devices
_PARALLEL = ("tensor-parallel", "pipeline-parallel", "data-parallel")


@dataclass(frozen=True, slots=True)
class Split:
    """Under `name` one GPU shows as `devices` (None: not published)."""

    name: str
    style: str
    devices: int | None
    evidence: tuple[Evidence, ...]

    def of_gpus(self, devices: int) -> str:
        """So many devices, as a count of GPUs in words."""
        if self.devices is None:
            return "an unknown part of as many GPUs"
        whole = devices / self.devices
        return f"{whole:.3g} of a GPU" if whole < 1 else f"{whole:.3g} GPU{'s' if whole != 1 else ''}"


def check(ctx: Context) -> Iterator[Finding]:
    """A finding for each place where a count stands, with the arithmetic."""
    split = ctx.once(_split) if has_platform_source(ctx) else None
    if split is None:
        return
    factor = "an unpublished number of" if split.devices is None else str(split.devices)
    under = f"in {split.style.upper()} one {shown_part(ctx.target)} shows as {factor} devices named {split.name}"
    for place, said, devices in _counts(ctx):
        yield RULE.finding(
            Effect.CONFIRM,
            f"{said}; {under}, so {devices} of these come to {split.of_gpus(devices)}.",
            "Decide how many partitions this workload needs, and restate replicas, bounds, quotas and parallelism.",
            place=place,
            value=str(devices),
            evidence=split.evidence,
        )
    yield from _autoscalers(ctx, split, under)
    yield from _quotas(ctx, split, under)


def _autoscalers(ctx: Context, split: Split, under: str) -> Iterator[Finding]:
    """Bounds of an autoscaler, or of what scales itself, count replicas: each of them is worth less than it was."""
    each = ctx.summary.gpus_per_replica
    if not each or any(_in_partitions(ctx, group.containers) for group in ctx.facts.pod_groups):
        return
    bounded = set()
    for site in ctx.sites(SiteKind.QUOTA):
        if site.role == "bound":
            bounded.add(_document(site))
            devices = int(site.key) * each
            yield RULE.finding(
                Effect.CONFIRM,
                f"{site.value} {site.key} of {site.place.resource.kind} {site.place.resource.name} counts replicas of"
                f" {each} GPU(s); {under}, so {devices} of these come to {split.of_gpus(devices)}.",
                "Restate the bound for replicas of the size they will have.",
                site=site,
                evidence=split.evidence,
            )
    for site in ctx.sites(SiteKind.KIND):
        if site.value not in _AUTOSCALERS or _document(site) in bounded:
            continue
        yield RULE.finding(
            Effect.CONFIRM,
            f"{site.value} {site.place.resource.name} bounds replicas of {each} GPU(s); {under}, so a replica comes to"
            f" {split.of_gpus(each)}.",
            "Restate the autoscaler's bounds for replicas of the size they will have.",
            site=site,
            evidence=split.evidence,
        )


def _document(site: Site) -> tuple[str, Resource]:
    return site.place.file, site.place.resource


def _quotas(ctx: Context, split: Split, under: str) -> Iterator[Finding]:
    for site in ctx.sites(SiteKind.QUOTA):
        if (
            site.role == "bound"
            or site.key == "0"
            or "_nps" in site.value
            or not ctx.rows.find(Table.RESOURCES, site.value)
        ):
            continue
        number = int(site.key) if site.key.isdecimal() and len(site.key) < _MOST_DIGITS else None
        come_to = f"{number} of these come to {split.of_gpus(number)}" if number else "the same number allows less"
        yield RULE.finding(
            Effect.CONFIRM,
            f"A quota of {site.key or 'some'} {site.value} is stated in GPUs; {under}, so {come_to}.",
            "Decide how many partitions the quota should allow, and restate it.",
            site=site,
            evidence=split.evidence,
        )


def _split(ground: Ground) -> Split | None:
    """The first style under which one name stands for more than one device of a GPU; what a node shows comes first."""
    styles = partitioned(ground)
    seen, gpus = ground.target.advertises, ground.target.gpus_per_node
    if seen is not None and gpus:
        for name, count in seen.items():
            if name.startswith("amd.com/") and count > gpus:
                shown = Evidence("observed", "", None, f"advertises/{name}", str(count))
                return Split(name, styles[0] if styles else "its mode", count // gpus, (shown,))
        return None
    for style in styles:
        known: Known = devices_of(ground, style)
        if known.number is None or known.number > 1:
            names = documented_names(ground)
            name = next((n for n in names if n.endswith(style)), next(iter(names)))
            return Split(name, style, None if known.number is None else int(known.number), known.evidence)
    return None


def _counts(ctx: Context) -> Iterator[tuple[Place | None, str, int]]:
    """Where whole GPUs are counted: place, in words, and the devices they come to."""
    groups = [
        group for group in ctx.facts.pod_groups if group.gpus_per_replica and not _in_partitions(ctx, group.containers)
    ]
    for group in groups:
        replicas = 1 if group.replicas is None else group.replicas
        times = "an unstated number of replicas, each" if group.replicas is None else f"{replicas} x"
        yield group.place, f"{times} {group.gpus_per_replica} GPU(s) are asked for", replicas * group.gpus_per_replica
    if not groups and not ctx.facts.pod_groups and ctx.declared.gpus_per_replica:
        replicas, each = ctx.declared.replicas or 1, ctx.declared.gpus_per_replica
        yield None, f"{replicas} x {each} GPU(s) are declared", replicas * each
    for feature in ctx.summary.features:
        name, _, value = feature.name.partition("=")
        if name in _PARALLEL and value.isdecimal() and len(value) < _MOST_DIGITS and int(value) > 1:
            yield feature.place, f"{feature.name} is stated in GPUs", int(value)


def _in_partitions(ctx: Context, containers: tuple[int, ...]) -> bool:
    """Whether the pods already ask for partitions by their name."""
    names = [name for n in containers for name in ctx.facts.containers[n].accelerators]
    return bool(names) and all("_nps" in name for name in names)


_POD = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat}
spec:
  replicas: 2
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
        - {name: vllm, image: "vllm/vllm-openai-rocm:v0.23.0", resources: {limits: {amd.com/gpu: 1}}}
"""
RULE = Rule(
    id="RES005",
    name="counts-move-under-partitioning",
    class_="PARTITION",
    why=(
        "Where a GPU shows as eight devices of one name, a request for one of them gets an eighth of a GPU: the"
        " manifest applies without an error and means something else."
    ),
    fix="Restate counts in partitions, or run on unpartitioned GPUs.",
    references=("https://instinct.docs.amd.com/projects/gpu-operator/en/latest/device_plugin/device-plugin.html",),
    reads=("replicas and their bounds, GPUs of a replica, quotas and parallelism, the target's naming and partitions",),
    examples=(
        Example(
            "hit",
            "two replicas of one GPU are a quarter of one under CPX",
            manifest=_POD,
            target={"partitions": {"cpx_nps4": 8}},
            effect=Effect.CONFIRM,
        ),
        Example("miss", "unpartitioned GPUs", manifest=_POD),
        Example(
            "unknown",
            "no page says as how many devices MI355X shows in CPX",
            manifest=_POD,
            target={"part": "mi355x", "partitions": {"cpx_nps2": 8}},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
)
