"""What a custom rule finds, and where; when it does not hold; and when it must be switched off."""

from __future__ import annotations

from datetime import date
from textwrap import indent

import pytest

from portability.engine.custom_rules.evaluation import Fault, compile_rule, evaluate
from portability.engine.model import Effect, Evidence, Resource
from tests.engine.custom_rules.asking import H100, MANIFEST, MI300X, ask, rule, said, trees


def test_a_finding_says_where_as_any_other_does() -> None:
    (found,) = said("$..containers[*].image", "value.startsWith('docker.io/')").findings
    assert found.rule == "ORG001"
    assert found.class_ == "CUSTOM"
    assert found.about == "workload"
    assert found.value == "docker.io/vllm/vllm-openai:v0.23.0"
    assert found.place is not None
    assert (found.place.file, found.place.line) == ("serving.yaml", 16)
    assert found.place.pointer == "0:/spec/template/spec/containers/1/image"
    assert found.place.path == "spec/template/spec/containers[vllm]/image"
    assert found.place.resource == Resource("Deployment", "serving", "chat")


def test_its_evidence_is_the_rule_itself() -> None:
    written = rule("$.spec.replicas", "value >\n  1", entered=date(2026, 11, 30), link="https://wiki.example/replicas")
    (found,) = evaluate(compile_rule(written), trees(), MI300X).findings  # type: ignore[union-attr]
    assert found.evidence == (
        Evidence(
            source="organisation-rule",
            version="",
            read=date(2026, 11, 30),
            cell="ORG001",
            value="$.spec.replicas where value > 1",
            link="https://wiki.example/replicas",
        ),
    )


def test_an_object_inside_a_list_is_the_resource() -> None:
    text = (
        "apiVersion: v1\nkind: List\nitems:\n"
        "  - {apiVersion: v1, kind: Service, metadata: {name: a}, spec: {type: NodePort}}\n"
    )
    (found,) = said("$..type", "value == 'NodePort'", text).findings
    assert found.place is not None
    assert found.place.resource == Resource("Service", "", "a")
    assert found.place.path == "items/0/spec/type"


@pytest.mark.parametrize(
    ("path", "condition", "hits"),
    [
        ("$.spec.replicas", "value == 3", 1),
        ("$.spec.replicas", "value > 2.5", 1),
        ("$.spec.replicas", "value != '3'", 1),  # a number is not a text
        ("$.spec.replicas", "string(value) == '3'", 1),
        ("$..hostNetwork", "value", 1),
        ("$..hostNetwork", "!value", 0),
        ("$..env[*]", "value.name == 'GPU_MEMORY_UTILIZATION' && double(value.value) > 0.85", 1),
        ("$..containers[?@.name == 'vllm']", "has(value.resources)", 1),
        ("$..containers[*]", "!has(value.resources)", 1),
        ("$..limits", "'nvidia.com/gpu' in value", 1),
        ("$..limits", "value.exists(key, key.matches(r'^nvidia\\.com/'))", 1),
        ("$.metadata.labels.tier", "value in ['gold', 'silver']", 1),
        ("$..containers", "value.exists(c, c.name == 'proxy') && size(value) == 2", 1),
        ("$..containers", "value.all(c, c.image.contains('/'))", 1),
        ("$..containers", "value.filter(c, has(c.env)).size() == 1", 1),
        ("$..containers", "value.map(c, c.name) == ['proxy', 'vllm']", 1),
        ("$..containers", "value.exists_one(c, c.image.endsWith(':1'))", 1),
        ("$.spec", "document.kind == 'Deployment' && document.metadata.namespace == 'serving'", 1),
        ("$", "target.vendor == 'amd' && target.rocm.startsWith('7.')", 1),
        ("$", "has(target.cuda)", 0),
        ("$.nothing", "true", 0),
        ("$..image", "int(value.size()) > 30 ? true : false", 1),
    ],
)
def test_conditions(path: str, condition: str, hits: int) -> None:
    assert len(said(path, condition).findings) == hits


@pytest.mark.parametrize("path", ["$..containers[-1].image", "$..containers[::-1].image", "$..containers[1:].image"])
def test_items_counted_from_the_end_have_their_place(path: str) -> None:
    found = said(path, "value.contains('vllm')").findings
    assert [f.place and f.place.pointer for f in found] == ["0:/spec/template/spec/containers/1/image"]


def test_a_name_with_slashes_has_its_place() -> None:
    (found,) = said("$..limits['nvidia.com/gpu']").findings
    assert found.place is not None
    assert found.place.path == "spec/template/spec/containers[vllm]/resources/limits/nvidia.com~1gpu"


