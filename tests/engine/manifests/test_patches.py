"""What JSON patches and a chart's single values put in is looked at as what stands at their path."""

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


CHART = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: scorer}
spec:
  source:
    helm:
      parameters:
      - {name: server.image.repository, value: scorer/server}
      - {name: server.image.registry, value: mirror.example}
      - {name: server.image.tag, value: "4.2"}
      - {name: 'server.resources.limits.nvidia\\.com/gpu', value: "2"}
      - {name: 'server.nodeSelector.nvidia\\.com/gpu\\.present', value: "true", forceString: true}
      - {name: 'server.tolerations[0].key', value: nvidia.com/gpu}
      - {name: 'server.env[0].name', value: CUDA_VISIBLE_DEVICES}
      - {name: 'server.env[0].value', value: "0,1"}
      - {name: server.runtimeClassName, value: nvidia}
"""


def test_a_charts_values_given_one_by_one_stand_where_their_paths_say() -> None:
    found = brief(CHART)
    assert found[SiteKind.IMAGE] == (8, "", "mirror.example/scorer/server:4.2")
    assert found[SiteKind.RESOURCE] == (11, "nvidia.com/gpu", "2")
    assert found[SiteKind.NODE] == (12, "nvidia.com/gpu.present", "true")
    assert found[SiteKind.TOLERATION] == (13, "", "nvidia.com/gpu")
    assert found[SiteKind.ENV] == (14, "CUDA_VISIBLE_DEVICES", "0,1")
    assert found[SiteKind.RUNTIME_CLASS] == (16, "", "nvidia")
    assert SiteKind.QUOTA not in found


def test_the_label_and_the_values_of_an_affinity_may_be_given_one_by_one() -> None:
    text = """\
    set:
      affinity.terms[0].matchExpressions[0].key: nvidia.com/gpu.product
      affinity.terms[0].matchExpressions[0].values[0]: A100
    """
    sites = read_facts([("a.yaml", textwrap.dedent(text))]).sites
    assert [(s.place.line, s.key, s.value) for s in sites] == [(2, "nvidia.com/gpu.product", ""), (3, "", "A100")]


def test_variables_are_given_to_a_mapping_and_to_a_config_map() -> None:
    assert brief("set: {'env.NCCL_DEBUG': INFO}\n")[SiteKind.ENV] == (1, "NCCL_DEBUG", "INFO")
    assert brief("- {op: add, path: /data/NCCL_DEBUG, value: INFO}\n")[SiteKind.ENV] == (1, "NCCL_DEBUG", "INFO")


def test_a_list_of_parameters_that_is_no_list_of_values_is_read_as_any_other() -> None:
    text = "parameters: [{image: 'registry.example/a/b:1'}, {name: x, value: {image: 'registry.example/a/c:1'}}]\n"
    assert [site.value for site in read_facts([("a.yaml", text)]).sites] == [
        "registry.example/a/b:1",
        "registry.example/a/c:1",
    ]


def test_paths_of_any_length_and_form_are_borne() -> None:
    for path in ("", ".", "[", "a[", "a..b", "\\\\", "image." * 5_000, "[0]" * 300, "[9]", "env[0]"):
        text = f"parameters: [{{name: '{path}', value: nvidia.com/gpu}}]\n"
        facts = read_facts([("a.yaml", text)])
        assert (facts.documents, facts.problems) == (1, ())


def test_the_type_of_an_instance_names_hardware() -> None:
    assert brief("instance: {type: g4dn.xlarge, region: us-west-1}\n")[SiteKind.NODE] == (1, "", "g4dn.xlarge")
