"""What a container serves, from image, command, variables and fields, each fact with where it was seen."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from portability.engine.manifests import read_facts
from portability.engine.model import Container, Facts


def pod(**container: Any) -> Container:
    body = {"name": "main", "resources": {"limits": {"x.io/gpu": 1}}, **container}
    text = yaml.safe_dump({"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [body]}}, sort_keys=False)
    found = read_facts([("a.yaml", text)])
    assert found.problems == ()
    return found.containers[0]


def names(container: Container | Facts) -> list[str]:
    return [f.name for f in container.features]


def value(fact: Any) -> str | None:
    return fact.value if fact else None


@pytest.mark.parametrize(
    ("image", "engine", "version"),
    [
        ("vllm/vllm-openai:v0.23.0", "vllm", "0.23.0"),
        ("registry.example:5000/mirror/vllm/vllm-openai:v0.11.0@sha256:" + "0" * 64, "vllm", "0.11.0"),
        ("rocm/vllm:rocm6.3.1_ubuntu22.04_py3.12_vllm_0.6.6", "vllm", "0.6.6"),
        ("registry/x/ray-2.41.0-py310-cu118-vllm0.7.0:latest", "vllm", "0.7.0"),
        ("registry/x/vllm-openai:fork-kvcache-v0.8.5-20250520", "vllm", "0.8.5"),
        ("vllm/vllm-openai:latest", "vllm", None),
        ("quay.io/modh/vllm:rhoai-2.20-rocm", "vllm", None),
        ("ghcr.io/llm-d/llm-d-cuda:v0.9.0", "vllm", None),
        ("quay.io/ascend/vllm-ascend:v0.11.0rc1", "vllm-ascend", "0.11.0rc1"),
        ("lmsysorg/sglang:v0.5.5-rocm700-mi30x", "sglang", "0.5.5"),
        ("ghcr.io/huggingface/text-generation-inference:3.2.1", "tgi", "3.2.1"),
        ("x/gcr.io/huggingface-text-generation-inference-cu124.2-3.ubuntu2204.py311", "tgi", None),
        ("ghcr.io/huggingface/text-embeddings-inference:1.6", "tei", "1.6"),
        ("nvcr.io/nvidia/tritonserver:24.01-py3", "triton", None),
        ("nvcr.io/nvidia/tensorrt-llm/release:1.1.0", "tensorrt-llm", "1.1.0"),
        ("nvcr.io/nim/meta/llama-3.1-8b-instruct:1.12.0", "nim", "1.12.0"),
        ("nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.7.0", "dynamo-vllm", None),
        ("ollama/ollama:0.5.1", "ollama", "0.5.1"),
        ("pytorch/pytorch:2.6.0-cuda12.4-cudnn9-runtime", "pytorch", "2.6.0"),
        ("tensorflow/tensorflow:2.13.0-gpu", "tensorflow", "2.13.0"),
        ("rayproject/ray:2.37.0-gpu", "ray", "2.37.0"),
        ("lmcache/vllm-router:v1", None, None),
        ("registry.example/team/scorer:4.2", None, None),
        ("python:3.12", None, None),
    ],
)
def test_engines_and_versions_by_image(image: str, engine: str | None, version: str | None) -> None:
    found = pod(image=image)
    assert (value(found.engine), value(found.engine_version)) == (engine, version)


@pytest.mark.parametrize(
    "how",
    [
        {"command": ["vllm", "serve", "org/llama-3-8b", "--tensor-parallel-size", "2", "--enable-prefix-caching"]},
        {"args": ["--model=org/llama-3-8b", "--tensor_parallel_size=2", "--enable_prefix_caching"]},
        {"args": ["--model", "org/llama-3-8b", "-tp", "2", "--enable-prefix-caching=true"]},
        {"args": ["org/llama-3-8b", "--tensor-parallel-size=2", "--enable-prefix-caching"]},
        {"command": ["sh", "-c"],
         "args": ["exec vllm serve 'org/llama-3-8b' --tensor-parallel-size=2 --enable-prefix-caching"]},
        {"command": ["/bin/bash", "-c",
                     "vllm serve org/llama-3-8b \\\n  --tensor-parallel-size 2 \\\n  --enable-prefix-caching\n"]},
        {"args": ["--tensor-parallel-size 2 --enable-prefix-caching --model org/llama-3-8b"]},
        {
            "args": ["--model=$(MODEL)", "--tensor-parallel-size=$(TP)", "--enable-prefix-caching"],
            "env": [{"name": "MODEL", "value": "org/llama-3-8b"}, {"name": "TP", "value": "2"}],
        },
        {
            "command": ["bash", "-c", 'M="org/llama-3-8b"; python3 -m vllm.entrypoints.openai.api_server --model ${M} '
                        "--tensor-parallel-size ${TP:-2} --enable-prefix-caching"],
        },
        {"env": [{"name": "VLLM_EXTRA_ARGS",
                  "value": "--tensor-parallel-size=2\n--enable-prefix-caching --model org/llama-3-8b"}]},
    ],
)  # fmt: skip
def test_one_command_written_in_many_ways(how: dict[str, Any]) -> None:
    found = pod(image="vllm/vllm-openai:v0.11.0", **how)
    assert value(found.engine) == "vllm"
    assert value(found.model) == "org/llama-3-8b"
    assert found.model_kind is not None
    assert (found.model_kind.value, found.model_kind.origin) == ("decoder-only", "inferred")
    assert sorted(names(found)) == ["prefix-caching", "tensor-parallel=2"]


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["--no-enable-chunked-prefill"], ["chunked-prefill=false"]),
        (["--enable-chunked-prefill=false"], ["chunked-prefill=false"]),
        (["--enable-chunked-prefill", "False"], ["chunked-prefill=false"]),
        (["--kv-cache-dtype", "fp8"], ["kv-cache-dtype=fp8"]),
        (["--kv-cache-dtype=auto"], []),
        (["--quantization", "awq"], ["quantization=awq"]),
        (["--num-scheduler-steps=15"], ["multi-step-scheduling=15"]),
        (["--num-scheduler-steps=1"], []),
        (["--enable-lora", "--lora-modules", "a=b"], ["lora"]),
        (["--async-scheduling"], ["async-scheduling"]),
        (["--enable-prompt-embeds"], ["prompt-embeds"]),
        (["--enforce-eager"], ["enforce-eager"]),
        (["--enable-expert-parallel", "--data-parallel-size=8"], ["expert-parallel", "data-parallel=8"]),
        (["--speculative-config", json.dumps({"model": "org/draft"})], ["speculative-decoding"]),
        (["--kv-transfer-config=" + json.dumps({"kv_connector": "NixlConnector"})], ["kv-transfer=NixlConnector"]),
        (["--kv-transfer-config", json.dumps({"kv_connector": "XOffloadingConnector"})], ["kv-cache-offload"]),
        (["--max-num-seqs=16", "--port", "8000"], []),
    ],
)  # fmt: skip
def test_features_by_flag(args: list[str], expected: list[str]) -> None:
    assert names(pod(image="vllm/vllm-openai:v1", args=args)) == expected


def test_a_draft_model_is_not_the_model() -> None:
    config = json.dumps({"model": "org/llama-draft", "num_speculative_tokens": 3})
    found = pod(image="vllm/vllm-openai:v1", args=["--speculative-config", config, "--model", "org/llama"])
    assert value(found.model) == "org/llama"


@pytest.mark.parametrize(
    "path", ["/models/Qwen3-8B", "./Qwen3-8B", "models/Qwen3-8B", "s3://bucket/qwen3-8b/", "pvc://c/qwen3"]
)
def test_a_path_is_no_models_name_but_tells_its_kind(path: str) -> None:
    found = pod(image="vllm/vllm-openai:v1", args=["--model", path])
    assert found.model is None
    assert value(found.model_kind) == "decoder-only"


def test_a_path_that_says_nothing_leaves_the_kind_unknown() -> None:
    found = pod(image="vllm/vllm-openai:v1", args=["--model", "/mnt/models", "--served-model-name", "{{.Name}}"])
    assert found.model is None and found.model_kind is None


@pytest.mark.parametrize("args", [["--task", "embed"], ["--runner=pooling"], ["--task=score"]])
def test_a_pooling_task_is_written_not_inferred(args: list[str]) -> None:
    found = pod(image="vllm/vllm-openai:v1", args=["--model", "org/qwen3-x", *args])
    assert found.model_kind is not None
    assert (found.model_kind.value, found.model_kind.origin) == ("pooling", "detected")


def test_facts_know_their_place() -> None:
    text = "\n".join(
        ["apiVersion: v1", "kind: Pod", "spec:", "  containers:", "  - name: c", "    image: vllm/vllm-openai:v1",
         "    args:", "    - |", "      vllm serve org/llama \\", "        --enforce-eager"]
    )  # fmt: skip
    found = read_facts([("a.yaml", text)]).containers[0]
    assert found.model is not None and found.model.place is not None
    assert (found.model.place.line, found.model.place.pointer) == (9, "0:/spec/containers/0/args/0")
    assert found.features[0].place is not None and found.features[0].place.line == 10


def test_a_command_says_more_than_a_base_image() -> None:
    found = pod(image="pytorch/pytorch:2.6.0-cuda12.4", command=["vllm", "serve", "org/llama"])
    assert value(found.engine) == "vllm" and found.engine_version is None


def test_text_generation_inference_by_variables() -> None:
    env = [{"name": "MODEL_ID", "value": "google/flan-t5-xl"}, {"name": "QUANTIZE", "value": "bitsandbytes"},
           {"name": "NUM_SHARD", "value": "2"}]  # fmt: skip
    found = pod(image="ghcr.io/huggingface/text-generation-inference:1.2.0", env=env)
    assert (value(found.model), value(found.model_kind)) == ("google/flan-t5-xl", "encoder-decoder")
    assert names(found) == ["quantization=bitsandbytes", "tensor-parallel=2"]


def test_a_feature_stands_where_its_value_does() -> None:
    feature = pod(image="vllm/vllm-openai:v1", args=["--quantization", "awq"]).features[0]
    assert feature.place is not None
    assert (feature.name, feature.place.pointer) == ("quantization=awq", "0:/spec/containers/0/args/1")


@pytest.mark.parametrize(
    ("given", "expected"), [("bitsandbytes", ["quantization=bitsandbytes"]), ("runai_streamer", [])]
)
def test_weights_that_are_loaded_in_a_quantized_form(given: str, expected: list[str]) -> None:
    assert names(pod(image="vllm/vllm-openai:v1", args=["--load-format", given])) == expected


@pytest.mark.parametrize(
    "container",
    [
        {"command": ["sh", "-c", "vllm serve org/m -q awq"]},
        {"image": "vllm/vllm-openai:v0.23.0", "args": ["--model", "org/m", "-q", "awq"]},
        {"image": "vllm/vllm-openai:v0.23.0", "args": ["org/m", "-q", "awq"]},
        {"command": ["python3", "-m", "vllm.entrypoints.openai.api_server"], "args": ["-q", "awq"]},
    ],
)
def test_the_short_flag_of_quantization(container: dict[str, Any]) -> None:
    assert names(pod(**container)) == ["quantization=awq"]


@pytest.mark.parametrize(
    "line", ["grep -q ready /tmp/state", "wget -q https://example.org/chat.jinja", "pip install -q x"]
)
def test_being_quiet_is_no_quantization(line: str) -> None:
    found = pod(image="vllm/vllm-openai:v0.23.0", command=["sh", "-c", f"{line} && exec vllm serve org/m"])
    assert names(found) == []
