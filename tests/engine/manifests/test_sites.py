"""Which places are noted, where they stand, and what they are called."""

from __future__ import annotations

import pytest

from portability.engine.model import Site, SiteKind
from tests.engine.manifests.reading import facts


def sites(text: str, kind: SiteKind) -> list[Site]:
    return [s for s in facts(text).sites if s.kind is kind]


def brief(found: list[Site]) -> list[tuple[int, str, str, str]]:
    return [(s.place.line, s.place.pointer, s.key, s.value) for s in found]


def test_a_resource_stands_at_its_quantity_with_the_line_of_its_key() -> None:
    text = """\
    kind: Pod
    apiVersion: v1
    spec:
      containers:
      - name: main
        resources:
          limits:
            nvidia.com/gpu:
              2
            cpu: 4
    """
    assert brief(sites(text, SiteKind.RESOURCE)) == [
        (8, "0:/spec/containers/0/resources/limits/nvidia.com~1gpu", "nvidia.com/gpu", "2")
    ]


def test_paths_name_items_so_that_they_survive_reordering() -> None:
    text = """\
    kind: Pod
    apiVersion: v1
    metadata: {name: p, namespace: team}
    spec:
      containers:
      - {name: first}
      - name: second
        image: vllm/vllm-openai:v1
        env: [{name: A, value: "1"}, {name: B, value: "2"}]
        volumeMounts: [{name: v, mountPath: /dev/x}]
      tolerations: [{key: a/b}, {key: a/b, effect: NoExecute}]
      volumes: [{name: v, hostPath: {path: /dev/x}}]
    """
    found = facts(text).sites
    assert [s.place.path for s in found if s.kind is not SiteKind.KIND] == [
        "spec/containers[second]/image",
        "spec/containers[second]/env[A]/value",
        "spec/containers[second]/env[B]/value",
        "spec/containers[second]/volumeMounts[/dev/x]/mountPath",
        "spec/tolerations[a/b]/key",
        "spec/tolerations[a/b,1]/key",
        "spec/volumes[v]/hostPath/path",
    ]
    place = found[1].place
    assert (place.resource.kind, place.resource.namespace, place.resource.name) == ("Pod", "team", "p")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("image: a/b:1\n", [(1, "0:/image", "", "a/b:1")]),
        ("image: {repository: a/b, tag: v2}\n", [(1, "0:/image/repository", "", "a/b:v2")]),
        ("image:\n  registry: r.io\n  repository: a/b\n  tag: v2\n", [(3, "0:/image/repository", "", "r.io/a/b:v2")]),
        (
            "driver: {repository: r.io/n, image: driver, version: '5'}\n",
            [(1, "0:/driver/image", "", "r.io/n/driver:5")],
        ),
        (
            "driver: {repository: nvcr.io/nvidia, image: driver, version: '5'}\n",
            [(1, "0:/driver/repository", "", "nvcr.io/nvidia/driver:5")],
        ),
        ("image: {repository: a/b, tag: v2-gpu}\n", [(1, "0:/image/tag", "", "a/b:v2-gpu")]),
        ("image: {repository: rocm/b, tag: v2-gpu}\n", [(1, "0:/image/repository", "", "rocm/b:v2-gpu")]),
        ("x: {modelPuller: 'nvcr.io/nim/m:1'}\n", [(1, "0:/x/modelPuller", "", "nvcr.io/nim/m:1")]),
        (
            "relatedImages: [{name: x, value: 'quay.io/a/b:1'}]\n",
            [(1, "0:/relatedImages/0/value", "", "quay.io/a/b:1")],
        ),
        ("address: 'http://quay.io/a/b:1'\nimagePullPolicy: Always\n", []),
    ],
)
def test_images_wherever_they_are_named(text: str, expected: list[tuple[int, str, str, str]]) -> None:
    assert brief(sites(text, SiteKind.IMAGE)) == expected


def test_kustomize_images_stand_at_what_takes_the_names_place() -> None:
    text = """\
    kind: Kustomization
    apiVersion: kustomize.config.k8s.io/v1beta1
    images:
    - {name: x, newName: vllm/vllm-openai, newTag: v1}
    - {name: vllm/vllm-openai, newTag: v2}
    - name: server
      newName: org/server
      newTag: 2-gpu
    """
    assert brief(sites(text, SiteKind.IMAGE)) == [
        (4, "0:/images/0/newName", "", "vllm/vllm-openai:v1"),
        (5, "0:/images/1/newTag", "", "vllm/vllm-openai:v2"),
        (8, "0:/images/2/newTag", "", "org/server:2-gpu"),
    ]


