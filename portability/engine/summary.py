"""What a workload is, declared and detected put together. Contradictions are kept in words; rules judge the worse."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Container, Declared, Fact, Facts, Feature, PodGroup, Summary
from portability.engine.versions import matches


def merge_summary(facts: Facts, declared: Declared) -> Summary:
    """Detected facts first where there are any, since they show what really runs; declared ones fill the gaps."""
    detected = _detected(facts)
    stated = {
        "engine": declared.engine,
        "engine_version": declared.engine_version,
        "model": declared.model,
        "model_kind": declared.model_kind,
    }
    merged: dict[str, Fact | None] = {}
    contradictions: list[str] = []
    for name, value in stated.items():
        found = detected[name]
        own = Fact(value, "declared") if value else None
        if found and own and _contradict(name, found, own):
            contradictions.append(_in_words(name, found, own))
        # What is only inferred from a name gives way to what the team says; what is written does not.
        merged[name] = own if own and (found is None or found.origin == "inferred") else found
    gpus, replicas = _scale(facts.pod_groups)
    for what, said, seen in (
        ("GPUs per replica", declared.gpus_per_replica, gpus),
        ("replicas", declared.replicas, replicas),
    ):
        if said is not None and seen is not None and said != seen:
            contradictions.append(f"{what}: declared {said}, the manifests show {seen}")
    return Summary(
        engine=merged["engine"],
        engine_version=merged["engine_version"],
        model=merged["model"],
        model_kind=merged["model_kind"],
        features=_features(facts, declared),
        gpus_per_replica=declared.gpus_per_replica if declared.gpus_per_replica is not None else gpus,
        replicas=declared.replicas if declared.replicas is not None else replicas,
        vendor=declared.vendor,
        contradictions=tuple(contradictions),
    )


def _detected(facts: Facts) -> dict[str, Fact | None]:
    """The facts of the container that serves: one with GPUs and an engine before one without."""
    serving = sorted(
        (c for c in facts.containers if c.engine or c.model or c.model_kind),
        key=lambda c: (c.engine is None, c.gpus == 0 and not c.uses_dra, c.role in ("init", "ephemeral")),
    )
    holders: list[Container | Facts] = [*serving]
    holders.insert(0 if not holders or _outranks(facts, holders[0]) else len(holders), facts)
    found: dict[str, Fact | None] = {}
    engine = next((h.engine for h in holders if h.engine), None)
    found["engine"] = engine
    alike = [h for h in holders if h.engine is None or engine is None or h.engine.value == engine.value]
    found["engine_version"] = next((h.engine_version for h in alike if h.engine_version), None)
    found["model"] = next((h.model for h in holders if h.model), None)
    found["model_kind"] = next((h.model_kind for h in holders if h.model_kind), None)
    return found


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
    detected: Iterable[Feature] = [f for c in facts.containers for f in c.features] + list(facts.features)
    for feature in detected:
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
