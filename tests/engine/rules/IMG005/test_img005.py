"""IMG005: what a chart's values leave to the chart."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found, judge


def test_what_values_do_not_say_is_named() -> None:
    (finding,) = found("IMG005", "# of a chart\nreplicaCount: 2\nimage: {tag: v1}\n")
    assert finding.effect is Effect.NOTE
    assert finding.place is not None
    assert finding.place.line == 3
    assert "the image, which GPUs it asks for, the engine and the model: the chart decides" in finding.reason


def test_what_they_say_is_not() -> None:
    values = """\
    replicaCount: 1
    image: {repository: vllm/vllm-openai-rocm, tag: v0.23.0}
    args: [--model=Qwen/Qwen3-8B]
    resources: {limits: {amd.com/gpu: 1}}
    """
    (finding,) = found("IMG005", values)
    assert "the chart decides" not in finding.reason
    assert "not known" in finding.reason


def test_each_document_has_its_own() -> None:
    text = "replicaCount: 1\nimage: {repository: a/b, tag: v1}\n---\nreplicaCount: 2\n"
    first, second = found("IMG005", text)
    assert "the image" not in first.reason
    assert "the image" in second.reason


def test_it_moves_no_verdict() -> None:
    assert judge("replicaCount: 2\nimage: {repository: rocm/vllm, tag: v1}\n").verdict == "movable"


@pytest.mark.parametrize(
    "text",
    [
        "resources: {accelerators: {MI300X: 1}}\nrun: serve\n",
        "services: {web: {image: 'a/b:1'}}\n",
        "groups: [{name: gpu, rules: []}]\n",
        "image: 'a/b:1'\n",
        "[]",
        "kind: Deployment\napiVersion: apps/v1\nreplicaCount: 1\n",
    ],
)
def test_other_documents_are_no_values(text: str) -> None:
    assert not found("IMG005", text)
