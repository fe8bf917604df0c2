"""IMG001: images built for another vendor, and their counterparts."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found
from tests.engine.rules.manifests import POD_WITH_IMAGE


@pytest.mark.parametrize(
    ("image", "counterpart"),
    [
        ("vllm/vllm-openai:v0.23.0", "vllm/vllm-openai-rocm"),
        (f"mirror.example:5000/hub/vllm/vllm-openai:v0.23.0@sha256:{'1' * 64}", "vllm/vllm-openai-rocm"),
        ("lmsysorg/sglang:v0.5.3-cu126", "-rocm tag"),
        ("ghcr.io/huggingface/text-generation-inference:3.3.4", "-rocm tag"),
        ("pytorch/pytorch:2.9.0-cuda12.8-cudnn9-runtime", "rocm/pytorch"),
        ("tensorflow/tensorflow:2.18.0-gpu", "rocm/tensorflow"),
        ("nvcr.io/nvidia/tritonserver:25.03-py3", "rocm/tritoninferenceserver"),
        ("registry.example/base/nvidia/cuda:12.8.0-base", "rocm/dev-ubuntu"),
        ("nvcr.io/nvidia/k8s/dcgm-exporter:4.2.0", "rocm/device-metrics-exporter"),
        ("ollama/ollama:0.12.0", "rocm tag"),
        ("kserve-tritonserver:replace", "rocm/tritoninferenceserver"),
        ("$(vllm-cuda-image)", "vllm/vllm-openai-rocm"),
    ],
)
def test_the_remedy_names_the_counterpart(image: str, counterpart: str) -> None:
    (finding,) = found("IMG001", POD_WITH_IMAGE % (image, "nvidia.com/gpu"))
    assert finding.effect is Effect.CHANGE
    assert counterpart in finding.remedy


@pytest.mark.parametrize(
    "image",
    [
        "lmsysorg/sglang:v0.5.3-rocm700-mi30x",
        "ollama/ollama:0.12.0-rocm",
        "ghcr.io/llm-d/llm-d-rocm:v0.9.0",
        "vllm/vllm-openai-rocm:v0.23.0",
        "pytorch/pytorch:2.9.0",
        "ml/mistral-nemo-client:1",
    ],
)
def test_the_targets_own_and_nobodys(image: str) -> None:
    assert not found("IMG001", POD_WITH_IMAGE % (image, "amd.com/gpu"))


def test_the_other_way_round() -> None:
    (finding,) = found("IMG001", POD_WITH_IMAGE % ("rocm/vllm:rocm7.0.0_vllm_0.11.0", "amd.com/gpu"), target=NVIDIA)
    assert "vllm/vllm-openai" in finding.remedy


def test_images_split_by_kustomize() -> None:
    text = (
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
        "images:\n- name: server\n  newName: kserve/huggingfaceserver\n  newTag: latest-gpu\n"
    )
    (finding,) = found("IMG001", text)
    assert finding.value == "kserve/huggingfaceserver:latest-gpu"


@pytest.mark.parametrize(
    "image",
    [
        "registry.example/nvidia-cache/library/nginx:1.27",
        "registry.example/cuda-proxy/busybox:1.36",
        "ghcr.io/llm-d/llm-d-router-disagg-sidecar:main",
    ],
)
def test_a_mirrors_own_name_and_a_part_beside_the_engine_are_no_build(image: str) -> None:
    assert not found("IMG001", POD_WITH_IMAGE % (image, "cpu"))


@pytest.mark.parametrize(
    "image",
    [
        "registry.example/gpu-cache/library/python:3.11-cuda",
        "registry.example/mirror/ghcr.io/llm-d/llm-d:v0.2.0",
        "lmcache/vllm-openai:2025-05-27-v1",
    ],
)
def test_what_a_mirror_holds_is_judged_by_its_own_name(image: str) -> None:
    assert found("IMG001", POD_WITH_IMAGE % (image, "nvidia.com/gpu"))


def test_images_of_one_vendor_whatever_else_they_name() -> None:
    assert not found("IMG001", POD_WITH_IMAGE % ("ghcr.io/nvidia/jax:maxtext", "nvidia.com/gpu"), target=NVIDIA)
    assert found("IMG001", POD_WITH_IMAGE % ("amdenterpriseai/aim-org-model:0.8.4", "amd.com/gpu"), target=NVIDIA)


def test_a_tag_for_gpus_is_confirmed_unless_the_container_asks_for_the_targets() -> None:
    effects = {
        resource: [f.effect for f in found("IMG001", POD_WITH_IMAGE % ("org/database:v2.4-gpu", resource))]
        for resource in ("nvidia.com/gpu", "amd.com/gpu")
    }
    assert effects == {"nvidia.com/gpu": [Effect.CONFIRM], "amd.com/gpu": [Effect.NOTE]}
    assert found("IMG001", POD_WITH_IMAGE % ("org/gpu-scaler:v2", "nvidia.com/gpu")) == []


def test_openvino_for_gpus_is_intels() -> None:
    for target in (None, NVIDIA):
        (finding,) = found("IMG001", POD_WITH_IMAGE % ("openvino/model_server:2025.2-gpu", "x.io/gpu"), target=target)
        assert finding.effect is Effect.CHANGE
    assert not found("IMG001", POD_WITH_IMAGE % ("openvino/model_server:2025.2", "cpu"))


def test_tools_around_dynamodb_are_no_engine() -> None:
    assert not found("IMG002", POD_WITH_IMAGE % ("registry.example/team/dynamo-table-browser:1.0", "cpu"))
    assert found("IMG002", POD_WITH_IMAGE % ("registry.example/team/dynamo-vllm:1.0", "cpu"))


def test_a_repository_of_code_is_no_part_of_the_image_beside_it() -> None:
    runner = """\
apiVersion: actions.summerwind.dev/v1alpha1
kind: RunnerDeployment
metadata: {name: r}
spec: {template: {spec: {repository: %s, image: "%s"}}}
"""
    assert not found("IMG001", runner % ("example/cuda-samples", "summerwind/actions-runner:v2.320.0"))
    assert found("IMG001", runner % ("nvcr.io/nvidia", "k8s-device-plugin:v0.17.0"))