def test_environment_as_list_mapping_and_text() -> None:
    text = """\
    spec:
      env:
      - name: NAME
        value: one
      - {name: FROM, valueFrom: {secretKeyRef: {name: s, key: k}}}
      - name: LONG
        value: |
          --a
          --b
    other:
      env: {MAPPED: "1"}
    more:
      environment: ["TEXT=x=y"]
    """
    assert brief(sites(text, SiteKind.ENV)) == [
        (4, "0:/spec/env/0/value", "NAME", "one"),
        (5, "0:/spec/env/1/name", "FROM", ""),
        (8, "0:/spec/env/2/value", "LONG", "--a"),
        (9, "0:/spec/env/2/value", "LONG", "--b"),
        (11, "0:/other/env/MAPPED", "MAPPED", "1"),
        (13, "0:/more/environment/0", "TEXT", "x=y"),
    ]


def test_node_selection_names_the_label_and_each_value() -> None:
    text = """\
    nodeSelector: {a.io/gpu: x}
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
          - matchExpressions:
            - {key: b.io/p, operator: In, values: [v, w]}
            - {key: c.io/present, operator: Exists}
      podAffinity: {required: [{labelSelector: {matchExpressions: [{key: nvidia.com/app, operator: Exists}]}}]}
    """
    assert [(s.key, s.value, s.role) for s in sites(text, SiteKind.NODE)] == [
        ("a.io/gpu", "x", "selector"),
        ("b.io/p", "", "affinity"),
        ("", "v", "affinity"),
        ("", "w", "affinity"),
        ("c.io/present", "", "affinity"),
    ]


def test_quotas_of_every_kind() -> None:
    text = """\
    apiVersion: v1
    kind: ResourceQuota
    spec: {hard: {requests.nvidia.com/gpu: "4", pods: "9"}}
    ---
    apiVersion: v1
    kind: LimitRange
    spec: {limits: [{type: Container, max: {nvidia.com/gpu: 1}}]}
    ---
    apiVersion: kueue.x-k8s.io/v1beta1
    kind: ClusterQueue
    spec:
      resourceGroups:
      - coveredResources: [cpu, amd.com/gpu]
        flavors: [{name: f, resources: [{name: amd.com/gpu, nominalQuota: 3}]}]
    """
    assert [(s.value, s.role) for s in sites(text, SiteKind.QUOTA)] == [
        ("nvidia.com/gpu", "hard"),
        ("nvidia.com/gpu", "max"),
        ("cpu", "covered"),
        ("amd.com/gpu", "covered"),
        ("amd.com/gpu", "flavor"),
    ]


def test_device_classes_in_claims_selectors_and_annotations() -> None:
    text = """\
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaimTemplate
    metadata:
      annotations:
        x/dra-device-class: gpu.example.com
        x/dra-cel-selector: |
          device.attributes['gpu.example.com']['type'] == 'A'
    spec:
      spec:
        devices:
          requests:
          - name: g
            deviceClassName: gpu.example.com
            selectors: [{cel: {expression: "device.driver == 'gpu.example.com'"}}]
    """
    assert [(s.place.line, s.value) for s in sites(text, SiteKind.DEVICE_CLASS)] == [
        (5, "gpu.example.com"),
        (7, "device.attributes['gpu.example.com']['type'] == 'A'"),
        (13, "gpu.example.com"),
        (14, "device.driver == 'gpu.example.com'"),
    ]


def test_metrics_in_rules_dashboards_autoscalers_and_monitors() -> None:
    text = """\
    apiVersion: monitoring.coreos.com/v1
    kind: PrometheusRule
    spec:
      groups:
      - rules:
        - record: own_name
          expr: |
            avg(
              SOME_METRIC)
          annotations: {summary: "SOME_METRIC is high"}
    ---
    apiVersion: keda.sh/v1alpha1
    kind: ScaledObject
    spec: {triggers: [{type: prometheus, metadata: {serverAddress: "http://x", query: "max(SOME)"}}]}
    ---
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    spec: {metrics: [{type: Pods, pods: {metric: {name: SOME_GAUGE}}}]}
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    spec: {selector: {matchLabels: {app: some-exporter}}}
    """
    assert [(s.place.line, s.value, s.role) for s in sites(text, SiteKind.METRIC)] == [
        (8, "avg(", "expr"),
        (9, "SOME_METRIC)", "expr"),
        (14, "max(SOME)", "trigger"),
        (18, "SOME_GAUGE", "trigger"),
        (22, "some-exporter", "selector"),
    ]


