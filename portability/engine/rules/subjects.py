"""What a workload serves, taken apart: one subject for each container that is judged, and one for what is declared.

Each container is judged by its own engine, model kind and features. What the team declares is judged besides where
the manifests do not already show it, so that of two contradicting facts the worse one counts.
"""

from __future__ import annotations

from dataclasses import replace

from portability.engine.matrices.features import framework
from portability.engine.matrices.keys import PARTS, VLLM_QUANTIZATION
from portability.engine.model import Container, Fact, Facts, Vendor
from portability.engine.rules.base import Context, Ground
from portability.engine.rules.subject import Subject

_BESIDES = ("ephemeral",)  # roles that serve nothing


def subjects(ctx: Context) -> tuple[Subject, ...]:
    """All subjects of the workload, the declared one last."""
    return ctx.here(_subjects)


def _subjects(ctx: Context) -> tuple[Subject, ...]:
    found = [_of(ctx, holder) for holder in _holders(ctx)]
    fallback = _declared_engine_for_the_rest(ctx, found)
    found = [s if s.engine or not fallback else replace(s, engine=fallback) for s in found]
    found = [s if s.kind_told else replace(s, kind_told=_helps_another(s, found)) for s in found]
    declared = _declared(ctx, found)
    return (*found, declared) if declared else tuple(found)


def column(ground: Ground, source: str) -> str | None:
    """The target's column in one of vLLM's tables; None for an NVIDIA part that has none."""
    if ground.target.vendor is Vendor.AMD:
        return "AMD GPU" if source == VLLM_QUANTIZATION else "AMD"
    cell = ground.ledger.cell(PARTS, f"part/{ground.target.part}/vllm-column")
    return cell.value if cell else None


def _holders(ctx: Context) -> list[Container | Facts]:
    facts, declared = ctx.facts, bool(ctx.declared.gpus_per_replica)
    held: list[Container | Facts] = [
        c
        for c in facts.containers
        if c.role not in _BESIDES
        and (
            _asks(c)
            or (c.role == "custom" and (c.engine or c.model or c.model_kind or c.features))
            or (declared and (c.engine or c.model))
        )
    ]
    if facts.engine or facts.model or facts.model_kind or facts.features:
        held.append(facts)
    return held


def _asks(container: Container) -> bool:
    """Whether it asks for devices; a quantity that is filled in later is a request too."""
    if container.asks_for_devices or not container.accelerators:
        return container.asks_for_devices
    return any(text.strip() not in ("", "0") for text in container.accelerators.values())


def _of(ctx: Context, holder: Container | Facts) -> Subject:
    declared = ctx.declared
    features = holder.features
    if required := {f.name for f in declared.features if f.required}:
        features = tuple(f._replace(required=True) if f.name in required else f for f in features)
    whole = isinstance(holder, Facts)
    gpus = bool(declared.gpus_per_replica)
    gpus = gpus or (bool(ctx.summary.gpus_per_replica) if isinstance(holder, Facts) else _asks(holder))
    return Subject(
        engine=holder.engine or (ctx.summary.engine if whole else None),
        version=holder.engine_version,
        model=holder.model,
        kind=holder.model_kind,
        features=features,
        gpus=gpus,
        kind_told=bool(holder.model_kind or declared.model_kind or (whole and ctx.summary.model_kind)),
        place=None if isinstance(holder, Facts) else holder.place,
        image="" if isinstance(holder, Facts) else holder.image,
    )


def _helps_another(subject: Subject, found: list[Subject]) -> bool:
    """Whether a container without a model of its own works for one beside it that tells: workers and their leader."""
    if subject.model is not None or subject.place is None:
        return False
    return any(
        other.kind is not None
        and other.place is not None
        and other.place.resource == subject.place.resource
        and other.engine_name == subject.engine_name
        for other in found
    )


def _declared_engine_for_the_rest(ctx: Context, found: list[Subject]) -> Fact | None:
    """The declared engine stands for a container whose engine cannot be told, unless another one shows it."""
    name = (ctx.declared.engine or "").lower()
    if not name or any(_one_engine(s.engine_name, name) for s in found):
        return None
    return Fact(name, "declared")


def _one_engine(left: str, right: str) -> bool:
    """Whether two names stand for one engine: onnx is onnxruntime."""
    return (framework(left) or left) == (framework(right) or right)


def _declared(ctx: Context, found: list[Subject]) -> Subject | None:
    said = ctx.declared
    if not (said.engine or said.engine_version or said.model or said.model_kind or said.features):
        return None
    engine = Fact(said.engine.lower(), "declared") if said.engine else ctx.summary.engine
    kind = Fact(said.model_kind, "declared") if said.model_kind else None
    version = Fact(said.engine_version, "declared") if said.engine_version else None
    model = Fact(said.model, "declared") if said.model else None
    gpus = bool(said.gpus_per_replica)
    if not found:
        if not (said.engine or said.model_kind or said.model or said.features):
            return None
        return Subject(engine, version, model, kind, said.features, gpus, kind is not None)
    features = said.features
    name = (said.engine or "").lower()
    other_engine = bool(name) and not any(_one_engine(s.engine_name, name) for s in found)  # contradicts what is shown
    if other_engine:
        kind = kind or next((s.kind for s in found if s.kind), None)
        features = tuple({f.name: f for s in found for f in s.features}.values()) + said.features
    else:
        shown = {f.name for s in found for f in s.features}
        features = tuple(f for f in features if f.name not in shown)
        if kind and any(s.kind and s.kind.value.lower() == kind.value.lower() for s in found):
            kind = None
        versions = {s.version.value for s in found if s.version}
        version = None if versions else version
    if not (other_engine or kind or features or version):
        return None
    return Subject(engine, version, model, kind, features, gpus, kind_told=True)
