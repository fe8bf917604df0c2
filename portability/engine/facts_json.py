"""Facts as JSON and back, compact: files, resources and places are written once and referred to by number."""

from __future__ import annotations

from typing import Any

from portability.engine.model import (
    Container,
    Fact,
    Facts,
    Feature,
    Place,
    PodGroup,
    Problem,
    Resource,
    Site,
    SiteKind,
)

_KINDS = {kind.value: kind for kind in SiteKind}
EXTRACTOR_VERSION = 2  # raise it when the same manifests would give other facts: stored ones are then read anew


def is_current(extractor: int) -> bool:
    """Whether facts that this version of the extractor took are what would be taken now."""
    return extractor == EXTRACTOR_VERSION


def facts_to_json(facts: Facts) -> dict[str, Any]:
    """Plain lists and dictionaries that `facts_from_json` reads back to equal facts."""
    table = _Writer()
    body = {
        "files": list(facts.files),
        "documents": facts.documents,
        "runs": facts.runs_something,
        "problems": [[p.file, p.line, p.message, p.remedy] for p in facts.problems],
        "objects": [dict(o) for o in facts.objects],
        "sites": [[s.kind.value, table.place(s.place), s.value, s.key, s.role, s.container] for s in facts.sites],
        "containers": [_container_to(c, table) for c in facts.containers],
        "pods": [
            [table.resource(g.resource), g.replicas, table.place(g.place), list(g.containers), g.gpus_per_replica]
            for g in facts.pod_groups
        ],
        "whole": _served_to(facts, table),
    }
    return {"extractor": EXTRACTOR_VERSION, "resources": table.resources, "places": table.places, **body}


def facts_from_json(data: dict[str, Any]) -> Facts:
    """The facts that `facts_to_json` wrote."""
    table = _Reader(data)
    places = table.places
    return Facts(
        files=tuple(data["files"]),
        documents=data["documents"],
        sites=tuple([Site(_KINDS[k], places[p], v, key, r, c) for k, p, v, key, r, c in data["sites"]]),
        containers=tuple([_container_from(c, table) for c in data["containers"]]),
        pod_groups=tuple(PodGroup(table.resources[r], n, places[p], tuple(c), g) for r, n, p, c, g in data["pods"]),
        runs_something=data["runs"],
        problems=tuple(Problem(*p) for p in data["problems"]),
        objects=tuple(data["objects"]),
        **_served_from(data["whole"], table),
    )


class _Writer:
    """Numbers resources and places in the order in which they are met."""

    def __init__(self) -> None:
        self.resources: list[list[str]] = []
        self.places: list[list[Any]] = []
        self._resource_numbers: dict[Resource, int] = {}
        self._place_numbers: dict[Place, int] = {}

    def resource(self, resource: Resource) -> int:
        number = self._resource_numbers.get(resource)
        if number is None:
            number = self._resource_numbers[resource] = len(self.resources)
            self.resources.append([resource.kind, resource.namespace, resource.name])
        return number

    def place(self, place: Place) -> int:
        number = self._place_numbers.get(place)
        if number is None:
            number = self._place_numbers[place] = len(self.places)
            self.places.append([place.file, place.line, place.pointer, place.path, self.resource(place.resource)])
        return number

    def optional(self, place: Place | None) -> int | None:
        return None if place is None else self.place(place)


class _Reader:
    def __init__(self, data: dict[str, Any]) -> None:
        self.resources = resources = [Resource(*r) for r in data["resources"]]
        self.places = [Place(f, n, pointer, path, resources[r]) for f, n, pointer, path, r in data["places"]]

    def optional(self, number: int | None) -> Place | None:
        return None if number is None else self.places[number]


_SERVED = ("engine", "engine_version", "model", "model_kind")


def _served_to(holder: Facts | Container, table: _Writer) -> dict[str, Any]:
    """Engine, version, model, kind and features; what is not known is left out."""
    out: dict[str, Any] = {}
    for name in _SERVED:
        fact: Fact | None = getattr(holder, name)
        if fact is not None:
            out[name] = [fact.value, fact.origin, table.optional(fact.place), fact.note]
    if holder.features:
        out["features"] = [[f.name, f.required, f.origin, table.optional(f.place)] for f in holder.features]
    return out


def _served_from(data: dict[str, Any], table: _Reader) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name in _SERVED:
        if name in data:
            value, origin, place, note = data[name]
            out[name] = Fact(value, origin, table.optional(place), note)
    if "features" in data:
        out["features"] = tuple([Feature(n, r, o, table.optional(p)) for n, r, o, p in data["features"]])
    return out


def _container_to(c: Container, table: _Writer) -> dict[str, Any]:
    return {
        "name": c.name,
        "role": c.role,
        "place": table.place(c.place),
        "image": c.image,
        "accelerators": dict(c.accelerators),
        "gpus": c.gpus,
        "dra": c.uses_dra,
        "served": _served_to(c, table),
        "flags": [c.non_root, c.supplemental_groups, c.memory_shm],
        "docker": list(c.docker_flags),
    }


def _container_from(data: dict[str, Any], table: _Reader) -> Container:
    non_root, groups, shm = data["flags"]
    return Container(
        name=data["name"],
        role=data["role"],
        place=table.places[data["place"]],
        image=data["image"],
        accelerators=data["accelerators"],
        gpus=data["gpus"],
        uses_dra=data["dra"],
        non_root=non_root,
        supplemental_groups=groups,
        memory_shm=shm,
        docker_flags=tuple(data["docker"]),
        **_served_from(data["served"], table),
    )
