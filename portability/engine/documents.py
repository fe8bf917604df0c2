"""The facts of a single document out of those of a file, for `--per document`."""

from __future__ import annotations

from typing import Any

from portability.engine.model import Facts, Place


def document_indexes(facts: Facts) -> list[int]:
    """The documents of a file that hold anything to judge, in order."""
    places = [s.place for s in facts.sites] + [c.place for c in facts.containers]
    return sorted({_index(place) for place in places})


def facts_of_document(facts: Facts, index: int) -> Facts:
    """Only what stands in this document; containers are renumbered."""
    kept = [n for n, c in enumerate(facts.containers) if _index(c.place) == index]
    number = {old: new for new, old in enumerate(kept)}

    def here(value: Any) -> bool:
        return value is not None and value.place is not None and _index(value.place) == index

    return facts._replace(
        documents=1,
        sites=tuple(
            s._replace(container=None if s.container is None else number.get(s.container))
            for s in facts.sites
            if _index(s.place) == index
        ),
        containers=tuple(facts.containers[n] for n in kept),
        pod_groups=tuple(
            g._replace(containers=tuple(number[c] for c in g.containers if c in number))
            for g in facts.pod_groups
            if _index(g.place) == index
        ),
        objects=tuple(o for o in facts.objects if _number(o["place"]["pointer"]) == index),
        engine=facts.engine if here(facts.engine) else None,
        engine_version=facts.engine_version if here(facts.engine_version) else None,
        model=facts.model if here(facts.model) else None,
        model_kind=facts.model_kind if here(facts.model_kind) else None,
        features=tuple(f for f in facts.features if here(f)),
    )


def _index(place: Place) -> int:
    return _number(place.pointer)


def _number(pointer: str) -> int:
    return int(pointer.partition(":")[0] or 0)
