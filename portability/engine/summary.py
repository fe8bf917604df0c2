"""What a workload is, declared and detected put together. Contradictions are kept in words; rules judge the worse."""

from __future__ import annotations

from portability.engine.model import Container, Declared, Fact, Facts, Feature, PodGroup, Summary
from portability.engine.versions import matches

_MERGED = ("engine", "engine_version", "model", "model_kind")


def merge_summary(facts: Facts, declared: Declared) -> Summary:
    """Detected facts first where there are any, since they show what really runs; declared ones fill the gaps."""
    stated = (declared.engine, declared.engine_version, declared.model, declared.model_kind)
    merged: list[Fact | None] = []
    contradictions: list[str] = []
    for name, value, found in zip(_MERGED, stated, _detected(facts), strict=True):
        own = Fact(value, "declared") if value else None
        if found and own and _contradict(name, found, own):
            contradictions.append(_in_words(name, found, own))
        # What is only inferred from a name gives way to what the team says; what is written does not.
        merged.append(own if own and (found is None or found.origin == "inferred") else found)
    engine, engine_version, model, model_kind = merged
    gpus, replicas = _scale(facts.pod_groups)
    for what, said, seen in (
        ("GPUs per replica", declared.gpus_per_replica, gpus),
        ("replicas", declared.replicas, replicas),
    ):
        if said is not None and seen is not None and said != seen:
            contradictions.append(f"{what}: declared {said}, the manifests show {seen}")
    return Summary(
        engine=engine,
        engine_version=engine_version,
        model=model,
        model_kind=model_kind,
        features=_features(facts, declared),
        gpus_per_replica=declared.gpus_per_replica if declared.gpus_per_replica is not None else gpus,
        replicas=declared.replicas if declared.replicas is not None else replicas,
        vendor=declared.vendor,
        contradictions=tuple(contradictions),
    )


def _detected(facts: Facts) -> tuple[Fact | None, Fact | None, Fact | None, Fact | None]:
    """The facts of the container that serves, as _MERGED names them: one with GPUs and an engine before one without."""
    serving = [c for c in facts.containers if c.engine or c.model or c.model_kind]
    if not serving:
        return facts.engine, facts.engine_version, facts.model, facts.model_kind
    serving.sort(key=lambda c: (c.engine is None, not c.asks_for_devices, c.role in ("init", "ephemeral")))
    holders: list[Container | Facts] = [*serving]
    holders.insert(0 if _outranks(facts, holders[0]) else len(holders), facts)
    engine = _first([h.engine for h in holders])
    alike = [h for h in holders if h.engine is None or engine is None or h.engine.value == engine.value]
    return (
        engine,
        _first([h.engine_version for h in alike]),
        _first([h.model for h in holders]),
        _first([h.model_kind for h in holders]),
    )


def _first(facts: list[Fact | None]) -> Fact | None:
    for fact in facts:
        if fact is not None:
            return fact
    return None


def _outranks(facts: Facts, first: Container | Facts) -> bool:
    """Whether what a custom resource says of the whole workload stands before the first container's facts."""
    return facts.engine is not None and first.engine is None


def _contradict(name: str, found: Fact, own: Fact) -> bool:
    left, right = found.value.lower(), own.value.lower()
    if name == "engine_version" and (matches(left, right) or matches(right, left)):
        return False  # v0.23.0 and 0.23.0 are one; so are 0.23 and 0.23.0
    return left != right


def _in_words(name: str, found: Fact, own: Fact) -> str:
    where = f" ({found.place.file}:{found.place.line})" if found.place else ""
    how = "the model's name suggests" if found.origin == "inferred" else "the manifests show"
    return f"{name.replace('_', ' ')}: declared {own.value}, {how} {found.value}{where}"


def _features(facts: Facts, declared: Declared) -> tuple[Feature, ...]:
    """All features in use, each once. A declared one that the manifests show too keeps its place and `required`."""
    every: dict[str, Feature] = {}
    for feature in [*[f for c in facts.containers for f in c.features], *facts.features]:
        every.setdefault(feature.name, feature)
    for feature in declared.features:
        seen = every.get(feature.name)
        every[feature.name] = Feature(feature.name, feature.required, seen.origin, seen.place) if seen else feature
    return tuple(every.values())


def _scale(groups: tuple[PodGroup, ...]) -> tuple[int | None, int | None]:
    """GPUs per replica and replicas. Several pod templates with GPUs make up one replica together."""
    with_gpus = [g for g in groups if g.gpus_per_replica]
    if len(with_gpus) == 1:
        return with_gpus[0].gpus_per_replica, with_gpus[0].replicas
    if with_gpus:
        return sum(g.gpus_per_replica * (1 if g.replicas is None else g.replicas) for g in with_gpus), 1
    if len(groups) == 1:
        return 0, groups[0].replicas
    return (0 if groups else None), None