@pytest.mark.parametrize(
    "text", ["just text\n", "- 1\n- 2\n", "3\n", "? [a, b]\n: c\n", "a: &x {b: 1}\nc: *x\n", "a: {<<: {b: 1}}\n"]
)
def test_documents_that_are_no_objects_are_answered(text: str) -> None:
    assert said("$..*", "value == 1", text).unanswered == {}
    assert len(said("$", "true", text).findings) == 1


def test_numbers_and_booleans_are_read_as_a_cluster_reads_them() -> None:
    text = 'a: [1, -2, 0.5, 1e3, true, null, "1", "true", 08, 0x10, .inf, 1_000]\n'
    (found,) = trees(text)
    assert found.value == {"a": [1, -2, 0.5, 1000.0, True, None, "1", "true", "08", "0x10", ".inf", "1_000"]}


def test_a_rule_for_one_vendor_says_nothing_of_the_other() -> None:
    compiled = compile_rule(rule("$", "true", applies_to="amd"))
    assert len(evaluate(compiled, trees(), MI300X).findings) == 1  # type: ignore[union-attr]
    assert evaluate(compiled, trees(), H100).findings == ()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("path", "condition", "why"),
    [
        ("$..containers[*]", "value.resources.limits.cpu == '1'", "there is no such field"),
        ("$.spec.replicas", "value.startsWith('3')", "a value is of another kind than the condition expects"),
        ("$.spec.replicas", "value.exists(x, x == 1)", "a value is of another kind than the condition expects"),
        ("$.spec.replicas", "value / 0 == 1", "a value is of another kind than the condition expects"),
        ("$.metadata.name", "value[0] == 'c'", "a value is of another kind than the condition expects"),
    ],
)
def test_what_cannot_be_told_does_not_hold_and_is_counted(path: str, condition: str, why: str) -> None:
    outcome = said(path, condition)
    assert outcome.findings == ()
    assert outcome.unanswered == {why: outcome.looked}
    assert outcome.looked > 0


@pytest.mark.parametrize("condition", ["value", "value + 1", "[value]", "null", "document"])
def test_an_answer_that_is_neither_true_nor_false_is_a_fault(condition: str) -> None:
    outcome = ask("$.spec.replicas", condition)
    assert isinstance(outcome, Fault)
    assert "neither true nor false" in outcome.why


def test_it_takes_the_same_steps_each_time() -> None:
    first, second = (said("$..*", "value == document") for _ in range(2))
    assert first.steps == second.steps > 0


def test_the_effect_and_the_words_are_the_rules() -> None:
    written = rule("$", "true", effect=Effect.BLOCKS, reason="No way.", remedy="Ask.")
    (found,) = evaluate(compile_rule(written), trees(), MI300X).findings  # type: ignore[union-attr]
    assert (found.effect, found.reason, found.remedy) == (Effect.BLOCKS, "No way.", "Ask.")


def test_a_value_of_several_parts_is_said_in_several_words() -> None:
    (found,) = said("$..limits").findings
    assert found.value == '{ "nvidia.com/gpu": 1 }'


LISTED = "apiVersion: v1\nkind: List\nitems:\n  - " + indent(MANIFEST, "    ").lstrip()


def test_objects_in_a_list_are_objects_as_any_other() -> None:
    """`kubectl get -o yaml` writes them so: a rule that misses them would let what it stops pass for movable."""
    (found,) = said("$.spec.replicas", "value > 2 && document.kind == 'Deployment'", LISTED).findings
    assert found.place is not None
    assert found.place.pointer == "0:/items/0/spec/replicas"
    assert found.place.resource == Resource("Deployment", "serving", "chat")
    assert found.place.line == 3 + 8
    nested = f"kind: List\nitems:\n  - kind: List\n    items:\n{indent('- {kind: Pod, x: 1}', '      ')}"
    assert [f.place.pointer for f in said("$.x", "true", nested).findings if f.place] == ["0:/items/0/items/0/x"]
    template = "kind: Template\nobjects: [{kind: Pod, x: 1}, plain]"
    assert len(said("$.x", "true", template).findings) == 1


def test_a_kind_that_only_is_called_so_is_an_object_itself() -> None:
    assert said("$.items", "value == 'none'", "kind: List\nitems: none").findings
    assert said("$.items[*]", "value == 1", "kind: AllowList\nitems: [1]").findings


@pytest.mark.parametrize("number", ["9999999999999999999", "1e20", "12345678901234567.0"])
def test_a_number_too_large_for_whole_ones_is_a_number(number: str) -> None:
    """And the same one after a database that knows one kind of number gave it back."""
    (tree,) = trees(f"a: {number}")
    assert said("$.a", "value > 5 && value < 1e30", f"a: {number}").findings
    assert isinstance(tree.value["a"], int)
