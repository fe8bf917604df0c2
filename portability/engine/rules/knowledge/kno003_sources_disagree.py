"""KNO003: two sources answer one question about the target differently, or a page and an observed node do."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.features import framework
from portability.engine.matrices.keys import DEVICE_PLUGIN, OPERATOR, ROCM, VLLM_INSTALLATION
from portability.engine.matrices.knowledge import Release
from portability.engine.model import Effect, Evidence, Finding
from portability.engine.rules.asking import (
    at_least,
    driver_state,
    has_platform_source,
    operator,
    runtime,
    runtime_version,
    shown_part,
)
from portability.engine.rules.base import Context, Example, Ground, Rule
from portability.engine.rules.frameworks import listed_elsewhere, offer
from portability.engine.rules.partitions import device_memory, documented_names, memory_of, partitioned, whole_memory
from portability.engine.rules.subject import Subject, of_vllm

_TOLERANCE = 0.05  # of device memory: tools round, and count in powers of two or of ten


def check(ctx: Context) -> Iterator[Finding]:
    """The questions about the target that two sources are known to answer."""
    if not has_platform_source(ctx) or not ctx.alone:
        return
    for ask in (_driver, _runtime, _names, _memory):
        yield from ask(ctx)


def serving(ground: Ground, served: tuple[Subject, ...]) -> Iterator[Finding]:
    """AMD's table of frameworks against vLLM's own list of hardware."""
    if _matrix(ground) is None:
        return
    for subject in of_vllm(served):
        name = framework(subject.engine_name)
        if name is not None and (finding := _engine(ground, subject, name)):
            yield finding


def _driver(ctx: Context) -> Iterator[Finding]:
    """The list of the ROCm matrix against the floor of the operator's release notes."""
    state, cell = driver_state(ctx)
    floor = ctx.ledger.cell(OPERATOR, f"narrowed/{ctx.target.part}/amdgpu", ctx.target.operator)
    if operator(ctx) is None or floor is None or cell is None or state not in ("listed", "not-listed"):
        return
    driver, enough = ctx.target.amdgpu, at_least(ctx.target.amdgpu, floor.value)
    if enough == (state == "listed"):
        return
    says = "lists" if state == "listed" else "does not list"
    yield RULE.finding(
        Effect.CONFIRM,
        f"The ROCm {runtime_version(ctx)} matrix {says} amdgpu {driver} for"
        f" {shown_part(ctx.target)}, and GPU Operator {ctx.target.operator} asks for {floor.value}.",
        "Use a driver that satisfies both (a reboot in a maintenance window), or confirm with AMD which one holds.",
        value=driver,
        evidence=(
            ctx.ledger.evidence(ROCM, cell, ctx.target.rocm, state),
            ctx.ledger.evidence(OPERATOR, floor, ctx.target.operator),
        ),
        about="target",
    )


def _runtime(ctx: Context) -> Iterator[Finding]:
    """Whether the part is supported by this ROCm: the matrix's parts against the operator's floor."""
    floor = ctx.ledger.cell(OPERATOR, f"narrowed/{ctx.target.part}/rocm", ctx.target.operator)
    if operator(ctx) is None or runtime(ctx) is None or floor is None:
        return
    key = f"part/{ctx.target.part}/gfx"
    cell = ctx.ledger.cell(ROCM, key, ctx.target.rocm)
    rocm = runtime_version(ctx)
    if cell is None or at_least(rocm, floor.value):
        return  # a part that the matrix does not list is unknown there, not denied
    yield RULE.finding(
        Effect.CONFIRM,
        f"The ROCm {rocm} matrix lists {shown_part(ctx.target)}, and GPU Operator {ctx.target.operator} asks for ROCm"
        f" {floor.value} with it.",
        "Use a runtime that satisfies both (a container image), or confirm with AMD which one holds.",
        value=rocm,
        evidence=(
            ctx.ledger.evidence(ROCM, cell, ctx.target.rocm),
            ctx.ledger.evidence(OPERATOR, floor, ctx.target.operator),
        ),
        about="target",
    )


