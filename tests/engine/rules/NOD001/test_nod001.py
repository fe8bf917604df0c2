"""NOD001: nodes chosen by a vendor's label or product."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found
from tests.engine.rules.manifests import SELECTING_POD


@pytest.mark.parametrize(
    "label",
    [
        'feature.node.kubernetes.io/pci-10de.present: "true"',
        "cloud.google.com/gke-accelerator: nvidia-l4",
        "karpenter.k8s.aws/instance-gpu-manufacturer: nvidia",
        "eks.amazonaws.com/instance-gpu-name: a10g",
        "machine.example/gpu-name: Tesla-A100-80G",
        "accelerator: h100-sxm",
        "cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice",
    ],
)
def test_labels_and_products_of_others(label: str) -> None:
    (finding,) = found("NOD001", SELECTING_POD % label)
    assert finding.effect is Effect.CHANGE
    assert finding.evidence[0].source == "vendor-rows"


@pytest.mark.parametrize(
    "label",
    ["kubernetes.io/arch: amd64", "pool: gpu", "topology.kubernetes.io/zone: a100-1", 'amd.com/gpu.vram: "192G"'],
)
def test_what_names_no_foreign_vendor(label: str) -> None:
    assert not found("NOD001", SELECTING_POD % label)


def test_a_label_of_amd_is_foreign_to_nvidia() -> None:
    assert found("NOD001", SELECTING_POD % "feature.node.kubernetes.io/amd-gpu: 'true'", target=NVIDIA)


@pytest.mark.parametrize(
    ("expression", "effect"),
    [
        ("{key: nvidia.com/gpu.present, operator: DoesNotExist}", Effect.NOTE),
        ("{key: gpu-type, operator: NotIn, values: [a100]}", Effect.NOTE),
        ("{key: gpu-type, operator: In, values: [a100]}", Effect.CHANGE),
    ],
)
def test_nodes_that_are_avoided(expression: str, effect: Effect) -> None:
    pod = f"""\
    apiVersion: v1
    kind: Pod
    spec:
      affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution:
        {{nodeSelectorTerms: [{{matchExpressions: [{expression}]}}]}}}}}}
      containers: [{{name: main, image: "python:3.12"}}]
    """
    assert [f.effect for f in found("NOD001", pod)] == [effect]


def test_makers_of_processors_are_no_accelerators() -> None:
    pod = SELECTING_POD % "karpenter.k8s.aws/instance-cpu-manufacturer: amd"
    assert not found("NOD001", pod, target=NVIDIA)
    assert found("NOD001", pod.replace("-cpu-", "-gpu-"), target=NVIDIA)
