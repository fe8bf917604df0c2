"""The kind of a model by its architecture, where a runtime or a flag spells that out."""

from __future__ import annotations

import pytest

from tests.engine.manifests.reading import facts

RUNTIME = """\
apiVersion: example.com/v1
kind: ClusterServingRuntime
metadata: {name: r}
spec:
  supportedModelFormats:
    - {modelFormat: {name: safetensors}, modelArchitecture: %s}
    - {modelFormat: {name: safetensors}, modelArchitecture: %s}
  containers:
    - name: main
      image: vllm/vllm-openai:v0.9.0
      args: [--model, $(MODEL_PATH), %s]
      resources: {limits: {nvidia.com/gpu: 1}}
"""


@pytest.mark.parametrize(
    ("first", "second", "flag", "expected"),
    [
        ("LlamaForCausalLM", "Qwen2ForCausalLM", "--port=1", "decoder-only"),
        ("MllamaForConditionalGeneration", "MllamaForConditionalGeneration", "--limit-mm-per-prompt=image=1",
         "encoder-decoder"),
        ("WhisperForConditionalGeneration", "T5ForConditionalGeneration", "--port=1", "encoder-decoder"),
        ("Qwen2VLForConditionalGeneration", "Gemma3ForConditionalGeneration", "--port=1", "multimodal"),
        ("MistralModel", "Qwen3ForSequenceClassification", "--port=1", "pooling"),
        ("LlamaForCausalLM", "MllamaForConditionalGeneration", "--port=1", None),
        ("safetensors", "pytorch", "--port=1", None),
        ("LlamaForCausalLM", "LlamaForCausalLM", "--task=embed", "pooling"),
    ],
)  # fmt: skip
def test_an_architecture_tells_the_kind_where_all_agree(
    first: str, second: str, flag: str, expected: str | None
) -> None:
    found = facts(RUNTIME % (first, second, flag)).containers
    assert [c.name for c in found] == ["main"]  # a format that is served is no container
    assert (found[0].model_kind.value if found[0].model_kind else None) == expected


def test_an_override_of_the_architecture_tells_the_kind() -> None:
    text = """\
    apiVersion: v1
    kind: Pod
    spec:
      containers:
      - image: vllm/vllm-openai:v0.9.0
        args: [--model=Qwen/Qwen3-Reranker, '--hf-overrides={"architectures": ["Qwen3ForSequenceClassification"]}']
    """
    [found] = facts(text).containers
    assert found.model_kind and found.model_kind.value == "pooling"
