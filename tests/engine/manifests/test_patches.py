"""What a kustomization's JSON patches put in is looked at as what stands at their path."""

from __future__ import annotations

import textwrap

from portability.engine.manifests import read_facts
from portability.engine.model import Site, SiteKind

OVERLAY = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
patches:
- target: {kind: Deployment}
  patch: |-
    - op: add
      path: /spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu
      value: 1
    - op: remove
      path: /spec/template/spec/containers/0/resources/limits/amd.com~1gpu
    - op: add
      path: /spec/template/spec/nodeSelector/cloud.google.com~1gke-accelerator
      value: nvidia-l4
    - op: add
      path: /spec/template/spec/tolerations/-
      value: {key: nvidia.com/gpu, operator: Exists}
    - op: add
      path: /spec/template/spec/containers/0/env/-
      value: {name: NVIDIA_VISIBLE_DEVICES, value: all}
    - op: replace
      path: /spec/template/spec/containers/0/image
      value: vllm/vllm-openai:v0.11.0
    - op: add
      path: /spec/template/spec/runtimeClassName
      value: nvidia
"""


def brief(text: str) -> dict[SiteKind, tuple[int, str, str]]:
    found: list[Site] = list(read_facts([("a.yaml", textwrap.dedent(text))]).sites)
    return {s.kind: (s.place.line, s.key, s.value) for s in found}


def test_each_step_is_what_stands_at_its_path() -> None:
    found = brief(OVERLAY)
    assert found[SiteKind.RESOURCE] == (7, "nvidia.com/gpu", "1")
    assert found[SiteKind.NODE] == (13, "cloud.google.com/gke-accelerator", "nvidia-l4")
    assert found[SiteKind.TOLERATION] == (16, "", "nvidia.com/gpu")
    assert found[SiteKind.ENV] == (19, "NVIDIA_VISIBLE_DEVICES", "all")
    assert found[SiteKind.IMAGE] == (22, "", "vllm/vllm-openai:v0.11.0")
    assert found[SiteKind.RUNTIME_CLASS] == (25, "", "nvidia")


def test_what_is_removed_binds_nothing() -> None:
    assert all(site.key != "amd.com/gpu" for site in read_facts([("a.yaml", OVERLAY)]).sites)


def test_a_patch_by_itself_is_read_too() -> None:
    found = brief("- {op: add, path: /spec/resources/requests/nvidia.com~1mig-1g.5gb, value: '2'}\n")
    assert found[SiteKind.RESOURCE] == (1, "nvidia.com/mig-1g.5gb", "2")


def test_a_mapping_with_an_operation_and_no_path_is_no_patch() -> None:
    assert brief("step: {op: add, image: 'vllm/vllm-openai:v1', tag: x}\n")[SiteKind.IMAGE][2] == "vllm/vllm-openai:v1"
