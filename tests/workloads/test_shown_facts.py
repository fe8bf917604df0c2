"""Facts in words: where each comes from, and what is not known."""

from __future__ import annotations

from portability.engine.model import Fact, Feature, Place, Resource, Summary
from portability.engine.output.json import facts_to_summary_json
from portability.workloads.shown_facts import declared_only, facts, features

AT = Place("serving.yaml", 9, "0:/spec/containers/0/image", "", Resource("Pod", "", "chat"))
SUMMARY = facts_to_summary_json(
    Summary(
        engine=Fact("vllm", "detected", AT),
        model_kind=Fact("decoder-only", "inferred", note="by its family"),
        features=(Feature("lora", origin="detected", place=AT), Feature("prefix-caching", origin="declared")),
        gpus_per_replica=2,
        replicas=3,
    )
)


def address(file: str, line: int) -> str:
    return f"#{file}-{line}"


def test_each_fact_says_where_it_comes_from() -> None:
    shown = {f.label: f for f in facts(SUMMARY, {"replicas": 3}, address)}
    engine = shown["Engine"]
    assert (engine.origin, engine.where, engine.link) == ("from the manifests", "serving.yaml:9", "#serving.yaml-9")
    kind = shown["Model kind"]
    assert (kind.origin, kind.where, kind.link, kind.note) == ("from the model's name", "", "", "by its family")
    assert shown["GPUs per replica"].origin == "from the manifests"
    assert shown["Replicas"].origin == "declared by the team"


def test_what_is_not_known_is_there_without_a_value() -> None:
    shown = {f.label: f for f in facts(SUMMARY, {}, address)}
    assert (shown["Model"].value, shown["Model"].origin) == ("", "")


def test_facts_that_no_manifest_tells_are_there_where_declared() -> None:
    shown = declared_only({"memory_gb": 80.0, "dtype": "bf16", "parameters_b": None})
    assert [(f.label, f.value) for f in shown] == [("Memory per replica", "80 GB"), ("Data type", "bf16")]


def test_required_features_are_told_apart() -> None:
    declared = {"features": ["prefix-caching", {"name": "lora", "required": True}]}
    assert [(f.label, f.value) for f in features(SUMMARY, declared, address)] == [
        ("required", "lora"),
        ("", "prefix-caching"),
    ]