def _names(ctx: Context) -> Iterator[Finding]:
    """What a node advertises against what naming and partitions imply by the documentation."""
    seen = ctx.target.advertises
    if seen is None:
        return
    documented = documented_names(ctx)
    ours = {
        name: count for name, count in seen.items() if name.startswith("amd.com/") and (count or name in documented)
    }
    if not ctx.target.gpus_per_node and not ctx.target.partitions:
        differs = set(ours) != set(documented)
    else:
        differs = set(ours) != set(documented) or any(
            count is not None and ours[name] != count for name, count in documented.items()
        )
    if not differs:
        return
    by_page = ", ".join(f"{name}: {'?' if count is None else count}" for name, count in documented.items())
    by_node = ", ".join(f"{name}: {count}" for name, count in seen.items()) or "nothing"
    key = f"naming/{ctx.target.resource_naming}/name"
    page = ctx.ledger.cell(DEVICE_PLUGIN, key)
    yield RULE.finding(
        Effect.CONFIRM,
        f"A node of the target advertises {by_node}, where the device plugin's documentation implies {by_page}.",
        "Find out on the node why (device plugin version, naming, partition mode); what it advertises is what counts.",
        value=by_node,
        evidence=(
            Evidence("observed", "", None, "advertises", by_node),
            ctx.ledger.evidence(DEVICE_PLUGIN, page or key),
        ),
        about="target",
    )


def _memory(ctx: Context) -> Iterator[Finding]:
    """The observed memory of a device against the published one."""
    observed = ctx.target.device_memory_gb
    if observed is None:
        return
    styles = partitioned(ctx)
    for known in [memory_of(ctx, style) for style in styles] or [whole_memory(ctx)]:
        if known.number is None or abs(observed - known.number) <= _TOLERANCE * known.number:
            continue
        yield RULE.finding(
            Effect.CONFIRM,
            f"A node of the target shows devices of {observed:g} GB, and the published size is {known.number:g} GB.",
            "Look at the node's partition mode with amd-smi list and correct the target, or note why it differs.",
            value=f"{observed:g}",
            evidence=(*device_memory(ctx, styles).evidence, *known.evidence),
            about="target",
        )


def _matrix(ground: Ground) -> Release | None:
    return runtime(ground) if has_platform_source(ground) else None


def _engine(ground: Ground, subject: Subject, name: str) -> Finding | None:
    found = offer(ground, name)
    theirs = listed_elsewhere(ground, subject.engine_name, found.gfx)
    if not found.rows or found.gfx is None or bool(found.ours) == bool(theirs):
        return None
    amd, vllm = ("offers", "does not list") if found.ours else ("does not offer", "lists")
    own, other = f"framework/{name}/{found.gfx.value}/*", f"target/{found.gfx.value}"
    return RULE.finding(
        Effect.CONFIRM,
        f"The ROCm {runtime_version(ground)} matrix {amd} {name} for {found.gfx.value} ({shown_part(ground.target)}),"
        f" and vLLM's installation page {vllm} it.",
        "Try the engine on the target and record the rehearsal, or confirm with AMD which page holds.",
        place=subject.at,
        value=subject.engine_name,
        evidence=(
            ground.ledger.evidence(ROCM, found.ours[0] if found.ours else own, ground.target.rocm),
            ground.ledger.evidence(VLLM_INSTALLATION, theirs or other),
        ),
        about="workload",
    )


RULE = Rule(
    id="KNO003",
    name="sources-disagree",
    class_="KNOWLEDGE",
    why="Where two pages, or a page and a node, say different things, neither may be believed in silence.",
    fix="Satisfy both, or find out which of them holds and record it.",
    references=(
        "https://rocm.docs.amd.com/en/latest/compatibility/compatibility-matrix.html",
        "https://instinct.docs.amd.com/projects/gpu-operator/en/latest/",
        "https://docs.vllm.ai/en/stable/getting_started/installation/gpu/",
    ),
    reads=("the target's part, versions and what was observed on it, the engine of each serving container",),
    examples=(
        Example(
            "hit",
            "the matrix lists 30.20.0 for MI350P, the operator asks for 31.40",
            target={"part": "mi350p", "amdgpu": "30.20.0"},
            effect=Effect.CONFIRM,
        ),
        Example(
            "hit",
            "vLLM lists gfx90a, AMD's table does not",
            workload={"engine": "vllm", "model_kind": "decoder-only", "gpus_per_replica": 1},
            target={"part": "mi210"},
            effect=Effect.CONFIRM,
        ),
        Example("miss", "all agree on MI300X"),
        Example(
            "unknown",
            "the documentation implies 64 devices, and the node shows none",
            target={"partitions": {"cpx_nps4": 8}, "advertises": {"amd.com/gpu": 0}},
            effect=Effect.CONFIRM,
        ),
    ),
    serving=serving,
    check=check,
    asks=_matrix,
    scope="both",
)
