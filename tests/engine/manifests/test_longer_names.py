"""What charts, spawners and node pools write under names of their own, and steps that a shell runs."""

from __future__ import annotations

from portability.engine.model import SiteKind
from tests.engine.manifests.reading import facts, told

SPAWNER = """\
singleuser:
  profileList:
    - kubespawner_override:
        extra_resource_limits: {nvidia.com/gpu: "1"}
        extra_resource_guarantees:
          nvidia.com/gpu: "2"
        node_selector: {gpu.example.com/model: H100}
        rate_limits: {web: {image: "x/y:1"}}
  extraTolerations:
    - key: nvidia.com/gpu
  gpuDevices:
    nvidia.com/gpu: 3
    nvidia.com/gpu.product: H100
  nodeTaint: {key: not-a-list}
"""


def test_names_with_words_before_them_mean_what_they_end_in() -> None:
    assert told(SPAWNER, SiteKind.RESOURCE) == [
        (4, "nvidia.com/gpu", "1", "limits"),
        (6, "nvidia.com/gpu", "2", "requests"),
        (12, "nvidia.com/gpu", "3", "limits"),
    ]
    assert told(SPAWNER, SiteKind.NODE) == [(7, "gpu.example.com/model", "H100", "selector")]
    assert told(SPAWNER, SiteKind.TOLERATION) == [(10, "", "nvidia.com/gpu", "")]
    assert told(SPAWNER, SiteKind.IMAGE) == [(8, "", "x/y:1", "")]


VARIABLES = """\
apiVersion: example.com/v1
kind: Training
metadata: {name: t}
spec:
  networkConfig:
    - name: UCX_TLS
      value: cuda_copy
  sidecar_env:
    NCCL_DEBUG: INFO
  prod_env:
    web: {image: "x/y:1"}
  environment:
    items:
      CUDA_HOME: {value: /usr/local/cuda}
  parts:
    - {name: Worker, value: "3"}
"""


def test_variables_are_known_by_how_they_are_written() -> None:
    assert told(VARIABLES, SiteKind.ENV) == [
        (7, "UCX_TLS", "cuda_copy", ""),
        (9, "NCCL_DEBUG", "INFO", ""),
        (14, "CUDA_HOME", "/usr/local/cuda", ""),
    ]
    assert told(VARIABLES, SiteKind.IMAGE) == [(11, "", "x/y:1", "")]


def test_a_node_pools_accelerators_and_taint() -> None:
    text = """\
    apiVersion: example.com/v1
    kind: NodePool
    spec:
      guestAccelerator: [{type: nvidia-tesla-t4, count: 1}]
      gpuAccelerator: {device: nvidia-l4}
      taint: [{key: nvidia.com/gpu}]
    """
    assert told(text, SiteKind.NODE) == [(4, "", "nvidia-tesla-t4", "hint"), (5, "", "nvidia-l4", "hint")]
    assert told(text, SiteKind.TOLERATION) == [(6, "", "nvidia.com/gpu", "")]


def test_labels_by_which_pods_are_kept_together() -> None:
    text = """\
    apiVersion: v1
    kind: Pod
    spec:
      topologySpreadConstraints:
        - {topologyKey: nvidia.com/gpu.clique, labelSelector: {matchLabels: {a: nvidia}}}
      affinity:
        podAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - labelSelector: {matchLabels: {a: b}}
              topologyKey: kubernetes.io/hostname
    ---
    apiVersion: example.com/v1
    kind: Topology
    spec: {levels: [{nodeLabel: example.com/rack}]}
    """
    assert told(text, SiteKind.NODE) == [
        (5, "nvidia.com/gpu.clique", "", "topology"),
        (10, "kubernetes.io/hostname", "", "topology"),
        (14, "example.com/rack", "", "topology"),
    ]


def test_targets_of_a_scrape() -> None:
    text = """\
    scrape_configs:
      - static_configs: [{targets: ["dcgm-exporter:9400"], labels: {a: b}}]
    targets: [not-of-a-scrape]
    """
    assert told(text, SiteKind.METRIC) == [(2, "", "dcgm-exporter:9400", "selector")]


def test_the_attribute_that_devices_have_to_share() -> None:
    text = """\
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata: {name: c}
    spec: {devices: {constraints: [{matchAttribute: gpu.nvidia.com/parentUUID}]}}
    """
    assert told(text, SiteKind.DEVICE_CLASS) == [(4, "", "gpu.nvidia.com/parentUUID", "matchAttribute")]


STEPS = """\
apiVersion: example.com/v1
kind: Task
spec:
  steps:
    - image: alpine:3
      script: |
        #!/bin/sh
        vllm serve org/llama
    - image: python:3.12
      script: |
        #!/usr/bin/env python3
        import os
"""


def test_a_steps_script_is_its_command_where_a_shell_runs_it() -> None:
    assert told(STEPS, SiteKind.COMMAND) == [(8, "", "vllm serve org/llama", "")]
    assert told(STEPS, SiteKind.SCRIPT) == [(12, "script", "import os", "program")]
    first = facts(STEPS).containers[0]
    assert first.engine is not None and first.engine.value == "vllm"
