"""Facts survive being stored."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from portability.engine.facts_json import EXTRACTOR_VERSION, facts_from_json, facts_to_json
from portability.engine.manifests import read_facts
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

_text = st.text(max_size=8)
_places = st.builds(Place, _text, st.integers(1, 99), _text, _text, st.builds(Resource, _text, _text, _text))
_facts = st.builds(Fact, _text, st.sampled_from(["detected", "inferred"]), st.none() | _places, _text)
_features = st.lists(st.builds(Feature, _text, st.booleans(), _text, st.none() | _places), max_size=2).map(tuple)
_served: dict[str, Any] = {
    "engine": st.none() | _facts,
    "engine_version": st.none() | _facts,
    "model": st.none() | _facts,
    "model_kind": st.none() | _facts,
    "features": _features,
}
_containers = st.builds(
    Container,
    name=_text,
    role=_text,
    place=_places,
    image=_text,
    accelerators=st.dictionaries(_text, _text, max_size=2),
    gpus=st.integers(0, 9),
    uses_dra=st.booleans(),
    non_root=st.booleans(),
    supplemental_groups=st.booleans(),
    memory_shm=st.booleans(),
    docker_flags=st.lists(_text, max_size=2).map(tuple),
    **_served,
)
_sites = st.builds(Site, st.sampled_from(SiteKind), _places, _text, _text, _text, st.none() | st.integers(0, 9))
_groups = st.builds(
    PodGroup,
    st.builds(Resource, _text, _text, _text),
    st.none() | st.integers(0, 9),
    _places,
    st.lists(st.integers(0, 9), max_size=3).map(tuple),
    st.integers(0, 9),
)


def _tuples(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=3).map(tuple)


@settings(max_examples=150, deadline=None)
@given(
    st.builds(
        Facts,
        files=_tuples(_text),
        documents=st.integers(0, 9),
        sites=_tuples(_sites),
        containers=_tuples(_containers),
        pod_groups=_tuples(_groups),
        runs_something=st.booleans(),
        problems=_tuples(st.builds(Problem, _text, st.integers(1, 9), _text, _text)),
        objects=_tuples(st.dictionaries(_text, _text | st.integers() | st.lists(_text, max_size=2), max_size=3)),
        **_served,
    )
)
def test_any_facts_come_back_equal(facts: Facts) -> None:
    assert facts_from_json(json.loads(json.dumps(facts_to_json(facts)))) == facts


MANIFEST = """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
  - name: c
    image: vllm/vllm-openai:v1
    args: [--model=org/llama, --enforce-eager]
    resources: {limits: {x.io/gpu: 1}}
"""


def test_extracted_facts_come_back_equal_and_say_by_which_extractor() -> None:
    facts = read_facts([("a.yaml", MANIFEST), ("b.yaml", "a: [")])
    stored = facts_to_json(facts)
    assert stored["extractor"] == EXTRACTOR_VERSION
    assert facts_from_json(json.loads(json.dumps(stored))) == facts


def test_places_and_resources_are_written_once() -> None:
    stored = facts_to_json(read_facts([("a.yaml", MANIFEST)]))
    assert stored["resources"] == [["Pod", "", "p"]]
    assert len({json.dumps(p) for p in stored["places"]}) == len(stored["places"])
