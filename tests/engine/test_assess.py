"""Facts, target and knowledge become a verdict."""

import pytest

from portability.engine.assess import Judge, assess
from portability.engine.declared import parse_declared
from portability.engine.manifests import read_facts
from portability.engine.matrices import shipped
from portability.engine.model import Assessment, Declared, Effect, Facts, Target, Verdict
from portability.engine.targets import parse_target, shipped_targets

POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: chat}}
spec:
  containers:
    - name: vllm
      image: {image}
      args: [--model=Qwen/Qwen3-8B]
      resources: {{limits: {{{resource}: 1}}}}
"""
NVIDIA_POD = POD.format(image="vllm/vllm-openai:v0.23.0", resource="nvidia.com/gpu")
AMD_POD = POD.format(image="vllm/vllm-openai-rocm:v0.23.0", resource="amd.com/gpu")


def _target(**changes: object) -> Target:
    return parse_target({**shipped_targets()["mi300x-single"], **changes}, "test")


def _assess(*manifests: str, target: Target | None = None, registered: bool = True, **declared: object) -> Assessment:
    facts = read_facts([(f"{n}.yaml", text) for n, text in enumerate(manifests)])
    stated = parse_declared({"name": "chat", **declared}, "test")
    return assess(facts, stated, target or _target(), shipped.knowledge(), registered=registered)


@pytest.mark.parametrize(
    ("manifest", "verdict"), [(AMD_POD, Verdict.MOVABLE), (NVIDIA_POD, Verdict.NEEDS_CHANGE)], ids=["amd", "nvidia"]
)
def test_the_manifest_decides(manifest: str, verdict: Verdict) -> None:
    assert _assess(manifest).verdict is verdict


def test_any_block_pins() -> None:
    judged = _assess(AMD_POD, model_kind="encoder-decoder")
    assert judged.verdict is Verdict.PINNED
    assert Effect.BLOCKS in {f.effect for f in judged.findings}


def test_a_workload_that_shows_nothing_is_not_assessed() -> None:
    judged = _assess(engine="vllm")
    assert judged.verdict is judged.own_verdict is Verdict.NOT_ASSESSED
    assert "nothing that runs" in judged.missing[0]


def test_a_bare_file_is_judged_by_what_it_holds() -> None:
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: chat}\nspec: {ports: [{port: 80}]}\n"
    assert _assess(service, registered=False).verdict is Verdict.MOVABLE
    assert _assess(service, registered=True).verdict is Verdict.NOT_ASSESSED


def test_an_unreadable_file_leaves_the_workload_not_assessed_and_the_rest_listed() -> None:
    judged = _assess(NVIDIA_POD, "a: [1\n")
    assert judged.verdict is Verdict.NOT_ASSESSED
    assert judged.missing[0].startswith("1.yaml:")
    assert "RES001" in {f.rule for f in judged.findings}


def test_pinned_stands_even_where_a_file_is_unreadable() -> None:
    assert _assess(AMD_POD, "a: [1\n", model_kind="encoder-decoder").verdict is Verdict.PINNED


def test_a_finding_about_the_target_counts_and_the_own_verdict_stands_beside() -> None:
    judged = _assess(AMD_POD, target=_target(amdgpu="30.10.9"))
    assert judged.verdict is Verdict.NEEDS_CHANGE
    assert judged.own_verdict is Verdict.MOVABLE
    assert {f.about for f in judged.findings if f.rule == "PLT003"} == {"target"}


def test_what_is_found_of_a_target_alone_is_what_every_workload_inherits() -> None:
    target = _target(amdgpu="30.10.9")
    alone = assess(Facts(), Declared(), target, shipped.knowledge(), registered=False)
    inherited = tuple(f for f in _assess(AMD_POD, target=target).findings if f.about == "target")
    assert alone.findings == inherited != ()


def test_an_nvidia_platform_is_not_judged_and_that_is_said() -> None:
    judged = _assess(NVIDIA_POD, target=parse_target(shipped_targets()["h100"], "h100"))
    assert judged.platform_judged is False
    assert judged.verdict is Verdict.MOVABLE


def test_every_question_is_recorded_missing_answers_too() -> None:
    judged = _assess(AMD_POD, target=_target(rocm="8.8.0"))
    assert any(c.version == "8.8.0" for c in judged.consulted)
    assert judged.verdict is Verdict.NEEDS_CHANGE


def test_a_judge_keeps_nothing_of_a_workload() -> None:
    judge = Judge(_target(), shipped.knowledge())
    declared = parse_declared({"name": "chat"}, "test")
    facts = [read_facts([("a.yaml", text)]) for text in (NVIDIA_POD, AMD_POD, NVIDIA_POD)]
    first, clean, again = (judge.assess(f, declared) for f in facts)
    assert first == again
    assert clean.verdict is Verdict.MOVABLE


def test_the_worse_of_two_contradicting_facts_is_judged() -> None:
    whisper = AMD_POD.replace("Qwen/Qwen3-8B", "openai/whisper-large-v3")
    judged = _assess(whisper, model_kind="decoder-only")
    assert judged.verdict is Verdict.PINNED
    assert judged.summary.contradictions
