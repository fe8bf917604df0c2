"""Places where a vendor's word stands outside of pods: annotations, rules on nodes, patches, carried texts."""

from __future__ import annotations

import pytest

from portability.engine.model import SiteKind
from tests.engine.manifests.reading import facts, told

ANNOTATED = """\
apiVersion: v1
kind: Pod
metadata:
  name: p
  annotations:
    %s
spec: {containers: [{name: a, image: "x/y:1"}]}
"""


@pytest.mark.parametrize(
    ("annotation", "kind", "expected"),
    [
        ("serving.example.org/gke-accelerator: nvidia-t4", SiteKind.NODE, [(6, "", "nvidia-t4", "hint")]),
        ("example.com/use-gputype: A100", SiteKind.NODE, [(6, "", "A100", "hint")]),
        ("example.com/nouse-gputype: A100", SiteKind.NODE, [(6, "", "A100", "avoid")]),
        ("example.com/sidecar-model: A100", SiteKind.NODE, []),
        ("""example.com/accelerators: '["nvidia.com/gpu"]'""", SiteKind.NODE, []),
        ('gpu-fraction: "0.5"', SiteKind.QUOTA, [(6, "0.5", "gpu-fraction", "annotation")]),
        ("cdi.k8s.io/runner: nvidia.com/gpu=0", SiteKind.QUOTA, [(6, "", "nvidia.com/gpu", "annotation")]),
        (
            "devices.example.org/a: |\n      - path: /dev/nvidia0\n      - path: /dev/nvidiactl",
            SiteKind.PATH,
            [(7, "", "/dev/nvidia0", "host"), (8, "", "/dev/nvidiactl", "host")],
        ),
    ],
)
def test_annotations(annotation: str, kind: SiteKind, expected: list[tuple[int, str, str, str]]) -> None:
    assert told(ANNOTATED % annotation, kind) == expected


NODE_RULE = """\
apiVersion: nfd.example.org/v1
kind: NodeFeatureRule
metadata: {name: r, labels: {amd.com/gpu: "no rule's label"}}
spec:
  rules:
    - name: gpus
      labels:
        example.com/gpu.model: H100
      matchFeatures:
        - feature: pci.device
          matchExpressions:
            vendor: {op: In, value: ["10de"]}
        - feature: kernel.loadedmodule
          matchExpressions:
            nvidia: {op: Exists}
    - name: others
      labels: {example.com/other: "true"}
      matchAny:
        - matchFeatures:
            - feature: pci.device
              matchExpressions:
                vendor: {op: NotIn, value: ["10de"]}
"""


def test_a_rule_that_labels_nodes_says_which_devices_they_have() -> None:
    assert told(NODE_RULE, SiteKind.NODE) == [
        (8, "example.com/gpu.model", "H100", "flavor"),
        (12, "pci.device.vendor", "10de", "feature"),
        (15, "kernel.loadedmodule.nvidia", "", "feature"),
        (17, "example.com/other", "true", "flavor"),
        (22, "pci.device.vendor", "10de", "avoid"),
    ]


def test_a_worker_configuration_carries_such_rules_in_a_text() -> None:
    text = """\
    apiVersion: nfd.example.org/v1
    kind: NodeFeatureDiscovery
    metadata: {name: n}
    spec:
      workerConfig:
        configData: |
          sources:
            custom:
              - name: gpus
                labels: {example.com/gpu: "true"}
                matchFeatures:
                  - feature: pci.device
                    matchExpressions:
                      vendor: {op: In, value: ["1002"]}
              - name: older
                matchOn:
                  - pciId: {vendor: ["10de"]}
    """
    assert told(text, SiteKind.NODE) == [
        (10, "example.com/gpu", "true", "flavor"),
        (14, "pci.device.vendor", "1002", "feature"),
        (17, "pci.device.vendor", "10de", "feature"),
    ]


def test_profiles_into_which_gpus_are_cut() -> None:
    text = """\
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: c}
    data:
      config.yaml: |
        mig-configs:
          all:
            - devices: all
              mig-devices:
                "1g.10gb": 7
                "1g.10gb+me": 1
                none: 1
      config.json: |
        {"profiles": [{"computePartition": "CPX", "memoryPartition": "NPS4"}]}
    """
    assert told(text, SiteKind.RESOURCE) == [
        (10, "nvidia.com/mig-1g.10gb", "7", "profile"),
        (11, "nvidia.com/mig-1g.10gb+me", "1", "profile"),
    ]
    assert told(text, SiteKind.QUOTA) == [(14, "", "CPX", "partition"), (14, "", "NPS4", "partition")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "kind: W\napiVersion: a/v1\nspec: {mig: {profile: 2g.24gb}}\n",
            [(3, "nvidia.com/mig-2g.24gb", "", "profile")],
        ),
        ("kind: W\napiVersion: a/v1\nspec: {profile: restricted}\n", []),
    ],
)
def test_a_profile_by_its_own_name(text: str, expected: list[tuple[int, str, str, str]]) -> None:
    assert told(text, SiteKind.RESOURCE) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("resources:\n  accelerators: {L4:1, A100-80GB:1}\n", ["L4:1", "A100-80GB:1"]),
        ("resources:\n  accelerators: {H100: 8}\n", ["H100"]),
        ("resources:\n  accelerators: [H100:8]\n", ["H100:8"]),
        ("accelerators: {type: nvidia, nodes: {a: b}}\n", []),
        ("kind: T\napiVersion: a/v1\naccelerators: {H100: 8}\n", []),
    ],
)
def test_accelerators_by_name_and_count(text: str, expected: list[str]) -> None:
    assert [value for _, _, value, _ in told(text, SiteKind.NODE)] == expected