def test_config_maps_carry_variables_documents_and_scripts() -> None:
    text = """\
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: c}
    data:
      A_VARIABLE: "1"
      pod.yaml: |
        # a comment
        image: a/b:1
        resources:
          limits: {x.io/gpu: 2}
      run.sh: |
        #!/bin/sh
        # said to a person
        tool --now
    """
    found = facts(text)
    assert brief([s for s in found.sites if s.kind is SiteKind.ENV]) == [(5, "0:/data/A_VARIABLE", "A_VARIABLE", "1")]
    image = next(s for s in found.sites if s.kind is SiteKind.IMAGE)
    assert (image.place.line, image.place.pointer, image.value) == (8, "0:/data/pod.yaml", "a/b:1")
    assert image.place.path == "data/pod.yaml#image"
    resource = next(s for s in found.sites if s.kind is SiteKind.RESOURCE)
    assert (resource.place.line, resource.key) == (10, "x.io/gpu")
    assert [(s.place.line, s.value) for s in found.sites if s.kind is SiteKind.SCRIPT] == [(14, "tool --now")]


def test_every_resolved_path_of_an_alias_is_reported_with_the_anchors_line() -> None:
    text = """\
    a:
      image: &i x.io/y:1
    b:
      image: *i
    """
    assert brief(sites(text, SiteKind.IMAGE)) == [(2, "0:/a/image", "", "x.io/y:1"), (2, "0:/b/image", "", "x.io/y:1")]


def test_lists_and_templates_are_opened() -> None:
    text = """\
    apiVersion: v1
    items:
    - apiVersion: apps/v1
      kind: Deployment
      metadata: {name: inner}
      spec: {template: {spec: {containers: [{name: c, image: "a/b:1"}]}}}
    kind: List
    ---
    apiVersion: template.openshift.io/v1
    kind: Template
    objects:
    - apiVersion: v1
      kind: Pod
      metadata: {name: other}
      spec: {containers: [{name: c, image: "a/b:2"}]}
    """
    found = facts(text)
    assert [(s.value, s.place.resource.name) for s in found.sites if s.kind is SiteKind.IMAGE] == [
        ("a/b:1", "inner"),
        ("a/b:2", "other"),
    ]
    assert [s.value for s in found.sites if s.kind is SiteKind.KIND] == ["List", "Deployment", "Template", "Pod"]


def test_names_labels_comments_and_prose_are_no_sites() -> None:
    text = """\
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: nvidia.com
      labels: {vendor: nvidia.com/gpu, image: a.io/b:1}
      annotations: {description: "runs on nvidia.com/gpu and H100"}
    spec:
      selector: {matchLabels: {accelerator: nvidia.com/gpu}}
      template:
        metadata: {labels: {gpu-type: H100}}
        spec:
          containers: [{name: nvidia-smi}]  # nvidia.com/gpu
    """
    assert [s.kind for s in facts(text).sites] == [SiteKind.KIND]


def test_a_secret_gives_no_sites_but_its_kind() -> None:
    text = "apiVersion: v1\nkind: Secret\nstringData: {image: 'a.io/b:1', A: nvidia.com/gpu}\n"
    assert [s.kind for s in facts(text).sites] == [SiteKind.KIND]


def test_a_platform_object_is_kept_whole_with_its_place() -> None:
    text = "apiVersion: amd.com/v1alpha1\nkind: DeviceConfig\nmetadata: {name: d}\nspec: {driver: {enable: true}}\n"
    (kept,) = facts(text).objects
    assert kept["spec"] == {"driver": {"enable": True}}
    assert kept["place"] == {"file": "a.yaml", "line": 2, "pointer": "0:/kind"}


def test_a_runtime_class_names_its_handler() -> None:
    text = "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: gpu}\nhandler: nvidia\n"
    assert brief(sites(text, SiteKind.RUNTIME_CLASS)) == [(4, "0:/handler", "", "nvidia")]


@pytest.mark.parametrize(
    "predictor",
    ["tensorflow: {runtimeVersion: 2.6.2-gpu}", "model: {modelFormat: {name: tensorflow}, runtimeVersion: 2.6.2-gpu}"],
)
def test_a_predictors_version_is_the_tag_of_its_servers_image(predictor: str) -> None:
    text = (
        "apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nspec:\n  predictor:\n"
        f"    {predictor}\n    other: {{runtimeVersion: 1.2-gpu}}\n"
    )
    assert [s.value for s in sites(text, SiteKind.IMAGE)] == ["tensorflow/serving:2.6.2-gpu"]


def test_a_plain_version_of_a_predictor_says_nothing_of_hardware() -> None:
    text = (
        "apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nspec:\n"
        "  predictor: {tensorflow: {runtimeVersion: 2.6.2}}\n"
    )
    assert sites(text, SiteKind.IMAGE) == []


def test_a_name_in_a_table_of_images_is_no_image() -> None:
    assert sites("profiles: {gpu: {imageName: nvidia-gpu}}\n", SiteKind.IMAGE) == []
    assert [s.value for s in sites("image: {imageName: 'nvcr.io/nvidia/tritonserver:23.06-py3'}\n", SiteKind.IMAGE)]