def test_a_family_of_machines_is_a_label_of_its_cloud() -> None:
    text = "kind: C\napiVersion: cloud.google.com/v1\np: [{machineFamily: a3}, {machineType: g2-standard-4}]\n"
    assert told(text, SiteKind.NODE) == [
        (3, "cloud.google.com/machine-family", "a3", "hint"),
        (3, "", "g2-standard-4", "hint"),
    ]


def test_images_that_variables_and_config_maps_name() -> None:
    text = """\
    apiVersion: v1
    kind: Pod
    spec:
      containers:
        - name: manager
          image: q.io/a/b:1
          env:
            - {name: RELATED_IMAGE_X, value: "q.io/c/d@sha256:%s"}
            - {name: SERVER_IMAGE, value: "c/vllm-openai:v1"}
            - {name: OTHER, value: "c/vllm-openai:v1"}
            - {name: IMAGE, value: /models/a:b}
            - {name: URL, value: "http://q.io/c:80"}
    ---
    apiVersion: v1
    kind: ConfigMap
    data:
      server-image: q.io/e/f:2
      RUN_IMAGE: q.io/g/h:3
      Dockerfile: |
        FROM --platform=linux/amd64 q.io/i/j:4 AS base
        FROM base
        RUN make
    """ % ("0" * 64)
    found = facts(text)
    images = [(s.place.line, s.value.partition("@")[0]) for s in found.sites if s.kind is SiteKind.IMAGE]
    assert images == [
        (6, "q.io/a/b:1"),
        (8, "q.io/c/d"),
        (9, "c/vllm-openai:v1"),
        (17, "q.io/e/f:2"),
        (18, "q.io/g/h:3"),
        (20, "q.io/i/j:4"),
    ]
    assert found.containers[0].image == "q.io/a/b:1"
    assert found.containers[0].engine is None


def test_kustomize_makes_variables_and_patches_in_one_line() -> None:
    text = """\
    apiVersion: kustomize.config.k8s.io/v1beta1
    kind: Kustomization
    configMapGenerator:
      - {name: a, literals: [NVIDIA_VISIBLE_DEVICES=all, "B=1"]}
    secretGenerator:
      - {name: b, literals: [TOKEN=x]}
    patchesJson6902:
      - patch: '[{"op": "replace", "path": "/spec/image", "value": "q.io/a/b:1"}]'
    """
    assert told(text, SiteKind.ENV) == [(4, "NVIDIA_VISIBLE_DEVICES", "all", ""), (4, "B", "1", "")]
    assert told(text, SiteKind.IMAGE) == [(8, "", "q.io/a/b:1", "")]


@pytest.mark.parametrize(
    ("limits", "gpus"),
    [
        ("{nvidia.com/gpu: 2, nvidia.com/gpumem: 3000, nvidia.com/gpucores: 30}", 2),
        ("{volcano.sh/vgpu-number: 1, volcano.sh/vgpu-memory: 4000}", 1),
        ("{aliyun.com/gpu-mem: 8}", 1),
        ("{aliyun.com/gpu-mem: 0}", 0),
        ("{custom: {nvidia.com/gpu: 3}}", 3),
    ],
)
def test_a_share_of_a_device_is_no_number_of_devices(limits: str, gpus: int) -> None:
    text = f"kind: Pod\napiVersion: v1\nspec: {{containers: [{{name: a, resources: {{limits: {limits}}}}}]}}\n"
    assert facts(text).containers[0].gpus == gpus


def test_kueue_maps_device_classes_to_a_name_that_is_shared_out() -> None:
    text = """\
    apiVersion: kueue.x-k8s.io/v1alpha1
    kind: DynamicResourceAllocationConfig
    spec:
      resources:
        - name: gpu.nvidia.com
          deviceClassNames: [gpu.nvidia.com]
        - name: whole
          deviceClassNames: [mig.nvidia.com]
    """
    assert [(line, value) for line, _, value, _ in told(text, SiteKind.DEVICE_CLASS)] == [
        (5, "gpu.nvidia.com"),
        (6, "gpu.nvidia.com"),
        (8, "mig.nvidia.com"),
    ]


def test_what_an_exporter_gives_out_and_where_a_device_configuration_applies() -> None:
    text = """\
    apiVersion: v1
    kind: ConfigMap
    data:
      config.json: |
        {"GPUConfig": {"Fields": ["GPU_GFX_ACTIVITY"], "Labels": ["GPU_UUID"]}, "Fields": ["x"]}
    ---
    apiVersion: amd.com/v1alpha1
    kind: DeviceConfig
    spec: {selector: {example.com/gpu: "true"}}
    """
    assert told(text, SiteKind.METRIC) == [(5, "", "GPU_GFX_ACTIVITY", "expr")]
    assert told(text, SiteKind.NODE) == [(9, "example.com/gpu", "true", "selector")]


def test_an_image_with_its_scheme() -> None:
    assert told("resources: {image_id: 'docker:a/b:1'}\n", SiteKind.IMAGE) == [(1, "", "a/b:1", "")]
